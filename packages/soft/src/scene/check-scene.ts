/**
 * The door of a scene: says what is wrong with its JSON, in which field, and what would be right. `checkScene` first looks at every field by
 * itself (the tables below), then at what they say about each other: names, anchors, what a structure needs.
 */
import * as json from '@isoskin/core/json';
import { MOST_PARTICLES } from '../structure/fill-particles.js';
import { checkReferences } from './check-references.js';
import type { SceneSpec } from './scene-spec.js';

const { dictionary, flag, index, isRecord, list, number, oneOf, show, text, tuple } = json;
const fail: typeof json.fail = json.fail;

/** Metres; f32 in Rapier and in glTF would lose the details beyond. */
const FAR = 1e4;
/** Entries of a list that has no smaller limit of its own. */
const MOST = 20_000;
const coordinate = number(-FAR, FAR);
const vector = tuple(coordinate, 3);
const angles = tuple(number(-36_000, 36_000), 3);
const length = number(1e-4, FAR);
const mass = number(0, 1e6, true);
const time = number(0, 3600);
const color = tuple(number(0, 1), 3);
const direction: json.Check = (value, path) => {
  vector(value, path);
  if ((value as number[]).every((x) => x === 0))
    fail('A direction needs a length; give a vector other than zero.', path);
};

const name: json.Check = (value, path) => {
  text(value, path);
  const { length } = value as string;
  if (length === 0 || length > 200) fail(`Expected a name of 1 to 200 characters; found ${show(value)}.`, path);
};

/** Pairs [time, value], time ascending. */
function keys(least: number, most: number): json.Check {
  return (value, path) => {
    list(tuple(number(-1e6, 1e6), 2), 1, 10_000)(value, path);
    const pairs = value as [number, number][];
    pairs.forEach(([t, v], i) => {
      time(t, `${path}[${i}][0]`);
      number(least, most)(v, `${path}[${i}][1]`);
    });
    checkAscending(
      pairs.map(([t]) => t),
      (i) => `${path}[${i}][0]`,
    );
  };
}

const motionKeys: json.Check = (value, path) => {
  list(fields({ time, move: vector, turn: angles, straight: flag }, ['time']), 1, 10_000)(value, path);
  checkAscending(
    (value as { time: number }[]).map((key) => key.time),
    (i) => `${path}[${i}].time`,
  );
};

function checkAscending(times: readonly number[], at: (i: number) => string): void {
  for (let i = 1; i < times.length; i++) {
    if (times[i]! <= times[i - 1]!)
      fail(`Times must ascend: ${times[i]} follows ${times[i - 1]}; put the keys in order.`, at(i));
  }
}

const primitive = fields(
  {
    name,
    points: list(vector, 1, 200),
    thickness: length,
    fill: oneOf(['line', 'surface']),
    body: name,
  },
  ['name', 'points', 'thickness'],
);

const motions = list(
  fields({ primitives: list(name, 1, MOST), points: list(index, 1, MOST), pivot: vector, keys: motionKeys }, ['keys']),
  0,
  MOST,
);

const motor = fields(
  {
    angle: (value, path) => (Array.isArray(value) ? keys(-3600, 3600)(value, path) : number(-3600, 3600)(value, path)),
    stiffness: number(0, 1e6),
    damping: number(0, 1e6),
  },
  ['stiffness'],
);

const STRUCTURES: json.CheckTable = {
  kinematic: fields({ kind: text, motions }, []),
  bodies: fields(
    {
      kind: text,
      bodies: list(
        fields(
          {
            name,
            mass,
            kind: oneOf(['free', 'fixed', 'keyed']),
            keys: motionKeys,
            pivot: vector,
            velocity: tuple(number(-1000, 1000), 3),
            spin: angles,
          },
          ['name', 'mass'],
        ),
        1,
        500,
      ),
      joints: list(
        fields(
          {
            between: tuple(name, 2),
            at: vector,
            axis: direction,
            limits: tuple(number(-360, 360), 2),
            limit: number(1, 180),
            motor,
          },
          ['between', 'at'],
        ),
        0,
        1000,
      ),
    },
    ['bodies'],
  ),
  particles: fields(
    {
      kind: text,
      mass,
      spacing: length,
      thickness: length,
      stiffness: number(0, 1e7, true),
      damping: number(0, 10),
      fill: oneFieldOf({
        box: tuple(vector, 2),
        ball: fields({ centre: vector, radius: length }, ['centre', 'radius']),
        points: list(vector, 1, MOST_PARTICLES),
      }),
    },
    ['mass', 'spacing', 'fill'],
  ),
};

