/** A-Frame: `<a-entity gltf-model="hero.glb" preserve-volume>`. Bundle it with `three` as A-Frame's own: see docs/three.md. */
import { preserveVolume } from '@isoskin/three';

AFRAME.registerComponent('preserve-volume', {
  schema: { preset: { default: 'natural' } },
  update() {
    this.remove();
    const model = this.el.getObject3D('mesh');
    if (model) this.volume = preserveVolume(model, { preset: this.data.preset });
  },
  events: {
    'model-loaded'() {
      this.update();
    },
  },
  remove() {
    this.volume?.dispose();
  },
});
