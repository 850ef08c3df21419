/**
 * The player of the page: before and after side by side, in plain WebGL. These functions run in the reader's browser: their text is put
 * into the page (`PLAYER_SCRIPT`), so they use nothing but each other and what a browser has.
 */
import type { ReportSkin } from './bake-report-data.js';
import type { EncodedFilms } from './encode-films.js';
import { FILM_SHADERS, type FilmShaders } from './film-shaders.js';

export const PLAYER_SCRIPT = (): string =>
  `${[createFilmScene, placeFilmCamera, skinFilm, unpackSteps, createFilmFrames, readFilms, playFilms].map(String).join('\n')}\n${playFilms.name}(${JSON.stringify(FILM_SHADERS)});`;

type Film = EncodedFilms['films'][number];
type Mesh = Awaited<ReturnType<typeof readFilms>>;

interface FilmScene {
  /** Draws both surfaces, #V×3 each, and their normals. */
  draw(
    surfaces: readonly { positions: Float32Array; normals: Float32Array }[],
    film: Film,
    turn: readonly number[],
  ): void;
}

/** Buffers, program and camera of one canvas. */
function createFilmScene(canvas: HTMLCanvasElement, mesh: Mesh, shaders: FilmShaders): FilmScene | undefined {
  const gl = canvas.getContext('webgl', { antialias: true, alpha: true, preserveDrawingBuffer: true });
  if (!gl?.getExtension('OES_element_index_uint')) return undefined;
  const program = gl.createProgram()!;
  const add = (kind: number, text: string): void => {
    const shader = gl.createShader(kind)!;
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  };
  add(gl.VERTEX_SHADER, shaders.vertex);
  add(gl.FRAGMENT_SHADER, shaders.fragment);
  gl.linkProgram(program);
  gl.useProgram(program);
  gl.enable(gl.DEPTH_TEST);
  const uniform = (name: string) => gl.getUniformLocation(program, name);
  const textures = mesh.textures.map((source) => {
    const map = { texture: gl.createTexture(), isReady: false };
    const image = new Image();
    image.onload = () => {
      map.isReady = true;
      gl.bindTexture(gl.TEXTURE_2D, map.texture);
      // WebGL 1 repeats and blurs only sizes that are powers of two.
      const square = document.createElement('canvas');
      square.width = square.height = 1024;
      square.getContext('2d')!.drawImage(image, 0, 0, 1024, 1024);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, square);
      gl.generateMipmap(gl.TEXTURE_2D);
      canvas.dispatchEvent(new Event('redraw'));
    };
    image.src = source;
    return map;
  });
  const fill = (kind: number, buffer: WebGLBuffer | null, values: BufferSource): void => {
    gl.bindBuffer(kind, buffer);
    gl.bufferData(kind, values, gl.STATIC_DRAW);
  };
  /** An attribute of every vertex, or white for all. */
  const attach = (
    name: string,
    size: number,
    values: Float32Array<ArrayBuffer> | undefined,
    buffer: WebGLBuffer | null,
  ): void => {
    const at = gl.getAttribLocation(program, name);
    if (!values) {
      gl.disableVertexAttribArray(at);
      gl.vertexAttrib3f(at, 1, 1, 1);
      return;
    }
    fill(gl.ARRAY_BUFFER, buffer, values);
    gl.enableVertexAttribArray(at);
    gl.vertexAttribPointer(at, size, gl.FLOAT, false, 0, 0);
  };
  const buffers = ['position', 'normal', 'color', 'uv'].map(() => gl.createBuffer());
  const parts = mesh.parts.map((part) => {
    const index = gl.createBuffer();
    fill(gl.ELEMENT_ARRAY_BUFFER, index, part.triangles);
    return { ...part, index, own: new Float32Array(3 * part.welded.length) };
  });
  return {
    draw(surfaces, film, turn) {
      const [width, height] = [
        (canvas.width = canvas.clientWidth * devicePixelRatio),
        (canvas.height = canvas.clientHeight * devicePixelRatio),
      ];
      const { matrix, rotation } = placeFilmCamera(film, width / 2 / height, turn);
      gl.uniformMatrix4fv(uniform('view'), false, matrix);
      gl.uniformMatrix3fv(uniform('turn'), false, rotation);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      surfaces.forEach(({ positions, normals }, side) => {
        gl.viewport((side * width) / 2, 0, width / 2, height);
        for (const { welded, own, index, triangles, color, colors, texture, uv } of parts) {
          [positions, normals].forEach((values, i) => {
            for (let k = 0; k < own.length; k++) own[k] = values[3 * welded[(k / 3) | 0]! + (k % 3)]!;
            attach(['position', 'normal'][i]!, 3, own, buffers[i]!);
          });
          attach('color', 3, colors, buffers[2]!);
          attach('uv', 2, uv, buffers[3]!);
          const map = texture === undefined ? undefined : textures[texture];
          if (map) gl.bindTexture(gl.TEXTURE_2D, map.texture);
          gl.uniform1f(uniform('isMapped'), uv && map?.isReady ? 1 : 0);
          gl.uniform3fv(uniform('base'), color);
          gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, index);
          gl.drawElements(gl.TRIANGLES, triangles.length, gl.UNSIGNED_INT, 0);
        }
      });
    },
  };
}

