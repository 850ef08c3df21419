/**
 * The value at place n of the sorted list, by parting the list around a guess again and again (quickselect); the list is left in another order. Expected O(length).
 *
 * NaN comes last, as where typed arrays are sorted.
 */
export function selectNth(values: Float64Array, n: number): number | undefined {
  let high = values.length - 1;
  for (let i = high; i >= 0; i--) if (Number.isNaN(values[i]!)) swap(values, i, high--);
  if (n > high) return values[n];
  let low = 0;
  while (low < high) {
    const pivot = middleOf(values[low]!, values[(low + high) >> 1]!, values[high]!);
    let i = low;
    let j = high;
    while (i <= j) {
      while (values[i]! < pivot) i++;
      while (values[j]! > pivot) j--;
      if (i <= j) swap(values, i++, j--);
    }
    if (n <= j) high = j;
    else if (n >= i) low = i;
    else break;
  }
  return values[n];
}

function middleOf(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

function swap(values: Float64Array, i: number, j: number): void {
  const value = values[i]!;
  values[i] = values[j]!;
  values[j] = value;
}
