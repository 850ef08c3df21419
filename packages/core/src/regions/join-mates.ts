/**
 * Joins `from` to `into`, and their mirror images to each other, so that what was symmetric stays so.
 *
 * @param mates piece → its mirror image, itself in the middle, −1 without one; kept up to date
 * @param choose what a piece would join by itself, −1 for nothing
 */
export function joinMates(
  mates: Int32Array,
  from: number,
  into: number,
  choose: (piece: number) => number,
  join: (from: number, into: number) => void,
): void {
  const [other, goal] = [mates[from]!, mates[into]!];
  join(from, into);
  mates[from] = -1;
  if (other < 0) return;
  if (other === into || goal === from) {
    mates[into] = into; // the two halves have become one
  } else if (other === from) {
    // Something of the middle went to one side: the other side comes along.
    if (goal >= 0 && goal !== into) {
      join(goal, into);
      mates[goal] = -1;
      mates[into] = into;
    }
  } else {
    const own = goal >= 0 ? goal : choose(other);
    mates[other] = -1;
    if (own >= 0 && own !== other) join(other, own);
  }
}
