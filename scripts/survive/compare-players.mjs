/** Two players are compared over all clips: distances of the vertices and changes of the total volume. */

/** Vertices nearer than this share of the size are the same vertex where both files list them in one order. */
const SAME_SHARE = 2e-3;
/** A vertex of a seam may be matched with any vertex that is hardly farther than the nearest one; the best over all frames counts. */
const SEAM_SHARE = 3e-4;

/**
 * Returns `{ distance, volume, clip, time }`: the largest distance of a vertex of `after` from its match in `before` as a share of the size, the
 * largest difference of the volumes as a share of the first frame's, and where the distance is largest. `before` and `after` are players.
 *
 * Vertices are matched in the first frame with all targets off, as quantisation, welding and sorting leave that frame alone and default
 * weights and poses differ between exporters.
 */
export function comparePlayers(before, after, framesPerClip = 6) {
  const plain = before.play(0, 0, { targets: false });
  const { centre, size } = measureBox(plain);
  const twins = before.clips.map(({ name }, n) => findTwin(after.clips, name, n));
  const { first, match } = matchVertices(after.play(twins[0], 0, { targets: false }), plain, size);
  const volumeScale = Math.abs(measureVolume(plain, before.triangles, centre)) || 1;
  const distances = new Float64Array(match.length);
  let volume = 0;
  let place = { clip: '', time: 0, distance: 0 };
  before.clips.forEach((clip, n) => {
    for (let f = 0; f < framesPerClip; f++) {
      const time = (clip.duration * f) / (framesPerClip - 1);
      const [x, y] = [before.play(n, time), after.play(twins[n], time)];
      const change = measureVolume(y, after.triangles, centre) - measureVolume(x, before.triangles, centre);
      volume = Math.max(volume, Math.abs(change) / volumeScale);
      let worst = 0;
      for (let v = 0; v + 1 < first.length; v++) {
        let nearest = Infinity;
        for (let m = first[v]; m < first[v + 1]; m++) {
          const [i, j] = [3 * v, 3 * match[m]];
          const distance = Math.hypot(y[i] - x[j], y[i + 1] - x[j + 1], y[i + 2] - x[j + 2]) / size;
          distances[m] = Math.max(distances[m], distance);
          nearest = Math.min(nearest, distance);
        }
        worst = Math.max(worst, nearest);
      }
      if (!(worst <= place.distance)) place = { clip: clip.name, time, distance: worst };
    }
  });
  let distance = 0;
  for (let v = 0; v + 1 < first.length; v++) {
    distance = Math.max(distance, Math.min(...distances.subarray(first[v], first[v + 1])));
  }
  return { distance, volume, clip: place.clip, time: place.time };
}

/** Finds the clip of that name, or the one at that place where a tool drops names. */
function findTwin(clips, name, n) {
  const named = clips.findIndex((clip) => clip.name === name);
  const twin = named >= 0 ? named : n;
  if (!clips[twin]) throw new Error(`the clip “${name}” is missing`);
  return twin;
}

/** Finds the vertices of `to` for each vertex v of `from`: match[first[v]] … match[first[v + 1] − 1]. */
function matchVertices(from, to, size) {
  const count = from.length / 3;
  const distanceOf = (v, w) =>
    Math.hypot(from[3 * v] - to[3 * w], from[3 * v + 1] - to[3 * w + 1], from[3 * v + 2] - to[3 * w + 2]);
  const all = Uint32Array.from({ length: to.length / 3 }, (_, v) => v);
  if (to.length === from.length && all.every((v) => distanceOf(v, v) < SAME_SHARE * size)) {
    return { first: Uint32Array.from({ length: count + 1 }, (_, v) => v), match: all };
  }
  const grid = new Map();
  const cellOf = (x, k) => Math.floor(x / (SAME_SHARE * size)) + k;
  const keyOf = (p, v, a = 0, b = 0, c = 0) =>
    `${cellOf(p[3 * v], a)},${cellOf(p[3 * v + 1], b)},${cellOf(p[3 * v + 2], c)}`;
  for (const w of all) {
    const key = keyOf(to, w);
    if (!grid.has(key)) grid.set(key, []);
    grid.get(key).push(w);
  }
  const first = [0];
  const match = [];
  for (let v = 0; v < count; v++) {
    const near = [];
    for (let n = 0; n < 27; n++) {
      near.push(...(grid.get(keyOf(from, v, (n % 3) - 1, (((n / 3) | 0) % 3) - 1, ((n / 9) | 0) - 1)) ?? []));
    }
    const candidates = near.length > 0 ? near : all;
    let nearest = Infinity;
    for (const w of candidates) nearest = Math.min(nearest, distanceOf(v, w));
    for (const w of candidates) if (distanceOf(v, w) <= nearest + SEAM_SHARE * size) match.push(w);
    first.push(match.length);
  }
  return { first, match };
}

function measureBox(positions) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  positions.forEach((x, i) => {
    low[i % 3] = Math.min(low[i % 3], x);
    high[i % 3] = Math.max(high[i % 3], x);
  });
  return { centre: low.map((x, r) => (x + high[r]) / 2), size: Math.hypot(...low.map((x, r) => high[r] - x)) };
}

function measureVolume(positions, triangles, [cx, cy, cz]) {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const [ax, ay, az] = [positions[a] - cx, positions[a + 1] - cy, positions[a + 2] - cz];
    const [bx, by, bz] = [positions[b] - cx, positions[b + 1] - cy, positions[b + 2] - cz];
    const [dx, dy, dz] = [positions[c] - cx, positions[c + 1] - cy, positions[c + 2] - cz];
    sum += ax * (by * dz - bz * dy) + ay * (bz * dx - bx * dz) + az * (bx * dy - by * dx);
  }
  return sum / 6;
}
