import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A component whose code is loaded when it is first shown: the first picture does not wait for it. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let Loaded: ComponentType<P> | undefined;
  return function Lazy(props: P) {
    const [, refresh] = useState(0);
    useEffect(() => {
      if (Loaded) return;
      void load().then((component) => {
        Loaded = component;
        refresh(1);
      });
    }, []);
    return Loaded ? <Loaded {...props} /> : null;
  };
}
