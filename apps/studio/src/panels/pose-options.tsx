import { Button } from '../controls/button.js';
import { isPosed, keyPose, resetPose } from '../state/pose-edits.js';
import { useStudio } from './studio-context.js';

/** Beside the view while joints are posed. */
export function PoseOptions() {
  const studio = useStudio();
  const { selection, pose, clip, view } = studio.document.value;
  const isSide = view.layout === 'side';
  const joint = studio.character.value?.joints.find(({ node }) => node === selection.joint);
  const hasLoose = Object.keys(pose.loose).length > 0;
  return (
    <div class="tool-options">
      <h3>Pose</h3>
      <p>
        {isSide
          ? 'The rings are not shown side by side: choose another view.'
          : joint
            ? `Drag the rings to turn ${joint.name}.`
            : 'Click a joint, then drag its rings to turn it.'}
      </p>
      <div class="button-row">
        <Button
          icon="key"
          disabled={!hasLoose}
          tip="Keep this pose at this time of the clip (K)"
          onClick={() =>
            studio.commit('Key the pose', (present) => ({
              ...present,
              pose: keyPose(present.pose, present.clip, studio.playback.time.peek()),
            }))
          }
        >
          Key
        </Button>
        <Button
          disabled={!joint || !isPosed(pose, clip)}
          tip="This joint as the clip has it"
          onClick={() =>
            studio.commit('Reset the joint', (present) => ({
              ...present,
              pose: resetPose(present.pose, present.clip, present.selection.joint),
            }))
          }
        >
          Reset joint
        </Button>
        <Button
          disabled={!isPosed(pose, clip)}
          tip="The whole clip as it was"
          onClick={() =>
            studio.commit('Reset the pose', (present) => ({
              ...present,
              pose: resetPose(present.pose, present.clip, -1),
            }))
          }
        >
          Reset all
        </Button>
      </div>
    </div>
  );
}
