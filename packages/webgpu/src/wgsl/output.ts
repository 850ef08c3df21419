/** Bytes per vertex of an output buffer: vec4 (w = 1 for points, 0 for normals) or tightly packed. */
export type OutputStride = 12 | 16;

/** `write(index, vector)` into `output`. */
export const writeOutput = (stride: OutputStride, w: string) => /* wgsl */ `
fn write(index: u32, v: vec3f) {
  ${stride === 16 ? `output[index] = vec4f(v, ${w});` : 'output[3u * index] = v.x; output[3u * index + 1u] = v.y; output[3u * index + 2u] = v.z;'}
}
`;
