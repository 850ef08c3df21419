import type { Object3D } from 'three';

/** Calls back whenever `object` is about to be drawn; what the user set there runs as before. Returns how to stop. */
export function watchRenders(object: Object3D, callback: (renderer: object) => void): () => void {
  const own = Object.hasOwn(object, 'onBeforeRender') ? object.onBeforeRender : undefined;
  const hook: Object3D['onBeforeRender'] = (...values) => {
    callback(values[0]);
    own?.apply(object, values);
  };
  object.onBeforeRender = hook;
  return () => {
    if (object.onBeforeRender !== hook) return;
    if (own) object.onBeforeRender = own;
    else Reflect.deleteProperty(object, 'onBeforeRender');
  };
}
