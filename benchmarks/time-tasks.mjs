/** Times tasks in turns, so that a busy moment of the machine hits all of them; keeps every sample. */

/**
 * @param tasks name → function of the number of the round; each is called once a round.
 * @param seconds how long rounds go on, after the first few, which warm up and do not count.
 */
export function timeTasks(tasks, { seconds, warmUp = 3, fewest = 5 }) {
  const samples = Object.fromEntries(Object.keys(tasks).map((name) => [name, []]));
  const start = performance.now();
  for (let round = 0; ; round++) {
    if (round >= warmUp + fewest && performance.now() - start > 1000 * seconds) return samples;
    for (const [name, task] of Object.entries(tasks)) {
      const from = performance.now();
      task(round);
      if (round >= warmUp) samples[name].push(performance.now() - from);
    }
  }
}

export function median(samples) {
  const sorted = Float64Array.from(samples).sort();
  return sorted.length % 2
    ? sorted[sorted.length >> 1]
    : (sorted[sorted.length / 2 - 1] + sorted[sorted.length / 2]) / 2;
}

/** The lower tenth: what the machine does when nothing disturbs it. */
export function undisturbed(samples) {
  return Float64Array.from(samples).sort()[Math.floor(samples.length / 10)];
}