const structure: json.Check = (value, path) => {
  const kind = isRecord(value) ? value.kind : undefined;
  if (typeof kind !== 'string' || !Object.hasOwn(STRUCTURES, kind)) {
    const names = Object.keys(STRUCTURES).map((name) => `“${name}”`);
    fail(`A structure needs a “kind”: ${names.join(', ')}; found ${show(kind)}.`, `${path}.kind`);
  }
  STRUCTURES[kind]!(value, path);
};

const material = fields({
  reach: number(1.05, 10),
  law: oneOf(['linear', 'quadratic']),
  falloff: oneOf(['linear', 'smooth']),
  stiffness: number(0, 1e9, true),
  friction: number(0, 10),
  damping: number(0, 1),
});

const blend: json.Check = (value, path) => {
  if (Array.isArray(value)) list(tuple(name, 2), 0, MOST)(value, path);
  else oneOf(['all', 'none', 'dynamic'])(value, path);
};

const object = fields(
  {
    name,
    color,
    material,
    primitives: list(primitive, 1, MOST),
    blend,
    structure,
    targets: dictionary(keys(0.01, 100)),
  },
  ['name', 'structure'],
);

const obstacle = fields(
  {
    name,
    color,
    friction: number(0, 10),
    shape: oneOf(['plane', 'capsule', 'box']),
    position: vector,
    turn: angles,
    radius: number(0, FAR),
    length: number(0, FAR),
    size: tuple(length, 3),
    keys: motionKeys,
  },
  ['name', 'shape'],
);

const box: json.Check = (value, path) => {
  tuple(coordinate, 6)(value, path);
  const corners = value as number[];
  for (let axis = 0; axis < 3; axis++) {
    if (corners[axis]! >= corners[3 + axis]!)
      fail('The box is empty: its first three numbers must be the smaller ones.', path);
  }
};

const gains = fields({ alpha: number(0, 1000), beta: number(0, 10), passes: number(1, 64), tolerance: number(0, 1) });

const scene = fields(
  {
    name,
    gravity: tuple(number(-1000, 1000), 3),
    fps: number(10, 1000),
    duration: number(0, 3600, true),
    volumeControl: (value, path) => (isRecord(value) ? gains(value, path) : flag(value, path)),
    fusion: fields({ force: number(0, 1e9, true), time: number(0, 60) }, ['force']),
    sampling: number(1, 16),
    view: fields({ box, azimuth: number(-360, 360), elevation: number(-90, 90) }, ['box']),
    objects: list(object, 1, 200),
    obstacles: list(obstacle, 0, 200),
  },
  ['objects'],
);

/** Throws an `IsoskinError` that names the field, or returns the same object as a `SceneSpec`. */
export function checkScene(value: unknown): SceneSpec {
  const check: json.Check = (spec, path) => {
    scene(spec, path);
    checkReferences(spec as SceneSpec);
  };
  json.checkJson(value, check, 'SCENE', 'scene');
  return value as SceneSpec;
}

/** As `json.object`, but a field that is missing is named by its own path: scenes are deep. */
function fields(table: json.CheckTable, required: readonly string[] = []): json.Check {
  const known = json.object(table);
  return (value, path) => {
    known(value, path);
    for (const key of required) {
      if (!Object.hasOwn(value as object, key)) fail(`“${key}” is missing; add it.`, json.joinPath(path, key));
    }
  };
}

function oneFieldOf(table: json.CheckTable): json.Check {
  const known = fields(table);
  return (value, path) => {
    known(value, path);
    const given = Object.keys(value as object);
    if (given.length !== 1) fail(`Give exactly one of ${Object.keys(table).join(', ')}; found ${given.length}.`, path);
  };
}
