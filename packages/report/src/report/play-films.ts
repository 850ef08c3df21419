/**
 * The player of the page: before and after side by side, in plain WebGL. These functions run in the reader's browser: their text is put
 * into the page (`PLAYER_SCRIPT`), so they use nothing but each other and what a browser has.
 */
import type { EncodedFilms } from './encode-films.js';

export const PLAYER_SCRIPT = (): string =>
  `${[createFilmScene, placeFilmCamera, createFilmFrames, playFilms].map(String).join('\n')}\n${playFilms.name}();`;

type Film = EncodedFilms['films'][number];

interface FilmScene {
  /** Draws both surfaces, #V×3 each, and their normals. */
  draw(
    surfaces: readonly { positions: Float32Array; normals: Float32Array }[],
    film: Film,
    turn: readonly number[],
  ): void;
}

/** Buffers, program and camera of one canvas. */
function createFilmScene(
  canvas: HTMLCanvasElement,
  data: EncodedFilms,
  decode: (text: string) => ArrayBuffer,
): FilmScene | undefined {
  const gl = canvas.getContext('webgl', { antialias: true, alpha: true, preserveDrawingBuffer: true });
  if (!gl?.getExtension('OES_element_index_uint')) return undefined;
  const program = gl.createProgram()!;
  const add = (kind: number, text: string): void => {
    const shader = gl.createShader(kind)!;
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  };
  add(
    gl.VERTEX_SHADER,
    'attribute vec3 p,n;attribute vec2 t;uniform mat4 m;uniform mat3 r;varying vec3 vn;varying vec2 vt;void main(){vn=r*n;vt=t;gl_Position=m*vec4(p,1.);}',
  );
  add(
    gl.FRAGMENT_SHADER,
    'precision mediump float;varying vec3 vn;varying vec2 vt;uniform vec4 c;uniform sampler2D s;uniform float h;void main(){vec3 n=normalize(vn)*(gl_FrontFacing?1.:-1.);vec3 b=h>.5?pow(texture2D(s,vt).rgb,vec3(2.2))*c.rgb:c.rgb;float k=max(0.,(dot(n,normalize(vec3(-.5,.7,.6)))+.2)/1.2);vec3 l=b*(vec3(.95,.9,.85)*k+mix(vec3(.2,.18,.17),vec3(.38,.4,.45),.5+.5*n.y));gl_FragColor=vec4(pow(l,vec3(1./2.2)),1.);}',
  );
  gl.linkProgram(program);
  gl.useProgram(program);
  gl.enable(gl.DEPTH_TEST);
  const places = ['p', 'n', 't'].map((name) => gl.getAttribLocation(program, name));
  const uniform = (name: string) => gl.getUniformLocation(program, name);
  const textures = data.textures.map((source) => {
    const texture = gl.createTexture();
    const image = new Image();
    image.onload = () => {
      gl.bindTexture(gl.TEXTURE_2D, texture);
      // WebGL 1 repeats and blurs only sizes that are powers of two.
      const square = document.createElement('canvas');
      square.width = square.height = 1024;
      square.getContext('2d')!.drawImage(image, 0, 0, 1024, 1024);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, square);
      gl.generateMipmap(gl.TEXTURE_2D);
      canvas.dispatchEvent(new Event('redraw'));
    };
    image.src = source;
    return { texture, image };
  });
  const buffer = (kind: number, values: BufferSource): WebGLBuffer => {
    const one = gl.createBuffer();
    gl.bindBuffer(kind, one);
    gl.bufferData(kind, values, gl.STATIC_DRAW);
    return one;
  };
  const whole = { welded: '', triangles: data.triangles, color: [0.75, 0.5, 0.36, 1] };
  const parts = (data.parts.length > 0 ? data.parts : [whole]).map((part) => {
    const triangles = new Uint32Array(decode(part.triangles));
    const welded = part.welded
      ? new Uint32Array(decode(part.welded))
      : Uint32Array.from({ length: data.vertexCount }, (_, v) => v);
    const index = buffer(gl.ELEMENT_ARRAY_BUFFER, triangles);
    const uv = 'uv' in part && part.uv ? buffer(gl.ARRAY_BUFFER, decode(part.uv)) : undefined;
    const texture = 'texture' in part && part.texture !== undefined ? textures[part.texture] : undefined;
    return {
      welded,
      index,
      uv,
      texture,
      count: triangles.length,
      color: part.color,
      arrays: [gl.createBuffer(), gl.createBuffer()],
    };
  });
  return {
    draw(surfaces, film, turn) {
      const [width, height] = [
        (canvas.width = canvas.clientWidth * devicePixelRatio),
        (canvas.height = canvas.clientHeight * devicePixelRatio),
      ];
      const { matrix, rotation } = placeFilmCamera(film, width / 2 / height, turn);
      gl.uniformMatrix4fv(uniform('m'), false, matrix);
      gl.uniformMatrix3fv(uniform('r'), false, rotation);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      surfaces.forEach((surface, side) => {
        gl.viewport((side * width) / 2, 0, width / 2, height);
        for (const part of parts) {
          [surface.positions, surface.normals].forEach((values, i) => {
            const own = new Float32Array(3 * part.welded.length);
            part.welded.forEach((v, k) => {
              own.set(values.subarray(3 * v, 3 * v + 3), 3 * k);
            });
            gl.bindBuffer(gl.ARRAY_BUFFER, part.arrays[i]!);
            gl.bufferData(gl.ARRAY_BUFFER, own, gl.STREAM_DRAW);
            gl.enableVertexAttribArray(places[i]!);
            gl.vertexAttribPointer(places[i]!, 3, gl.FLOAT, false, 0, 0);
          });
          if (part.uv) {
            gl.bindBuffer(gl.ARRAY_BUFFER, part.uv);
            gl.enableVertexAttribArray(places[2]!);
            gl.vertexAttribPointer(places[2]!, 2, gl.FLOAT, false, 0, 0);
          } else if (places[2]! >= 0) gl.disableVertexAttribArray(places[2]!);
          const isMapped = part.uv && part.texture?.image.complete;
          if (isMapped) gl.bindTexture(gl.TEXTURE_2D, part.texture!.texture);
          gl.uniform1f(uniform('h'), isMapped ? 1 : 0);
          gl.uniform4fv(uniform('c'), part.color);
          gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, part.index);
          gl.drawElements(gl.TRIANGLES, part.count, gl.UNSIGNED_INT, 0);
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

/** Positions and normals of a film at any moment, both ways: between two frames, in a straight line. */
function createFilmFrames(data: EncodedFilms, film: Film, decode: (text: string) => ArrayBuffer) {
  const places = new Uint16Array(decode(film.skinned));
  const moved = new Int8Array(decode(film.moved));
  const triangles = new Uint32Array(decode(data.triangles));
  const n = 3 * data.vertexCount;
  const surfaces = [0, 1].map(() => ({ positions: new Float32Array(n), normals: new Float32Array(n) }));
  return (time: number) => {
    let f = 0;
    while (f + 2 < film.times.length && film.times[f + 1]! < time) f++;
    const [t0, t1] = [film.times[f]!, film.times[f + 1] ?? film.times[f]!];
    const share = t1 > t0 ? Math.max(0, Math.min(1, (time - t0) / (t1 - t0))) : 0;
    const next = t1 > t0 ? n : 0;
    surfaces.forEach(({ positions, normals }, side) => {
      for (let i = 0, at = n * f; i < n; i++, at++) {
        const place = film.low[i % 3]! + film.step * (places[at]! + share * (places[at + next]! - places[at]!));
        positions[i] = place + side * film.reach * (moved[at]! + share * (moved[at + next]! - moved[at]!));
      }
      normals.fill(0);
      for (let t = 0; t < triangles.length; t += 3) {
        const [a, b, c] = [3 * triangles[t]!, 3 * triangles[t + 1]!, 3 * triangles[t + 2]!];
        for (let r = 0; r < 3; r++) {
          const [j, k] = [(r + 1) % 3, (r + 2) % 3];
          const area =
            (positions[b + j]! - positions[a + j]!) * (positions[c + k]! - positions[a + k]!) -
            (positions[b + k]! - positions[a + k]!) * (positions[c + j]! - positions[a + j]!);
          for (const v of [a, b, c]) normals[v + r]! += area;
        }
      }
    });
    return surfaces;
  };
}

/** Gives every `.player` of the page its film: play, scrub, turn, zoom. Where there is no WebGL the pictures stay. */
function playFilms(): void {
  const data = JSON.parse(document.getElementById('isoskin-films')!.textContent!) as EncodedFilms;
  const decode = (text: string): ArrayBuffer => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;
  for (const player of document.querySelectorAll<HTMLElement>('.player')) {
    const film = data.films[Number(player.dataset.film)]!;
    const canvas = player.querySelector('canvas')!;
    const slider = player.querySelector('input')!;
    const button = player.querySelector('button')!;
    const label = player.querySelector('output')!;
    const scene = createFilmScene(canvas, data, decode);
    if (!scene) continue;
    player.hidden = false;
    const frameAt = createFilmFrames(data, film, decode);
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
