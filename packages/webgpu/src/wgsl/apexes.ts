/**
 * Workgroups after the vertex tiles: apexes, then gradients of the (region, apex) pairs (B4).
 *
 *   a = Σ_k w_k x_k          h = 1/6 Σ (x_i − a) × (x_j − a)
 *
 * Needs `place(vertex, instance)`, where a vertex is in this dispatch: it is computed again here, so that no second
 * dispatch has to wait for the first. Apexes go behind the vertices of `points`.
 */
export const apexes = /* wgsl */ `
var<workgroup> apexSums: array<vec3f, TILE>;

fn addUp(value: vec3f, lane: u32) -> vec3f {
  workgroupBarrier();
  apexSums[lane] = value;
  for (var half = TILE / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) { apexSums[lane] += apexSums[lane + half]; }
  }
  workgroupBarrier();
  return apexSums[0];
}

fn placeApex(apex: u32, instance: u32, first: u32, step: u32) -> vec3f {
  let to = lists[shape.members + apex + 1u];
  var sum = vec3f();
  for (var e = lists[shape.members + apex] + 2u * first; e < to; e += 2u * step) {
    sum += listFloat(e + 1u) * place(lists[e], instance);
  }
  return sum;
}

fn placeAny(index: u32, instance: u32) -> vec3f {
  if (index < shape.vertexCount) { return place(index, instance); }
  return placeApex(index - shape.vertexCount, instance, 0u, 1u);
}

fn moveApexes(job: u32, instance: u32, lane: u32) {
  if (job < shape.apexCount) {
    let apex = addUp(placeApex(job, instance, lane, TILE), lane);
    if (lane == 0u) { points[instance * shape.extendedCount + shape.vertexCount + job] = vec4f(apex, 0.0); }
    return;
  }
  let pair = job - shape.apexCount;
  let header = shape.apexEdges + APEX_PAIR_WORDS * pair;
  let to = lists[header + 1u];
  let apex = lists[header + 2u];
  var origin = vec3f();
  if (apex != NO_APEX) {
    origin = addUp(placeApex(apex, instance, lane, TILE), lane);
  } else if (lists[header] < to) {
    origin = place(lists[lists[header]], instance);
  }
  var sum = vec3f();
  for (var e = lists[header] + 2u * lane; e < to; e += 2u * TILE) {
    sum += cross(placeAny(lists[e], instance) - origin, placeAny(lists[e + 1u], instance) - origin);
  }
  let total = addUp(sum, lane) / 6.0;
  if (lane == 0u) { gradients[instance * shape.apexPairCount + pair] = vec4f(total, 0.0); }
}
`;
