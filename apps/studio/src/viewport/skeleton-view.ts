/** The bones as slender octahedra from joint to joint, and a bead on every joint; seen through the skin. */
import {
  Color,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  OctahedronGeometry,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three';
import type { JointFacts } from '../engine/protocol.js';

export type SkeletonView = ReturnType<typeof createSkeletonView>;

const UP = new Vector3(0, 1, 0);
const PLAIN = new Color(0.62, 0.74, 0.9);
const CHOSEN = new Color(0.98, 0.62, 0.26);

export function createSkeletonView(joints: readonly JointFacts[], size: number) {
  const group = new Group();
  const bone = new OctahedronGeometry(1, 0).translate(0, 1, 0).scale(1, 0.5, 1); // from 0 to 1 along y
  const material = () =>
    new MeshBasicMaterial({ transparent: true, opacity: 0.75, depthTest: false, depthWrite: false });
  const count = Math.max(1, joints.length);
  const bones = new InstancedMesh(bone, material(), count);
  const beads = new InstancedMesh(new SphereGeometry(1, 12, 8), material(), count);
  for (const mesh of [bones, beads]) {
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.renderOrder = 5;
    group.add(mesh);
  }
  const places = new Map<number, Vector3>(joints.map(({ node }) => [node, new Vector3()]));
  const matrix = new Matrix4();
  const turn = new Quaternion();
  const along = new Vector3();
  const scale = new Vector3();
  let chosen = -1;

  const paint = () => {
    joints.forEach(({ node, parent }, i) => {
      beads.setColorAt(i, node === chosen ? CHOSEN : PLAIN);
      bones.setColorAt(i, parent === chosen && chosen >= 0 ? CHOSEN : PLAIN);
    });
    for (const mesh of [bones, beads]) if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
  };
  paint();

  return {
    group,
    /** @param nodes world matrices, #N×16 */
    move(nodes: Float32Array): void {
      for (const [node, place] of places) place.fromArray(nodes, 16 * node + 12);
      joints.forEach(({ node, parent }, i) => {
        const place = places.get(node)!;
        beads.setMatrixAt(
          i,
          matrix.compose(place, turn.identity(), scale.setScalar(size * (node === chosen ? 0.012 : 0.008))),
        );
        const from = places.get(parent);
        const length = from ? along.subVectors(place, from).length() : 0;
        if (from && length > 0) {
          turn.setFromUnitVectors(UP, along.divideScalar(length));
          const width = Math.min(0.09 * length, 0.014 * size);
          bones.setMatrixAt(i, matrix.compose(from, turn, scale.set(width, length, width)));
        } else bones.setMatrixAt(i, matrix.makeScale(0, 0, 0));
      });
      bones.instanceMatrix.needsUpdate = true;
      beads.instanceMatrix.needsUpdate = true;
    },
    select(node: number): void {
      chosen = node;
      paint();
    },
    /** Where a joint is. */
    place: (out: Vector3, node: number): Vector3 => out.copy(places.get(node) ?? out.set(0, 0, 0)),
    dispose(): void {
      bones.dispose();
      beads.dispose();
      bone.dispose();
    },
  };
}
