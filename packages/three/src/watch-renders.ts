import type { Object3D, Scene } from 'three';
import type { AnyRenderer } from './path.js';

/** Calls back whenever `object` is about to be drawn; what the user set there runs as before. Returns how to stop. */
export function watchRenders(object: Object3D, callback: (renderer: AnyRenderer, scene: Scene) => void): () => void {
  const own = Object.hasOwn(object, 'onBeforeRender') ? object.onBeforeRender : undefined;
  const hook: Object3D['onBeforeRender'] = (renderer, scene, ...rest) => {
    callback(renderer as unknown as AnyRenderer, scene);
    own?.call(object, renderer, scene, ...rest);
  };
  object.onBeforeRender = hook;
  return () => {
    if (object.onBeforeRender !== hook) return;
    if (own) object.onBeforeRender = own;
    else Reflect.deleteProperty(object, 'onBeforeRender');
  };
}
