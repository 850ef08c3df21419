/** Joints of every convention, in the words of a person. */
import { describe, expect, it } from 'vitest';
import { nameJoints } from '../../src/regions/name-joints.js';

/** Spine, head, left arm from the collarbone to a finger, right leg. */
const BONES = [
  'hips', 'neck', 'head', 'left collarbone', 'left upper arm', 'left forearm', 'left hand', 'left index finger 1',
  'right thigh', 'right shin', 'right foot', 'right toes',
]; // biome-ignore format: a table
const JOINTS = [
  'hips', 'neck', 'head', 'left collarbone', 'left shoulder', 'left elbow', 'left wrist', 'left index finger 1',
  'right hip', 'right knee', 'right ankle', 'right toes',
]; // biome-ignore format: a table
const CONVENTIONS: Record<string, string> = {
  mixamo:
    'mixamorig:Hips mixamorig:Neck mixamorig:Head mixamorig:LeftShoulder mixamorig:LeftArm mixamorig:LeftForeArm mixamorig:LeftHand mixamorig:LeftHandIndex1 mixamorig:RightUpLeg mixamorig:RightLeg mixamorig:RightFoot mixamorig:RightToeBase',
  vrm: 'J_Bip_C_Hips J_Bip_C_Neck J_Bip_C_Head J_Bip_L_Shoulder J_Bip_L_UpperArm J_Bip_L_LowerArm J_Bip_L_Hand J_Bip_L_Index1 J_Bip_R_UpperLeg J_Bip_R_LowerLeg J_Bip_R_Foot J_Bip_R_ToeBase',
  humanoid:
    'hips neck head leftShoulder leftUpperArm leftLowerArm leftHand leftIndexProximal rightUpperLeg rightLowerLeg rightFoot rightToes',
  unreal: 'pelvis neck head clavicle_l upperarm_l lowerarm_l hand_l index_01_l thigh_r calf_r foot_r ball_r',
  biped:
    'Bip001_Pelvis Bip001_Neck Bip001_Head Bip001_L_Clavicle Bip001_L_UpperArm Bip001_L_Forearm Bip001_L_Hand Bip001_L_Finger1 Bip001_R_Thigh Bip001_R_Calf Bip001_R_Foot Bip001_R_Toe',
};

describe('nameJoints', () => {
  for (const [convention, names] of Object.entries(CONVENTIONS)) {
    it(`knows the names of ${convention}`, () => {
      expect(nameJoints(names.split(' '), 'bone')).toEqual(BONES);
      expect(nameJoints(names.split(' '), 'joint')).toEqual(JOINTS);
    });
  }

  it('knows Rigify, whose spine runs from the hips to the head, with and without its dots', () => {
    const rigify = [
      'spine',
      'spine.003',
      'spine.005',
      'spine.006',
      'upper_arm.L',
      'upper_arm.L.001',
      'f_index.01.L',
      'shin.R',
    ];
    const called = [
      'hips',
      'chest',
      'neck 2',
      'head',
      'left upper arm',
      'left upper arm 1',
      'left index finger 1',
      'right shin',
    ];
    expect(
      nameJoints(
        rigify.map((name) => `DEF-${name}`),
        'bone',
      ),
    ).toEqual(called);
    expect(
      nameJoints(
        rigify.map((name) => `DEF-${name.replaceAll('.', '')}`),
        'bone',
      ),
    ).toEqual(called);
  });

  it('keeps the numbers of chains, drops those that writers add, and names twists', () => {
    expect(nameJoints(['Spine', 'Spine1', 'Spine2', 'tail_03', 'upperarm_twist_01_l'], 'joint')).toEqual([
      'spine', 'spine 1', 'spine 2', 'tail 3', 'left upper arm twist 1',
    ]); // biome-ignore format: a table
    const fox = ['_rootJoint', 'b_Hip_01', 'b_Spine01_02', 'b_LeftForeArm_010', 'b_Tail03_014'];
    expect(nameJoints(fox, 'bone')).toEqual(['_rootJoint', 'hips', 'spine 1', 'left forearm', 'tail 3']);
  });

  it('leaves a leg a leg where there is no thigh, and what it does not know as it is', () => {
    expect(nameJoints(['leg.L.1', 'leg.L.2', 'arm.R'], 'joint')).toEqual(['left leg 1', 'left leg 2', 'right arm']);
    const strange = ['bone 0', 'F1b', 'Tentacle_L_4', 'constructor', '', 'антенна'];
    expect(nameJoints(strange, 'joint')).toEqual(strange);
  });

  it('counts the fingers of Biped from the thumb', () => {
    expect(nameJoints(['Bip01 R Finger0', 'Bip01 R Finger02', 'Bip01 R Finger41'], 'bone')).toEqual([
      'right thumb 1', 'right thumb 3', 'right little finger 2',
    ]); // biome-ignore format: a table
    expect(nameJoints(['thumb-metacarpal', 'pinky-finger-phalanx-distal'], 'joint')).toEqual([
      'thumb root',
      'little finger 3',
    ]);
  });
});
