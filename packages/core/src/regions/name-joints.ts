/**
 * What a person calls the place of a joint: `mixamorig:LeftForeArm`, `lowerarm_l`, `forearm.L`, `Bip001 L Forearm` and
 * `J_Bip_L_LowerArm` are all the left forearm, and its joint is the left elbow.
 *
 * A name is split into words; sides, numbers and the prefixes of the conventions (Mixamo, VRM and Unity, Rigify, Unreal, Biped) are
 * taken out; what is left is looked up below. A joint that is not in the table keeps its own name.
 */

/** Words of a name → its bone, and its joint where that is called otherwise. */
const PARTS: readonly (readonly [words: string, bone: string, joint?: string])[] = [
  ['hips hip pelvis', 'hips'],
  ['spine', 'spine'],
  ['chest', 'chest'],
  ['upperchest', 'upper chest'],
  ['torso', 'torso'],
  ['belly', 'belly'],
  ['neck', 'neck'],
  ['head', 'head'],
  ['headtop headtopend headend headnub headtip', 'crown'],
  ['jaw', 'jaw'],
  ['eye', 'eye'],
  ['ear', 'ear'],
  ['tongue', 'tongue'],
  ['trunk', 'trunk'],
  ['tail', 'tail'],
  ['wing', 'wing'],
  ['hair', 'hair'],
  ['breast', 'breast'],
  ['shoulder clavicle collar', 'collarbone'],
  ['upperarm uparm', 'upper arm', 'shoulder'],
  ['arm', 'arm', 'shoulder'],
  ['forearm lowerarm', 'forearm', 'elbow'],
  ['elbow', 'elbow'],
  ['hand', 'hand', 'wrist'],
  ['wrist', 'wrist'],
  ['palm', 'palm'],
  ['upleg upperleg thigh', 'thigh', 'hip'],
  ['leg', 'leg', 'knee'],
  ['lowerleg calf shin', 'shin', 'knee'],
  ['knee', 'knee'],
  ['foot', 'foot', 'ankle'],
  ['ankle', 'ankle'],
  ['toe toes toebase ball', 'toes'],
  ['thumb', 'thumb'],
  ['index', 'index finger'],
  ['middle mid', 'middle finger'],
  ['ring', 'ring finger'],
  ['pinky little', 'little finger'],
];
const SIDES = new Map([
  ['l', 'left'],
  ['left', 'left'],
  ['r', 'right'],
  ['right', 'right'],
]);
/** Said by the conventions, without a meaning of its own. */
const PREFIXES = new Set('mixamorig bip biped valve j sec c def org b bn bone joint jnt skeleton rig'.split(' '));
/** The joints of a finger, from the palm on. */
const PHALANGES = ['proximal', 'intermediate', 'distal'];
const FINGERS = ['thumb', 'index', 'middle', 'ring', 'pinky'];
const FINGER_WORDS = new Set(['hand', 'f', 'finger', 'phalanx', 'phalange']);
/** Rigify's spine, by number: it runs from the hips to the head. */
const RIGIFY_SPINE = ['hips', 'spine 1', 'spine 2', 'chest', 'neck 1', 'neck 2', 'head'];

const TABLE = new Map(
  PARTS.flatMap(([words, bone, joint = bone]) => words.split(' ').map((word) => [word, { bone, joint }] as const)),
);

/** Bone → what a person calls it; `by`: the bone itself, or the joint that it begins at. */
export function nameJoints(names: readonly string[], by: 'bone' | 'joint'): string[] {
  const plain = dropIndices(names);
  const isRigify = names.some((name) => /spine\.?00[1-6]$/.test(name));
  // Mixamo's Leg is the shin and its Arm the upper arm; elsewhere a leg is a leg.
  const keys = plain.map((name) => readName(name)?.key);
  const isShin = keys.includes('upleg') || keys.includes('upperleg') || keys.includes('thigh');
  const isUpperArm = keys.includes('forearm') || keys.includes('lowerarm');
  return plain.map((name, i) => {
    const read = readName(name);
    if (!read) return names[i]!;
    const { side, key, number, isTwist, isRoot } = read;
    if (isRigify && key === 'spine') return RIGIFY_SPINE[number ?? 0] ?? names[i]!;
    const alias = key === 'leg' && isShin ? 'shin' : key === 'arm' && isUpperArm ? 'upperarm' : key;
    const part = TABLE.get(alias);
    if (!part) return names[i]!;
    // The second piece of an upper arm has no joint that has a name.
    const isPiece = isTwist || isRoot || number !== undefined || (alias === key && (key === 'leg' || key === 'arm'));
    const place = by === 'joint' && !isPiece ? part.joint : part.bone;
    const words = [side, place, isTwist ? 'twist' : undefined, isRoot ? 'root' : number];
    return words.filter((word) => word !== undefined).join(' ');
  });
}

interface ReadName {
  readonly side: string | undefined;
  readonly key: string;
  readonly number: number | undefined;
  readonly isTwist: boolean;
  /** The bone of a finger that lies in the palm. */
  readonly isRoot: boolean;
}

/** Side, words and number of a name; undefined where it has no words. */
function readName(name: string): ReadName | undefined {
  const own = name.replace(/^.*[:|]/, '').replace(/^bip\d+/i, '');
  const tokens = own.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g)?.map((token) => token.toLowerCase()) ?? [];
  let side: string | undefined;
  let number: number | undefined;
  let isTwist = false;
  let isRoot = false;
  let words: string[] = [];
  for (const token of tokens) {
    if (side === undefined && SIDES.has(token)) side = SIDES.get(token);
    else if (/^\d/.test(token)) number ??= Number(token);
    else if (token === 'twist' || token === 'roll') isTwist = true;
    else if (PHALANGES.includes(token)) number ??= PHALANGES.indexOf(token) + 1;
    else if (token === 'metacarpal') isRoot = true;
    else if (!PREFIXES.has(token)) words.push(token);
  }
  // Biped counts its fingers from the thumb, and their joints in a second digit: Finger1, Finger11, Finger12.
  const [, finger, phalanx = '0'] = /Finger(\d)(\d?)$/.exec(own) ?? [];
  if (finger !== undefined) [words, number] = [[FINGERS[Number(finger)] ?? 'finger'], Number(phalanx) + 1];
  else if (words.some((word) => FINGERS.includes(word) || word === 'little')) {
    words = words.filter((word) => !FINGER_WORDS.has(word));
  }
  return words.length > 0 ? { side, key: words.join(''), number, isTwist, isRoot } : undefined;
}

/** Some writers number all nodes (b_Tail03_014): where every name but a root's ends in a number of its own, it says nothing. */
function dropIndices(names: readonly string[]): readonly string[] {
  const ends = names.map((name) => /_(\d+)$/.exec(name)?.[1]);
  const isNumbered = names.length > 3 && new Set(ends).size >= names.length - 1;
  return isNumbered ? names.map((name) => name.replace(/_\d+$/, '')) : names;
}
