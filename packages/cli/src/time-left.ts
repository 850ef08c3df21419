/** Words for the time that is left, from how much is done (0 … 1); nothing while that is still a guess. */
export function createTimeLeft(now: () => number = () => performance.now()): (done: number) => string {
  const start = now();
  return (done) => {
    const spent = (now() - start) / 1000;
    if (done >= 1 || done < 0.05 || spent < 0.5) return '';
    const left = Math.ceil((spent * (1 - done)) / done);
    return left < 90 ? `, ${left} s left` : `, ${Math.ceil(left / 60)} min left`;
  };
}
