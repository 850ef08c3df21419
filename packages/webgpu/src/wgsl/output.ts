/** Bytes per vertex of an output buffer: vec4 (w = 1 for points, 0 for normals) or tightly packed. */
export type OutputStride = 12 | 16;
/** `packed`: points as vec4, normals as a word each (an octahedron, signed 16 bit each way), in the order of the GPU. */
export type OutputLayout = OutputStride | 'packed';

/** `write(index, vector)` into `output`, and its type. */
export function describeOutput(layout: OutputLayout, kind: 'points' | 'normals'): { type: string; write: string } {
  if (layout === 12) {
    return {
      type: 'f32',
      write: /* wgsl */ `
fn write(index: u32, v: vec3f) { output[3u * index] = v.x; output[3u * index + 1u] = v.y; output[3u * index + 2u] = v.z; }`,
    };
  }
  if (layout === 'packed' && kind === 'normals') {
    return {
      type: 'u32',
      write: /* wgsl */ `
fn write(index: u32, v: vec3f) {
  let flat = v.xy / max(abs(v.x) + abs(v.y) + abs(v.z), 1e-30);
  let folded = (1.0 - abs(flat.yx)) * select(vec2f(-1.0), vec2f(1.0), flat >= vec2f());
  output[index] = pack2x16snorm(select(flat, folded, v.z < 0.0));
}`,
    };
  }
  const w = kind === 'points' ? '1.0' : '0.0';
  return { type: 'vec4f', write: `fn write(index: u32, v: vec3f) { output[index] = vec4f(v, ${w}); }` };
}

/** Where a vertex stands in the output: in the order of the character, or of the GPU, where padding is written as well. */
export const writeVertex = (layout: OutputLayout, source: string, value: string) =>
  layout === 'packed'
    ? `write(instance * shape.vertexCount + vertex, ${value});`
    : `if (${source} != NO_SOURCE) { write(instance * shape.sourceCount + ${source}, ${value}); }`;
