import { useRef, useState } from 'preact/hooks';
import { composePicture } from '../capture/compose-picture.js';
import type { RecordFormat, Recording } from '../capture/record-clip.js';
import { Button } from '../controls/button.js';
import { saveFile } from '../controls/files.js';
import { Menu } from '../controls/menu.js';
import { useStudio, viewportHolder } from './studio-context.js';

/** A picture or a short film of the view. */
export function CaptureButtons() {
  const studio = useStudio();
  const [share, setShare] = useState<number | undefined>(undefined);
  const recording = useRef<Recording | undefined>(undefined);
  const name = () => studio.document.peek().source.name.replace(/\.[^.]+$/, '');

  const takePicture = () => {
    const viewport = viewportHolder.current;
    if (!viewport) return;
    const out = document.createElement('canvas');
    out.width = viewport.canvas.width;
    out.height = viewport.canvas.height;
    composePicture(out, viewport.draw(), studio.document.peek().view);
    out.toBlob((blob) => blob && saveFile(`${name()}.png`, blob, 'image/png'));
  };
  const record = async (format: RecordFormat) => {
    const viewport = viewportHolder.current;
    if (!viewport || recording.current) return;
    try {
      const { recordClip } = await import('../capture/record-clip.js');
      setShare(0);
      recording.current = recordClip(viewport, studio, format, setShare);
      const blob = await recording.current.done;
      if (blob) saveFile(`${name()}.${format}`, blob, blob.type);
    } catch (error) {
      studio.notices.show('error', 'The view could not be recorded', error instanceof Error ? error.message : '');
    } finally {
      recording.current = undefined;
      setShare(undefined);
    }
  };

  if (share !== undefined) {
    return (
      <Button icon="film" tip="Stop and save what there is" onClick={() => recording.current?.stop()}>
        <span class="number">{Math.round(100 * share)} %</span>
      </Button>
    );
  }
  return (
    <>
      <Button icon="camera" kind="plain" label="Save a picture of the view" onClick={takePicture} />
      <Menu
        icon="film"
        label="Record the clip"
        items={[
          { label: 'Record as WebM', run: () => void record('webm') },
          { label: 'Record as GIF', run: () => void record('gif') },
        ]}
      />
    </>
  );
}
