/** Knows whether the GPU still draws, so that nothing more is asked of it, and whether there is anything to draw with. */

/** @param onRestored called when a context that was lost is there again: everything has to be drawn anew. */
export function createDrawFence(canvas: HTMLCanvasElement, gl: WebGL2RenderingContext, onRestored: () => void) {
  let fence: WebGLSync | null = null;
  // A fence of a lost context is never signalled.
  const forget = (): void => {
    fence = null;
  };
  const restore = (): void => {
    forget();
    onRestored();
  };
  canvas.addEventListener('webglcontextlost', forget);
  canvas.addEventListener('webglcontextrestored', restore);
  return {
    /** Until the GPU has drawn what was asked before `mark`, or while it has gone (a driver's reset, a sleep). */
    isBusy(): boolean {
      if (gl.isContextLost()) return true;
      return fence !== null && gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED;
    },
    /** Everything for this picture has been asked. */
    mark(): void {
      if (fence) gl.deleteSync(fence);
      fence = gl.isContextLost() ? null : gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    },
    dispose(): void {
      canvas.removeEventListener('webglcontextlost', forget);
      canvas.removeEventListener('webglcontextrestored', restore);
    },
  };
}
