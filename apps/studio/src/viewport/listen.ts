type Handlers = Partial<Record<'down' | 'move' | 'up' | 'cancel' | 'leave', (event: PointerEvent) => void>>;

/** Hears of a pointer over a canvas until the function that comes back is called. */
export function listen(canvas: HTMLCanvasElement, handlers: Handlers): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  for (const [name, handle] of Object.entries(handlers)) {
    canvas.addEventListener(`pointer${name as keyof Handlers}`, handle, { signal });
  }
  return () => listening.abort();
}
