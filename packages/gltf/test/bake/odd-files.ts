/** Edits of a skinned .glb that give it unusual content: what files of the world have, in small. */
import { expect } from 'vitest';
import type { GlbEdit } from '../edit-glb.js';
import type { Loose } from '../model-builder.js';

const skinnedNode = (json: Loose) => json.nodes.findIndex((node: Loose) => node.skin !== undefined);
const declare = (json: Loose, ...names: string[]) => (json.extensionsUsed ??= []).push(...names);

export interface Odd {
  readonly edit: (edit: GlbEdit) => void;
  /** Paths of the JSON that a bake of this file changes beside those that every bake does; and those of them that it does not. */
  readonly more?: readonly string[];
  readonly less?: readonly string[];
  /** Looks at the JSON of the result. */
  readonly check?: (json: Loose) => void;
}

const pixel = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4////fwAJ+wP9KobjigAAAABJRU5ErkJggg=='),
  (c) => c.charCodeAt(0),
);

export const ODD_FILES: Readonly<Record<string, Odd>> = {
  'VRM 1.0: unknown extensions at the root, on nodes and materials': {
    edit: ({ json }) => {
      declare(json, 'VRMC_vrm', 'VRMC_springBone', 'VRMC_node_constraint', 'VRMC_materials_mtoon');
      json.extensions = {
        VRMC_vrm: { specVersion: '1.0', humanoid: { humanBones: { hips: { node: 0 } } }, expressions: { preset: {} } },
        VRMC_springBone: { specVersion: '1.0', springs: [{ joints: [{ node: 1, stiffness: 1e-6 }] }] },
      };
      json.nodes[1].extensions = { VRMC_node_constraint: { constraint: { roll: { source: 0, weight: 1 } } } };
      json.materials = [{ name: 'skin', extensions: { VRMC_materials_mtoon: { shadeColorFactor: [0.1, 0.2, 0.3] } } }];
      json.meshes[0].primitives[0].material = 0;
    },
  },
  'VRM 0.x: required by nothing, extras everywhere': {
    edit: ({ json }) => {
      declare(json, 'VRM');
      json.extensions = { VRM: { blendShapeMaster: { blendShapeGroups: [{ binds: [{ mesh: 0, index: 0 }] }] } } };
      json.extras = { __proto: 1, deep: [{ a: [null, 'ä', 1e-300] }] };
      json.asset = { ...json.asset, minVersion: '2.0', copyright: '©', extras: { tool: 'x' } };
      for (const list of ['nodes', 'skins', 'scenes', 'animations', 'accessors', 'bufferViews', 'buffers'])
        for (const entry of json[list]) entry.extras = { list };
    },
  },
  KHR_animation_pointer: {
    edit: ({ json, add }) => {
      declare(json, 'KHR_animation_pointer');
      json.materials = [{ name: 'glow', pbrMetallicRoughness: { roughnessFactor: 0.5 } }];
      json.meshes[0].primitives[0].material = 0;
      const input = add('SCALAR', Float32Array.of(0, 1), { min: [0], max: [1] });
      const sampler = json.animations[0].samplers.push({ input, output: add('SCALAR', Float32Array.of(0, 1)) }) - 1;
      const pointer = '/materials/0/pbrMetallicRoughness/roughnessFactor';
      const target = { path: 'pointer', extensions: { KHR_animation_pointer: { pointer } } };
      json.animations[0].channels.push({ sampler, target });
    },
  },
  'variants and lights': {
    edit: ({ json }) => {
      declare(json, 'KHR_materials_variants', 'KHR_lights_punctual');
      json.materials = [{ name: 'a' }, { name: 'b', emissiveFactor: [0.1, 0.2, 0.3] }];
      json.extensions = {
        KHR_materials_variants: { variants: [{ name: 'day' }, { name: 'night' }] },
        KHR_lights_punctual: { lights: [{ type: 'point', intensity: 0.3, extras: { keep: true } }] },
      };
      json.meshes[0].primitives[0].material = 0;
      const mappings = [{ material: 1, variants: [1] }];
      json.meshes[0].primitives[0].extensions = { KHR_materials_variants: { mappings } };
      json.nodes.push({ name: 'lamp', extensions: { KHR_lights_punctual: { light: 0 } } });
      json.scenes[0].nodes.push(json.nodes.length - 1);
    },
  },
  'instances of a rigid mesh, and levels of detail': {
    edit: ({ json, add }) => {
      declare(json, 'EXT_mesh_gpu_instancing', 'MSFT_lod');
      const { POSITION } = json.meshes[0].primitives[0].attributes;
      json.meshes.push({ name: 'stone', primitives: [{ attributes: { POSITION } }] });
      const TRANSLATION = add('VEC3', Float32Array.of(0, 0, 0, 1, 0, 0));
      const extensions = { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION } }, MSFT_lod: { ids: [1] } };
      json.nodes.push({ name: 'stones', mesh: json.meshes.length - 1, extensions });
      json.scenes[0].nodes.push(json.nodes.length - 1);
    },
  },
  'XMP, and textures and samplers with names': {
    edit: ({ json, view }) => {
      declare(json, 'KHR_xmp_json_ld');
      json.extensions = { KHR_xmp_json_ld: { packets: [{ '@context': { dc: 'x' }, 'dc:title': 'Tube' }] } };
      json.asset.extensions = { KHR_xmp_json_ld: { packet: 0 } };
      json.images = [{ bufferView: view(pixel), mimeType: 'image/png', name: 'Image', extras: { i: 1 } }];
      json.samplers = [{ name: 'Sampler', wrapS: 33071, extras: { s: 1 } }, { name: 'unused' }];
      json.textures = [{ source: 0, sampler: 0, name: 'Texture', extras: { t: 1 } }];
      json.materials = [{ normalTexture: { index: 0, scale: 1, texCoord: 0 } }];
    },
  },
  'an infinite camera, and transforms next to nothing': {
    edit: ({ json }) => {
      json.cameras = [{ type: 'perspective', perspective: { yfov: 1, znear: 0.1 }, name: 'far' }];
      json.nodes.push({ camera: 0, translation: [1e-7, 0, 0], rotation: [1e-6, 0, 0, 1], scale: [1, 1, 1.000001] });
      json.nodes.push({ name: 'plain', matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1e-9, 1] });
      json.scenes[0].nodes.push(json.nodes.length - 2, json.nodes.length - 1);
    },
  },
  'several scenes, none of them the default': {
    edit: ({ json }) => {
      json.scenes.push({ name: 'other', nodes: [skinnedNode(json)], extras: { o: 1 } }, { name: 'empty' });
      delete json.scene;
    },
  },
  'sparse, normalised targets that a clip drives': {
    edit: ({ json, add, view }) => {
      declare(json, 'KHR_mesh_quantization');
      json.extensionsRequired = ['KHR_mesh_quantization'];
      const [primitive] = json.meshes[0].primitives;
      const { count } = json.accessors[primitive.attributes.POSITION];
      const values = view(Int16Array.of(1638, 0, 0, 0, 819, 0));
      const sparse = {
        count: 2,
        indices: { bufferView: view(Uint8Array.of(4, 7)), componentType: 5121 },
        values: { bufferView: values },
      };
      const range = { min: [0, 0, 0], max: [1638, 819, 0] };
      const POSITION =
        json.accessors.push({ componentType: 5122, normalized: true, count, type: 'VEC3', sparse, ...range }) - 1;
      primitive.targets = [{ POSITION }];
      json.meshes[0].weights = [0.5];
      const input = add('SCALAR', Float32Array.of(0, 1), { min: [0], max: [1] });
      const sampler = json.animations[0].samplers.push({ input, output: add('SCALAR', Float32Array.of(0, 1)) }) - 1;
      json.animations[0].channels.push({ sampler, target: { node: skinnedNode(json), path: 'weights' } });
    },
    // One channel drives the old target and the new ones.
    more: [
      '+animations[0].samplers[1].interpolation',
      '+meshes[0].primitives[0].targets[0].NORMAL',
      '+meshes[0].primitives[0].targets[]',
      '+meshes[0].weights[]',
      '~animations[0].samplers[1].input',
      '~animations[0].samplers[1].output',
    ],
    less: [
      '+animations[0].channels[]',
      '+animations[0].samplers[]',
      '+meshes[0].primitives[0].targets',
      '+meshes[0].weights',
    ],
  },
  'interleaved vertices and a sampler that two channels share': {
    edit: ({ json, view, floats, add }) => {
      const { attributes } = json.meshes[0].primitives[0];
      const { count } = json.accessors[attributes.POSITION];
      const [positions, normals] = [floats(attributes.POSITION), floats(attributes.NORMAL)];
      const mixed = Float32Array.from({ length: 6 * count }, (_, i) => {
        const [v, k] = [Math.floor(i / 6), i % 6];
        return k < 3 ? positions[3 * v + k]! : normals[3 * v + k - 3]!;
      });
      const bufferView = view(mixed);
      json.bufferViews[bufferView].byteStride = 24;
      json.bufferViews[bufferView].target = 34962;
      Object.assign(json.accessors[attributes.POSITION], { bufferView, byteOffset: 0 });
      Object.assign(json.accessors[attributes.NORMAL], { bufferView, byteOffset: 12 });
      const input = add('SCALAR', Float32Array.of(0, 1), { min: [0], max: [1] });
      const output = add('VEC3', Float32Array.of(1, 1, 1, 1, 1, 1));
      const sampler = json.animations[0].samplers.push({ input, output }) - 1;
      json.nodes.push({ name: 'left' }, { name: 'right' });
      for (const node of [json.nodes.length - 2, json.nodes.length - 1]) {
        json.scenes[0].nodes.push(node);
        json.animations[0].channels.push({ sampler, target: { node, path: 'translation' } });
      }
    },
  },
  'required extensions that nobody knows, on a scene, a node, a material and an animation': {
    edit: ({ json }) => {
      declare(json, 'ACME_weather', 'ACME_mood');
      json.extensionsRequired = ['ACME_weather', 'ACME_mood'];
      json.scenes[0].extensions = { ACME_weather: { rain: true } };
      json.materials = [{ extensions: { ACME_mood: { wet: 0.3 } }, extras: 7 }];
      json.meshes[0].primitives[0].material = 0;
      for (const entry of [json.nodes[0], json.animations[0]]) entry.extensions = { ACME_mood: { calm: 1 } };
    },
  },
  'unknown extensions and extras on everything': {
    edit: ({ json }) => {
      declare(json, 'ACME_tag');
      json.materials = [{ pbrMetallicRoughness: { extras: { m: 1 } } }];
      const [mesh, animation] = [json.meshes[0], json.animations[0]];
      mesh.primitives[0].material = 0;
      const lists = ['scenes', 'nodes', 'skins', 'materials', 'animations', 'meshes', 'accessors', 'bufferViews'];
      const all = [json, json.asset, mesh.primitives[0], animation.channels[0], animation.samplers[0]];
      for (const entry of [...all, animation.channels[0].target, ...lists.flatMap((list) => json[list])]) {
        entry.extensions = { ACME_tag: { id: 5, nested: { list: [1, [2], null] } } };
        entry.extras = { note: 'ours', isoskinny: true };
      }
    },
    more: ['+meshes[0].extras.isoskin', '+meshes[0].extras.targetNames', '+meshes[0].primitives[0].extras.isoskin'],
    less: ['+meshes[0].extras', '+meshes[0].primitives[0].extras'],
  },
  'extras that are no objects have no room for ours, and stay': {
    edit: ({ json }) => {
      json.meshes[0].extras = ['a', { b: 1 }];
      json.meshes[0].primitives[0].extras = 'text';
      json.nodes[0].extras = 0;
    },
    less: ['+meshes[0].extras', '+meshes[0].primitives[0].extras'],
  },
  'KHR_interactivity: graphs that point at nodes, weights and animations': {
    edit: ({ json }) => {
      declare(json, 'KHR_interactivity', 'KHR_node_selectability');
      const nodes = [{ declaration: 0, configuration: { pointer: { value: ['/nodes/1/rotation'] } } }];
      const declarations = [{ op: 'pointer/set' }, { op: 'animation/start' }];
      json.extensions = {
        KHR_interactivity: { graph: 0, graphs: [{ types: [{ signature: 'float4' }], declarations, nodes }] },
      };
      json.nodes[1].extensions = { KHR_node_selectability: { selectable: false } };
    },
  },
  'VRM 0.x with pointers: a mesh that two nodes show is copied, and named wherever the first is': {
    edit: ({ json, add }) => {
      declare(json, 'VRM', 'KHR_animation_pointer', 'MSFT_lod');
      const [primitive] = json.meshes[0].primitives;
      const { count } = json.accessors[primitive.attributes.POSITION];
      const range = { min: [0, 0, 0], max: [0.01, 0.01, 0.01] };
      const deltas = new Float32Array(3 * count).fill(0.01, 3);
      primitive.targets = [{ POSITION: add('VEC3', deltas, range) }];
      json.meshes[0].weights = [0];
      const node = skinnedNode(json);
      json.nodes.push({ ...json.nodes[node], name: 'twin' });
      json.nodes[node].extensions = { MSFT_lod: { ids: [json.nodes.length - 1] } };
      json.scenes[0].nodes.push(json.nodes.length - 1);
      json.extensions = {
        VRM: {
          blendShapeMaster: { blendShapeGroups: [{ name: 'Joy', binds: [{ mesh: 0, index: 0, weight: 100 }] }] },
          firstPerson: { meshAnnotations: [{ mesh: 0, firstPersonFlag: 'Auto' }] },
        },
      };
      const input = add('SCALAR', Float32Array.of(0, 1), { min: [0], max: [1] });
      const output = add('SCALAR', Float32Array.of(0, 0.01));
      const sampler = json.animations[0].samplers.push({ input, output }) - 1;
      const target = { path: 'pointer', extensions: { KHR_animation_pointer: { pointer: '/meshes/0/weights/0' } } };
      json.animations[0].channels.push({ sampler, target });
    },
    more: [
      '+extensions.VRM.blendShapeMaster.blendShapeGroups[0].binds[]',
      '+extensions.VRM.firstPerson.meshAnnotations[]',
      '+meshes[0].primitives[0].targets[0].NORMAL',
      '+meshes[0].primitives[0].targets[]',
      '+meshes[0].weights[]',
      '+meshes[]',
      '~nodes[3].mesh',
    ],
    less: ['+meshes[0].primitives[0].targets', '+meshes[0].weights'],
    check: (json) => {
      const { blendShapeMaster, firstPerson } = json.extensions.VRM;
      const copy = { mesh: 1, index: 0, weight: 100 };
      expect(blendShapeMaster.blendShapeGroups[0].binds).toEqual([{ ...copy, mesh: 0 }, copy]);
      expect(firstPerson.meshAnnotations.map(({ mesh }: Loose) => mesh)).toEqual([0, 1]);
      const pointers = json.animations[0].channels.map(
        ({ target }: Loose) => target.extensions?.KHR_animation_pointer.pointer,
      );
      expect(pointers).toEqual(expect.arrayContaining(['/meshes/0/weights/0', '/meshes/1/weights/0']));
    },
  },
};
