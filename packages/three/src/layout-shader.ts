/** The work of `applyMeshLayout` and `moveArrays` as WGSL: welded surface → positions, normals and tangents of one mesh. */

/** Vertices of one workgroup. */
export const GROUP = 64;

/** Numbers of the uniform block: body → mesh (4 columns), its cofactors (3 columns), vertex count. */
export const UNIFORM_LENGTH = 16 + 12 + 4;

export const layoutShader = (hasNormal: boolean, hasTangent: boolean) => /* wgsl */ `
struct Mesh { space: mat4x4f, across: mat3x3f, count: vec4u };
@group(0) @binding(0) var<uniform> mesh: Mesh;
@group(0) @binding(1) var<storage, read> vertices: array<vec2u>; // welded vertex, neighbour
@group(0) @binding(2) var<storage, read> points: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> position: array<vec4f>;
${
  hasNormal || hasTangent
    ? /* wgsl */ `
@group(0) @binding(4) var<storage, read> normals: array<vec4f>;
@group(0) @binding(5) var<storage, read> frames: array<vec4f>; // a b c of the normals, then of the tangents
${hasNormal ? '@group(0) @binding(6) var<storage, read_write> normal: array<vec4f>;' : ''}
${hasTangent ? '@group(0) @binding(7) var<storage, read_write> tangent: array<vec4f>;' : ''}`
    : ''
}
@compute @workgroup_size(${GROUP})
fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i >= mesh.count.x) { return; }
  let vertex = vertices[i];
  let point = points[vertex.x].xyz;
  position[i] = mesh.space * vec4f(point, 1.0);
${
  hasNormal || hasTangent
    ? /* wgsl */ `
  let n = normals[vertex.x].xyz;
  var t = points[vertex.y].xyz - point;
  t -= dot(t, n) * n;
  let length2 = dot(t, t);
  t *= select(0.0, inverseSqrt(length2), length2 > 0.0);
  let turn = mat3x3f(n, t, cross(n, t));
${hasNormal ? 'normal[i] = vec4f(normalize(mesh.across * (turn * frames[i].xyz)), 0.0);' : ''}
${
  hasTangent
    ? /* wgsl */ `
  let frame = frames[${hasNormal ? 'mesh.count.x + i' : 'i'}];
  let linear = mat3x3f(mesh.space[0].xyz, mesh.space[1].xyz, mesh.space[2].xyz);
  tangent[i] = vec4f(normalize(linear * (turn * frame.xyz)), frame.w);`
    : ''
}`
    : ''
}
}
`;
