/**
 * Makes our own hero a VRM avatar: humanoid map, two expressions on morph targets and one on a colour, spring bones with a collider,
 * MToon. It is what the tests of VRM files bake, as no licence lets us keep somebody else's.
 *
 * node scripts/make-vrm.mjs 1.0|0.x hero.vrm
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createDemo } from '@isoskin/demos';
import { addTargets, readCharacterFromBytes, writeCharacter, writeGlb } from '@isoskin/gltf';

/** Bone of VRM → joint of the hero; `S` is L or R. */
const BODY = { hips: 'pelvis', spine: 'spine.1', chest: 'spine.2', upperChest: 'chest', neck: 'neck', head: 'head' };
const SIDE = {
  Shoulder: 'clavicle.S',
  UpperArm: 'arm.S.1',
  LowerArm: 'arm.S.2',
  Hand: 'arm.S.3',
  UpperLeg: 'leg.S.1',
  LowerLeg: 'leg.S.2',
  Foot: 'leg.S.3',
  Toes: 'leg.S.4',
};
/** Chains that swing. */
const SPRINGS = [
  ['thumb.L.1', 'thumb.L.tip'],
  ['thumb.R.1', 'thumb.R.tip'],
];

const LOOK = { curve: [0, 0, 0, 1, 1, 1, 1, 0], xRange: 90, yRange: 1 };

/** Morph targets, at the corners of the mouth and on the eyes: every vertex within `radius` of `at` moves by `by`, less towards the rim. */
const SMILE = [
  { at: [0.024, 1.7, 0.08], radius: 0.045, by: [0.012, 0.012, 0] },
  { at: [-0.024, 1.7, 0.08], radius: 0.045, by: [-0.012, 0.012, 0] },
];
const BLINK = [
  { at: [0.031, 1.772, 0.08], radius: 0.035, by: [0, -0.008, 0.003] },
  { at: [-0.031, 1.772, 0.08], radius: 0.035, by: [0, -0.008, 0.003] },
];

/** @param options of the demo: `vertices`. */
export async function makeVrm(version, options = {}) {
  const hero = createDemo('hero', options);
  const glb = await writeCharacter(hero, { colours: [[0.8, 0.55, 0.45]] });
  const { file } = await readCharacterFromBytes(glb);
  const { json } = file;
  const nodeOf = (name) => json.nodes.findIndex((node) => node.name === name);
  const meshNode = json.nodes.findIndex(({ mesh }) => mesh !== undefined);
  const { positions } = hero.surface;
  const targets = [
    { name: 'smile', positions: { deltas: bump(positions, SMILE) } },
    { name: 'blink', positions: { deltas: bump(positions, BLINK) } },
  ];
  addTargets(file, [{ meshIndex: json.nodes[meshNode].mesh, primitiveIndex: 0, targets }]);
  const humanoid = [
    ...Object.entries(BODY).map(([bone, joint]) => [bone, nodeOf(joint)]),
    ...['left', 'right'].flatMap((side) =>
      Object.entries(SIDE).map(([bone, joint]) => [side + bone, nodeOf(joint.replace('S', side[0].toUpperCase()))]),
    ),
  ];
  const springs = SPRINGS.map((chain) => chain.map(nodeOf));
  const parts = { json, humanoid, springs, meshNode, head: nodeOf('head'), hand: nodeOf('arm.L.3') };
  if (version === '0.x') addVrm0(parts);
  else addVrm1(parts);
  return writeGlb(file);
}

function bump(positions, bumps) {
  const deltas = new Float32Array(positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    for (const { at, radius, by } of bumps) {
      const distance = Math.hypot(positions[i] - at[0], positions[i + 1] - at[1], positions[i + 2] - at[2]);
      const share = Math.max(0, 1 - (distance / radius) ** 2) ** 2;
      for (let k = 0; k < 3; k++) deltas[i + k] += share * by[k];
    }
  }
  return deltas;
}

