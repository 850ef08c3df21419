/**
 * Apexes and gradients of the (region, apex) pairs (B4), one workgroup each.
 *
 *   a = Σ_k w_k x_k          h = 1/6 Σ (x_i − a) × (x_j − a)
 *
 * Needs `place(vertex, instance)`, where a vertex is in this frame: it is computed again here instead of read, so that this
 * dispatch runs beside the one that moves the vertices and nobody waits.
 */
export const apexes = /* wgsl */ `
var<workgroup> apexSums: array<vec3f, APEX_LANES>;

fn addUp(value: vec3f, lane: u32) -> vec3f {
  workgroupBarrier();
  apexSums[lane] = value;
  for (var half = APEX_LANES / 2u; half > 0u; half /= 2u) {
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

@compute @workgroup_size(APEX_LANES)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let instance = group.y;
  if (isIdle(instance)) { return; }
  let at = apexAt(instance, group.x);
  if (group.x < shape.apexCount) {
    let apex = addUp(placeApex(group.x, instance, lane, APEX_LANES), lane);
    if (lane == 0u) { apexes[at] = vec4f(apex, 0.0); }
    return;
  }
  let header = shape.apexEdges + APEX_PAIR_WORDS * (group.x - shape.apexCount);
  let to = lists[header + 1u];
  let apex = lists[header + 2u];
  var origin = vec3f();
  if (apex != NO_APEX) {
    origin = addUp(placeApex(apex, instance, lane, APEX_LANES), lane);
  } else if (lists[header] < to) {
    origin = place(lists[lists[header]], instance);
  }
  var sum = vec3f();
  for (var e = lists[header] + 2u * lane; e < to; e += 2u * APEX_LANES) {
    sum += cross(placeAny(lists[e], instance) - origin, placeAny(lists[e + 1u], instance) - origin);
  }
  let total = addUp(sum, lane) / 6.0;
  if (lane == 0u) { apexes[at] = vec4f(total, 0.0); }
}
`;
