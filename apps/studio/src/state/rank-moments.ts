/**
 * The moments of a file at which skinning alone changes a region most, worst first: one per clip and region.
 *
 *   even samples of every clip, a few at a time, then twice more around the best of each: half and a quarter of a step away
 */
import type { CharacterFacts, EngineCalls, RegionFacts } from '../engine/protocol.js';

export interface Moment {
  readonly clip: number;
  readonly time: number;
  /** Index and name of the region. */
  readonly region: number;
  readonly name: string;
  /** Relative change of its volume with skinning alone. */
  readonly change: number;
}

/** Samples of all clips together, and of one. */
const MOST_SAMPLES = 240;
const FEWEST_OF_CLIP = 4;
const MOST_OF_CLIP = 24;
/** The engine answers other questions in between. */
const CHUNK = 12;
/** Moments that are kept, and those that are looked at more closely. */
const MOST_MOMENTS = 60;
const CLOSER = 12;
/** A change that nobody sees, and a region, as a share of the whole, that nobody finds. */
const LEAST_CHANGE = 0.005;
const LEAST_SHARE = 1e-3;

type Sample = { readonly clip: number; readonly time: number };
type Ask = Pick<EngineCalls, 'measureLosses'>;

/** @param isOld true when nobody waits for the answer any more: what is known by then comes back */
export async function rankMoments(
  engine: Ask,
  { clips }: Pick<CharacterFacts, 'clips'>,
  regions: readonly RegionFacts[],
  isOld: () => boolean,
): Promise<Moment[]> {
  const whole = regions.reduce((sum, { rest }) => sum + Math.abs(rest), 0);
  const isSeen = regions.map(({ rest }) => Math.abs(rest) > LEAST_SHARE * whole);
  const best = new Map<string, Moment>();
  const count = Math.min(MOST_OF_CLIP, Math.max(FEWEST_OF_CLIP, Math.floor(MOST_SAMPLES / (clips.length || 1))));
  const look = async (samples: readonly Sample[]): Promise<void> => {
    for (let from = 0; from < samples.length && !isOld(); from += CHUNK) {
      const moments = samples.slice(from, from + CHUNK);
      const { changes } = await engine.measureLosses({ moments });
      if (changes.length !== moments.length * regions.length) return; // of another plan
      changes.forEach((change, i) => {
        const region = i % regions.length;
        const { clip, time } = moments[Math.floor(i / regions.length)]!;
        const key = `${clip} ${region}`;
        if (!isSeen[region] || Math.abs(change) <= Math.abs(best.get(key)?.change ?? LEAST_CHANGE)) return;
        best.set(key, { clip, time, region, name: regions[region]!.name, change });
      });
    }
  };
  const sorted = () => [...best.values()].sort((a, b) => Math.abs(b.change) - Math.abs(a.change));
  await look(
    clips.flatMap(({ duration }, clip) =>
      Array.from({ length: count }, (_, n) => ({ clip, time: (duration * n) / count })),
    ),
  );
  for (const share of [0.5, 0.25]) {
    await look(
      sorted()
        .slice(0, CLOSER)
        .flatMap(({ clip, time }) =>
          [-share, share]
            .map((s) => ({ clip, time: time + (s * clips[clip]!.duration) / count }))
            .filter((sample) => sample.time >= 0 && sample.time <= clips[clip]!.duration),
        ),
    );
  }
  return sorted().slice(0, MOST_MOMENTS);
}
