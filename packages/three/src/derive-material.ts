import { Material } from 'three';

/**
 * A material that is another one in everything but `own`: what is set on the original later shows, and what is set here is handed back. Renderers take it
 * for a material of its own, so that other meshes of the original are left alone.
 */
export interface DerivedMaterial {
  readonly original: Material;
  readonly material: Material;
  /** What was set here is set on the original. */
  handBack(): void;
  /** Frees what it takes on GPUs. */
  dispose(): void;
}

export function deriveMaterial(original: Material, own: object): DerivedMaterial {
  // The listeners of the original free its own programs, not these.
  const kept = { ...own, _listeners: undefined };
  const material: Material = Object.assign(Object.create(original), kept);
  Object.defineProperty(material, 'id', { value: new Material().id });
  const free = () => material.dispose();
  original.addEventListener('dispose', free);
  return {
    original,
    material,
    handBack() {
      for (const [key, value] of Object.entries(material)) {
        if (key in kept) continue;
        Reflect.deleteProperty(material, key);
        Reflect.set(original, key, value);
      }
    },
    dispose() {
      original.removeEventListener('dispose', free);
      free();
    },
  };
}
