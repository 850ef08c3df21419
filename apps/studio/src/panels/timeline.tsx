import { useRef } from 'preact/hooks';
import { assign } from '../controls/assign.js';
import { Button, Select } from '../controls/button.js';
import { followPointer } from '../controls/follow-pointer.js';
import { SPEEDS } from '../state/playback.js';
import { listKeyTimes } from '../state/pose-edits.js';
import { formatNumber } from './format-number.js';
import { useStudio } from './studio-context.js';

interface TimelineProps {
  /** A simulation that plays instead of a clip, and how far it is computed if it is not done. */
  readonly film?: { readonly name: string; readonly ready: number | undefined };
}

/** Bottom: clips, play and pause, the playhead, speed and loop. */
export function Timeline({ film }: TimelineProps) {
  const studio = useStudio();
  const { playback, document } = studio;
  const { clip, pose } = document.value;
  const clips = film ? [{ name: film.name }] : (studio.character.value?.clips ?? []);
  const duration = studio.duration.value;
  const time = playback.time.value;
  const share = duration > 0 ? time / duration : 0;
  const isPlaying = playback.playing.value;
  return (
    <section class="timeline" aria-label="Timeline">
      <Select
        label="Clip"
        tip="The clip that plays"
        class="clip-select"
        value={film ? '0' : String(clip)}
        disabled={clips.length === 0}
        options={
          clips.length > 0
            ? clips.map(({ name }, n) => ({ value: String(n), label: name }))
            : [{ value: '0', label: 'No clips' }]
        }
        onChange={(value) => {
          if (film) return;
          playback.seek(0);
          studio.commit('Choose a clip', () => ({ clip: Number(value) }));
        }}
      />
      <Button icon="start" kind="plain" label="To the start (Home)" onClick={() => playback.seek(0)} />
      <Button
        icon={isPlaying ? 'pause' : 'play'}
        class="play"
        label={isPlaying ? 'Pause (Space)' : 'Play (Space)'}
        disabled={duration === 0}
        onClick={() => {
          if (!isPlaying && time >= duration) playback.seek(0);
          playback.playing.value = !isPlaying;
        }}
      />
      <span class="clock">
        <b>{time.toFixed(2)}</b> / {duration.toFixed(2)} s
      </span>
      <Track share={share} duration={duration} keys={film ? [] : listKeyTimes(pose, clip)} ready={film?.ready} />
      <Select
        label="Speed"
        tip="Speed of playing"
        value={String(playback.speed.value)}
        options={SPEEDS.map((speed) => ({ value: String(speed), label: `${speed}×` }))}
        onChange={(value) => assign(playback.speed, Number(value))}
      />
      <Button
        icon="loop"
        kind="plain"
        label="Loop (L)"
        pressed={playback.loop.value}
        onClick={() => assign(playback.loop, !playback.loop.value)}
      />
    </section>
  );
}

interface TrackProps {
  readonly share: number;
  readonly duration: number;
  readonly keys: readonly number[];
  /** Seconds that can be reached; all if undefined. */
  readonly ready: number | undefined;
}

function Track({ share, duration, keys, ready }: TrackProps) {
  const studio = useStudio();
  const track = useRef<HTMLDivElement>(null);
  const { playback } = studio;
  const seek = (event: PointerEvent) => {
    const box = track.current!.getBoundingClientRect();
    const wanted = duration * Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    playback.seek(Math.min(ready ?? duration, wanted));
  };
  const step = tickStep(duration);
  const ticks = duration > 0 ? Array.from({ length: Math.floor(duration / step) + 1 }, (_, n) => n * step) : [];
  return (
    <div
      ref={track}
      class="track"
      role="slider"
      tabIndex={0}
      aria-label="Time"
      aria-valuemin={0}
      aria-valuemax={Number(duration.toFixed(3))}
      aria-valuenow={Number((share * duration).toFixed(3))}
      aria-valuetext={`${(share * duration).toFixed(2)} seconds`}
      onPointerDown={(event) => {
        playback.playing.value = false;
        seek(event);
        followPointer(event, seek);
      }}
      onKeyDown={(event) => {
        const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!direction) return;
        event.preventDefault();
        event.stopPropagation();
        playback.playing.value = false;
        playback.seek(
          Math.min(duration, Math.max(0, playback.time.peek() + (direction * (event.shiftKey ? 10 : 1)) / 30)),
        );
      }}
    >
      {ready !== undefined && <div class="unready" style={{ left: `${(100 * ready) / (duration || 1)}%` }} />}
      {playback.span.value && (
        <div
          class="span"
          style={{
            left: `${(100 * playback.span.value.from) / (duration || 1)}%`,
            width: `${(100 * (playback.span.value.to - playback.span.value.from)) / (duration || 1)}%`,
          }}
        />
      )}
      <div class="done" style={{ width: `${100 * share}%` }} />
      {ticks.map((at, n) => (
        <span key={at}>
          <span class={`tick ${n % 2 === 0 ? 'long' : ''}`} style={{ left: `${(100 * at) / duration}%` }} />
          {n % 2 === 0 && (
            <span class="tick-label" style={{ left: `${(100 * at) / duration}%` }}>
              {formatNumber(at)}
            </span>
          )}
        </span>
      ))}
      {keys.map((at) => (
        <span key={at} class="key-mark" style={{ left: `${(100 * at) / duration}%` }} />
      ))}
      <div class="playhead" style={{ left: `${100 * share}%` }} />
    </div>
  );
}

/** Some ten ticks, at 1, 2 or 5 of a power of ten. */
function tickStep(duration: number): number {
  const rough = Math.max(1e-3, duration / 12);
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5, 10].find((n) => n * power >= rough) ?? 10);
}
