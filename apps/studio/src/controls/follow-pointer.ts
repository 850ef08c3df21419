/** While a pointer that went down on an element is held, wherever it goes. */
export function followPointer(
  { currentTarget: element, pointerId }: PointerEvent & { readonly currentTarget: HTMLElement },
  move: (event: PointerEvent) => void,
  onDone?: () => void,
): void {
  const end = () => {
    element.removeEventListener('pointermove', move);
    onDone?.();
  };
  element.setPointerCapture(pointerId);
  element.addEventListener('pointermove', move);
  element.addEventListener('lostpointercapture', end, { once: true });
}