/** An orthographic view of what the film frames, turned by the reader: the matrix of the picture, and that of normals. */
function placeFilmCamera(film: Film, aspect: number, [azimuth = 0, elevation = 0, zoom = 1]: readonly number[]) {
  const [ex = 0, ey = 0, ez = 1] = film.eye;
  const a = Math.atan2(ex, ez) + azimuth;
  const b = Math.max(-1.5, Math.min(1.5, Math.asin(ey) + elevation));
  const [ca, sa, cb, sb] = [Math.cos(a), Math.sin(a), Math.cos(b), Math.sin(b)];
  const axes = [
    [ca, 0, -sa],
    [-sb * sa, cb, -sb * ca],
    [cb * sa, sb, cb * ca],
  ];
  const size = (1.9 * film.radius) / zoom;
  const scale = [Math.min(1, 1 / aspect) / size, Math.min(1, aspect) / size, -1 / (40 * film.radius)];
  const matrix = new Float32Array(16);
  axes.forEach((axis, row) => {
    for (let r = 0; r < 3; r++) {
      matrix[4 * r + row] = scale[row]! * axis[r]!;
      matrix[12 + row]! -= scale[row]! * axis[r]! * film.centre[r]!;
    }
  });
  matrix[15] = 1;
  return { matrix, rotation: Float32Array.from([0, 1, 2].flatMap((r) => axes.map((axis) => axis[r]!))) };
}

/** x = Σ_b ω_b M_b x̄; the encoder calls it too. */
export function skinFilm(
  out: Float32Array,
  { rest, offsets, bones, weights }: ReportSkin,
  matrices: Float32Array,
): Float32Array {
  out.fill(0);
  for (let v = 0; 3 * v < out.length; v++) {
    for (let n = offsets[v]!; n < offsets[v + 1]!; n++) {
      for (let r = 0, m = 12 * bones[n]!; r < 3; r++, m++) {
        const x =
          matrices[m]! * rest[3 * v]! + matrices[m + 3]! * rest[3 * v + 1]! + matrices[m + 6]! * rest[3 * v + 2]!;
        out[3 * v + r]! += weights[n]! * (x + matrices[m + 9]!);
      }
    }
  }
  return out;
}

/** Steps of every coordinate over time: what `packSteps` packed. */
function unpackSteps(bytes: Uint8Array, frames: number): Int16Array {
  const steps = new Int16Array(bytes.length / 2);
  for (let k = 0; k < steps.length; k++) {
    const folded = bytes[k]! + 256 * bytes[steps.length + k]!;
    steps[k] = (k % frames === 0 ? 0 : steps[k - 1]!) + (folded & 1 ? -(folded + 1) / 2 : folded / 2);
  }
  return steps;
}

