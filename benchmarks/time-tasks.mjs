/** Times tasks in turns, so that a busy moment of the machine hits all of them; keeps every sample. */

/** A turn lasts about this long, in ms: a burst of calls, of which the mean counts; short, for slices of a busy machine end it. */
const TURN = 4;

/**
 * @param tasks name → function of how often it was called before.
 * @param seconds how long rounds go on.
 */
export function timeTasks(tasks, { seconds, fewest = 5 }) {
  const list = Object.entries(tasks).map(([name, task]) => ({
    name,
    task,
    calls: 0,
    burst: warmUp(task),
    samples: [],
  }));
  const start = performance.now();
  for (let round = 0; round < fewest || performance.now() - start < 1000 * seconds; round++) {
    for (const one of list) {
      const from = performance.now();
      for (let n = 0; n < one.burst; n++) one.task(one.calls++);
      one.samples.push((performance.now() - from) / one.burst);
    }
  }
  return Object.fromEntries(list.map(({ name, samples }) => [name, samples]));
}

/** Calls a task until it is compiled; how many calls make up a turn. */
function warmUp(task) {
  const start = performance.now();
  let calls = 0;
  let last = 0;
  while (calls < 3 || (performance.now() - start < 300 && calls < 1000)) {
    const from = performance.now();
    task(calls++);
    last = performance.now() - from;
  }
  return Math.max(1, Math.min(500, Math.round(TURN / last)));
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
