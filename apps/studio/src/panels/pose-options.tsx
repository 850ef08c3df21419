import { useSignal } from '@preact/signals';
import { assign } from '../controls/assign.js';
import { Button, SwitchField } from '../controls/button.js';
import { NameField } from '../controls/name-field.js';
import { findOpposite } from '../state/mirror-pose.js';
import { applySaved, isPosed, keyPose, resetPose, savePose } from '../state/pose-edits.js';
import { findRig } from '../state/rigs.js';
import { NO_POSE } from '../state/studio-document.js';
import { useStudio } from './studio-context.js';

/** Beside the view while joints are posed. */
export function PoseOptions() {
  const studio = useStudio();
  const { selection, pose, clip, view } = studio.document.value;
  const isSide = view.layout === 'side';
  const joint = studio.character.value?.joints.find(({ node }) => node === selection.joint);
  const opposite = joint && findOpposite(studio.character.value!.joints, joint.node);
  const hasLoose = Object.keys(pose.loose).length > 0;
  const hasRig = findRig(studio) !== undefined;
  const [handles, verb] = hasRig && studio.rigs.isMoving.value ? ['arrows', 'move'] : ['rings', 'turn'];
  return (
    <div class="tool-options">
      <h3>Pose</h3>
      <p>
        {isSide
          ? `The ${handles} are not shown side by side: choose another view.`
          : joint
            ? `Drag the ${handles} to ${verb} ${joint.name}.`
            : `Click a joint, then drag its ${handles} to ${verb} it.`}
      </p>
      {hasRig && (
        <SwitchField
          label="Move joints at rest"
          tip="Where joints stand in the mesh; the weights follow when you let go"
          on={studio.rigs.isMoving.value}
          onChange={(on) => {
            studio.rigs.isMoving.value = on;
            if (on && isPosed(pose, clip)) studio.commit('At rest', () => ({ pose: NO_POSE }));
          }}
        />
      )}
      <div class="button-row">
        <Button
          icon="key"
          disabled={!hasLoose}
          tip="Keep this pose at this time of the clip (K)"
          onClick={() =>
            studio.commit('Key the pose', ({ pose, clip }) => ({
              pose: keyPose(pose, clip, studio.playback.time.peek()),
            }))
          }
        >
          Key
        </Button>
        <Button
          disabled={!joint || !isPosed(pose, clip)}
          tip="This joint as the clip has it"
          onClick={() =>
            studio.commit('Reset the joint', ({ pose, clip }) => ({ pose: resetPose(pose, clip, selection.joint) }))
          }
        >
          Reset joint
        </Button>
        <Button
          disabled={!isPosed(pose, clip)}
          tip="The whole clip as it was"
          onClick={() => studio.commit('Reset the pose', ({ pose, clip }) => ({ pose: resetPose(pose, clip, -1) }))}
        >
          Reset all
        </Button>
      </div>
      <SwitchField
        label="Mirror left and right"
        tip={joint && opposite ? `${opposite.name} follows ${joint.name}` : 'By the names of the joints'}
        on={studio.mirrorsPose.value}
        onChange={(on) => assign(studio.mirrorsPose, on)}
      />
      <PoseLibrary />
    </div>
  );
}

/** Poses that were saved: they stay when another file is opened, and go to the joints of the same names. */
function PoseLibrary() {
  const studio = useStudio();
  const isNaming = useSignal(false);
  const { pose, clip, poses } = studio.document.value;
  const joints = studio.character.value?.joints ?? [];
  const save = (text: string) => {
    if (!isNaming.peek()) return; // a field that goes loses the focus too
    isNaming.value = false;
    const name = text.trim();
    if (name === '') return;
    const turns = savePose(pose, clip, studio.playback.time.peek(), joints);
    studio.commit('Save a pose', ({ poses }) => ({
      poses: [...poses.filter((one) => one.name !== name), { name, turns }],
    }));
  };
  return (
    <div class="pose-library">
      {isNaming.value ? (
        <NameField label="Name of the pose" value={`Pose ${poses.length + 1}`} onDone={save} />
      ) : (
        <Button
          icon="plus"
          disabled={!isPosed(pose, clip)}
          tip="Keep what is turned now, for any clip and file"
          onClick={() => assign(isNaming, true)}
        >
          Save this pose
        </Button>
      )}
      {poses.map(({ name, turns }) => (
        <div class="pose-row" key={name}>
          <Button
            tip={`Turn the joints as in ${name}`}
            onClick={() => studio.commit(`Pose ${name}`, ({ pose }) => ({ pose: applySaved(pose, turns, joints) }))}
          >
            {name}
          </Button>
          <Button
            icon="trash"
            kind="plain"
            label={`Forget ${name}`}
            onClick={() =>
              studio.commit('Forget a pose', ({ poses }) => ({ poses: poses.filter((one) => one.name !== name) }))
            }
          />
        </div>
      ))}
    </div>
  );
}