function addVrm1({ json, humanoid, springs, meshNode, head, hand }) {
  const morph = (index) => ({ morphTargetBinds: [{ node: meshNode, index, weight: 1 }] });
  json.extensionsUsed = ['VRMC_vrm', 'VRMC_springBone', 'VRMC_materials_mtoon'];
  json.extensions = {
    VRMC_vrm: {
      specVersion: '1.0',
      meta: {
        name: 'hero',
        version: '1',
        authors: ['isoskin'],
        licenseUrl: 'https://vrm.dev/licenses/1.0/',
        avatarPermission: 'everyone',
      },
      humanoid: { humanBones: Object.fromEntries(humanoid.map(([bone, node]) => [bone, { node }])) },
      firstPerson: { meshAnnotations: [{ node: meshNode, type: 'auto' }] },
      lookAt: {
        offsetFromHeadBone: [0, 0.08, 0.1],
        type: 'expression',
        rangeMapHorizontalInner: { inputMaxValue: 90, outputScale: 1 },
        rangeMapHorizontalOuter: { inputMaxValue: 90, outputScale: 1 },
        rangeMapVerticalDown: { inputMaxValue: 90, outputScale: 1 },
        rangeMapVerticalUp: { inputMaxValue: 90, outputScale: 1 },
      },
      expressions: {
        preset: { happy: morph(0), blink: morph(1) },
        custom: {
          blush: { materialColorBinds: [{ material: 0, type: 'color', targetValue: [1, 0.4, 0.4, 1] }] },
        },
      },
    },
    VRMC_springBone: {
      specVersion: '1.0',
      colliders: [
        { node: hand, shape: { sphere: { offset: [0, 0, 0], radius: 0.04 } } },
        { node: head, shape: { capsule: { offset: [0, 0, 0], radius: 0.1, tail: [0, 0.1, 0] } } },
      ],
      colliderGroups: [{ name: 'body', colliders: [0, 1] }],
      springs: springs.map((chain, s) => ({
        name: `thumb ${s}`,
        joints: chain.map((node) => ({ node, hitRadius: 0.02, stiffness: 1, gravityPower: 0.2, dragForce: 0.4 })),
        colliderGroups: [0],
      })),
    },
  };
  json.materials[0].extensions = {
    VRMC_materials_mtoon: {
      specVersion: '1.0',
      shadeColorFactor: [0.5, 0.3, 0.3],
      shadingToonyFactor: 0.9,
      outlineWidthMode: 'worldCoordinates',
      outlineWidthFactor: 0.002,
    },
  };
}

function addVrm0({ json, humanoid, springs, meshNode, head, hand }) {
  // Avatars of VRM 0.x look along −z.
  const top = json.scenes[0].nodes;
  const body = top.filter((node) => node !== meshNode);
  json.nodes.push({ name: 'root', rotation: [0, 1, 0, 0], children: body });
  json.scenes[0].nodes = [json.nodes.length - 1, meshNode];
  const group = (name, presetName, index) => ({
    name,
    presetName,
    binds: [{ mesh: json.nodes[meshNode].mesh, index, weight: 100 }],
    materialValues: [],
    isBinary: false,
  });
  const point = (x, y, z) => ({ x, y, z });
  json.extensionsUsed = ['VRM'];
  json.extensions = {
    VRM: {
      exporterVersion: 'isoskin',
      specVersion: '0.0',
      meta: { title: 'hero', version: '1', author: 'isoskin', allowedUserName: 'Everyone', licenseName: 'CC0' },
      humanoid: { humanBones: humanoid.map(([bone, node]) => ({ bone, node, useDefaultValues: true })) },
      firstPerson: {
        firstPersonBone: head,
        firstPersonBoneOffset: point(0, 0.08, 0.1),
        meshAnnotations: [{ mesh: json.nodes[meshNode].mesh, firstPersonFlag: 'Auto' }],
        lookAtTypeName: 'BlendShape',
        lookAtHorizontalInner: LOOK,
        lookAtHorizontalOuter: LOOK,
        lookAtVerticalDown: LOOK,
        lookAtVerticalUp: LOOK,
      },
      blendShapeMaster: {
        blendShapeGroups: [
          group('Joy', 'joy', 0),
          group('Blink', 'blink', 1),
          {
            name: 'Blush',
            presetName: 'unknown',
            binds: [],
            materialValues: [{ materialName: 'hero', propertyName: '_Color', targetValue: [1, 0.4, 0.4, 1] }],
          },
        ],
      },
      secondaryAnimation: {
        boneGroups: springs.map(([node]) => ({
          comment: 'thumb',
          stiffiness: 1, // spelled so in the specification
          gravityPower: 0.2,
          gravityDir: point(0, -1, 0),
          dragForce: 0.4,
          center: -1,
          hitRadius: 0.02,
          bones: [node],
          colliderGroups: [0],
        })),
        colliderGroups: [{ node: hand, colliders: [{ offset: point(0, 0, 0), radius: 0.04 }] }],
      },
      materialProperties: [
        {
          name: 'hero',
          shader: 'VRM/MToon',
          renderQueue: 2000,
          floatProperties: { _Cutoff: 0.5, _ShadeToony: 0.9, _OutlineWidth: 0.2, _OutlineWidthMode: 1, _CullMode: 2 },
          vectorProperties: { _Color: [0.8, 0.55, 0.45, 1], _ShadeColor: [0.5, 0.3, 0.3, 1] },
          textureProperties: {},
          keywordMap: {},
          tagMap: { RenderType: 'Opaque' },
        },
      ],
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [version, output] = process.argv.slice(2);
  if (!['1.0', '0.x'].includes(version) || !output) {
    console.error('node scripts/make-vrm.mjs 1.0|0.x hero.vrm');
    process.exit(1);
  }
  writeFileSync(output, await makeVrm(version));
}