/** Positions and normals of a film at any moment, both ways: between two frames, in a straight line. */
export async function createFilmFrames({ skin, parts, decode }: Mesh, film: Film) {
  const frames = film.times.length;
  const bones = new Float32Array(await decode(film.bones));
  const steps = [film.skinned, film.moved].map(async (text) => unpackSteps(new Uint8Array(await decode(text)), frames));
  const [skinned, moved] = await Promise.all(steps);
  const matrices = new Float32Array(bones.length / frames);
  const n = skin.rest.length;
  const surfaces = [0, 1].map(() => ({ positions: new Float32Array(n), normals: new Float32Array(n) }));
  return (time: number) => {
    let f = 0;
    while (f + 2 < frames && film.times[f + 1]! < time) f++;
    const share = Math.max(0, Math.min(1, (time - film.times[f]!) / (film.times[f + 1]! - film.times[f]!)));
    const mix = (values: Float32Array | Int16Array, at: number, stride: number) =>
      values[at]! + share * (values[at + stride]! - values[at]!);
    for (let m = 0; m < matrices.length; m++) matrices[m] = mix(bones, f * matrices.length + m, matrices.length);
    const [before, after] = surfaces.map(({ positions }) => positions);
    skinFilm(before!, skin, matrices);
    for (let i = 0, at = f; i < n; i++, at += frames) {
      before![i]! += film.step * mix(skinned!, at, 1);
      after![i] = before![i]! + film.step * mix(moved!, at, 1);
    }
    for (const { positions, normals } of surfaces) {
      normals.fill(0);
      for (const { triangles, welded } of parts) {
        for (let t = 0; t < triangles.length; t += 3) {
          const [a, b, c] = [0, 1, 2].map((k) => 3 * welded[triangles[t + k]!]!) as [number, number, number];
          for (let r = 0; r < 3; r++) {
            const [j, k] = [(r + 1) % 3, (r + 2) % 3];
            const area =
              (positions[b + j]! - positions[a + j]!) * (positions[c + k]! - positions[a + k]!) -
              (positions[b + k]! - positions[a + k]!) * (positions[c + j]! - positions[a + j]!);
            for (const v of [a, b, c]) normals[v + r]! += area;
          }
        }
      }
    }
    return surfaces;
  };
}

/** What all films share, unpacked, and how the rest is. */
export async function readFilms({ skin, parts, textures }: EncodedFilms) {
  const decode = (text: string): Promise<ArrayBuffer> => {
    const packed = new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]).stream();
    return new Response(packed.pipeThrough(new DecompressionStream('deflate'))).arrayBuffer();
  };
  const integers = async (text: string) => new Uint32Array(await decode(text));
  const numbers = async (text: string) => new Float32Array(await decode(text));
  return {
    decode,
    textures,
    skin: {
      rest: await numbers(skin.rest),
      offsets: await integers(skin.offsets),
      bones: await integers(skin.bones),
      weights: await numbers(skin.weights),
    },
    parts: await Promise.all(
      parts.map(async ({ welded, triangles, color, colors, texture, uv }) => ({
        welded: await integers(welded),
        triangles: await integers(triangles),
        color,
        colors: colors === undefined ? undefined : await numbers(colors),
        texture,
        uv: uv === undefined ? undefined : await numbers(uv),
      })),
    ),
  };
}

/** Gives every `.player` of the page its film: play, scrub, turn, zoom. Where there is no WebGL the pictures stay. */
async function playFilms(shaders: FilmShaders): Promise<void> {
  const data = JSON.parse(document.getElementById('isoskin-films')!.textContent!) as EncodedFilms;
  const mesh = await readFilms(data);
  for (const player of document.querySelectorAll<HTMLElement>('.player')) {
    const film = data.films[Number(player.dataset.film)]!;
    const canvas = player.querySelector('canvas')!;
    const slider = player.querySelector('input')!;
    const button = player.querySelector('button')!;
    const label = player.querySelector('output')!;
    const scene = createFilmScene(canvas, mesh, shaders);
    if (!scene) continue;
    const frameAt = await createFilmFrames(mesh, film);
    player.hidden = false;
    const end = film.times.at(-1)!;
    const turn = [0, 0, 1];
    let time = film.times[film.worst]!;
    let isPlaying = false;
    const show = (): void => {
      scene.draw(frameAt(time), film, turn);
      slider.value = String(time / end);
      label.textContent = `${time.toFixed(2)} s`;
    };
    let last = 0;
    const tick = (now: number): void => {
      if (!isPlaying) return;
      time = (time + Math.min(0.1, (now - last) / 1000)) % end;
      last = now;
      show();
      requestAnimationFrame(tick);
    };
    button.onclick = () => {
      isPlaying = !isPlaying;
      button.textContent = isPlaying ? 'Pause' : 'Play';
      last = performance.now();
      requestAnimationFrame(tick);
    };
    slider.oninput = () => {
      time = Number(slider.value) * end;
      show();
    };
    canvas.onpointermove = ({ buttons, movementX, movementY }) => {
      if (!(buttons & 1)) return;
      turn[0]! -= movementX / 120;
      turn[1]! += movementY / 120;
      show();
    };
    canvas.ondblclick = () => {
      turn[2] = turn[2]! > 1.5 ? 0.4 : turn[2]! < 0.9 ? 1 : 2;
      show();
    };
    canvas.addEventListener('redraw', show);
    addEventListener('resize', show);
    show();
  }
}
