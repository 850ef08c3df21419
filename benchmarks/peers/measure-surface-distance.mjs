/**
 * How far a surface is from the truth's vertices: √(Σ A d² / Σ A) over the vertices within two radii of a bending joint.
 *
 * d  distance of a truth's vertex to the nearest triangle;  A  its area at rest.
 */
import { createNearestPoint, measureNearestPoint } from '../../packages/core/dist/contact/measure-nearest-point.js';
import { planBvh, refitBvh } from '../../packages/core/dist/mesh.js';

const NEAR = 2;

export function measureSurfaceDistance({ triangles, positions: start }, joints, rest, truthTriangles) {
  const areas = new Float64Array(rest.length / 3);
  for (let t = 0; t < truthTriangles.length; t += 3) {
    const [i, j, l] = [truthTriangles[t], truthTriangles[t + 1], truthTriangles[t + 2]];
    const u = [0, 1, 2].map((r) => rest[3 * j + r] - rest[3 * i + r]);
    const v = [0, 1, 2].map((r) => rest[3 * l + r] - rest[3 * i + r]);
    const area = Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 6;
    for (const k of [i, j, l]) areas[k] += area;
  }
  const bends = joints.slice(1, -1);
  const isNear = (k) => bends.some(({ head }) => Math.abs(rest[3 * k + 2] - head[2]) < NEAR);
  const bvh = planBvh(triangles, start);
  const nearest = createNearestPoint();
  return (positions, truth) => {
    refitBvh(bvh, positions);
    let [sum, whole] = [0, 0];
    for (let k = 0; k < areas.length; k++) {
      if (!isNear(k)) continue;
      measureNearestPoint(nearest, bvh, positions, truth[3 * k], truth[3 * k + 1], truth[3 * k + 2]);
      sum += areas[k] * nearest.distance ** 2;
      whole += areas[k];
    }
    return Math.sqrt(sum / whole);
  };
}
