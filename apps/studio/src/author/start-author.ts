/** Keeps the file's own scene in the view: loaded beside the engine's reading, moved with every frame, lit by a room. */
import { effect, signal } from '@preact/signals';
import { Box3, NeutralToneMapping, PMREMGenerator, type WebGLRenderTarget } from 'three';
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js';
import type { CharacterFacts } from '../engine/protocol.js';
import type { Studio } from '../state/studio.js';
import type { Colouring } from '../state/studio-document.js';
import { until } from '../state/until.js';
import { regionColour } from '../viewport/colour-scales.js';
import { createRegionTexture, createScaleTexture } from '../viewport/surface-material.js';
import type { Viewport } from '../viewport/viewport.js';
import { type AuthorView, createAuthorView } from './create-author-view.js';
import { loadAuthorFile } from './load-author-file.js';

/** Where a scale leaves the author's colours, see `AuthorUniforms`. */
const FADES: Partial<Record<Colouring, number>> = {
  displacement: 1,
  'moved-x': 2,
  'moved-y': 2,
  'moved-z': 2,
  volume: 2,
};

/** Of the room: white skin stays below white. */
const BRIGHTNESS = 0.6;
/** Pixels of a side of the room: mirrors are rare on characters, and software draws sixteen times as many in seconds. */
const SHARPNESS = 64;

/** Of the screen, from a plan to its first picture. */
const FRAMES_TO_DRAW = 4;

export function startAuthor(viewport: Viewport, studio: Studio): () => void {
  const loaded = signal<{ readonly view: AuthorView; readonly facts: CharacterFacts } | null>(null);
  let light: WebGLRenderTarget | undefined;

  const lightUp = () => {
    const { renderer, scene } = viewport;
    const generator = new PMREMGenerator(renderer);
    light?.dispose();
    light = generator.fromScene(new RoomEnvironment(), 0.04, 0.1, 100, { size: SHARPNESS });
    generator.dispose();
    renderer.toneMapping = NeutralToneMapping;
    scene.environment = light.texture;
    scene.environmentIntensity = BRIGHTNESS;
  };
  const drop = () => {
    loaded.peek()?.view.dispose();
    loaded.value = null;
    studio.look.value = 'clay';
  };

  const load = effect(() => {
    const facts = studio.character.value;
    if (loaded.peek()?.facts !== facts) drop();
    const data = studio.openedData;
    if (!facts?.file || data?.kind !== 'file') return;
    const isTime = isSoftware(viewport.renderer.getContext()) ? waitForCorrected(studio) : Promise.resolve();
    isTime
      .then(() => loadAuthorFile(data, viewport.renderer))
      .then((gltf) => {
        const view = createAuthorView(gltf, facts);
        if (studio.character.peek() !== facts || !view.isWhole) return view.dispose();
        if (!light) lightUp();
        const { min, max } = new Box3().setFromObject(view.root);
        viewport.scene.add(view.root);
        loaded.value = { view, facts };
        viewport.widen([...min.toArray(), ...max.toArray()]);
      })
      .catch((error: unknown) => {
        studio.notices.show('info', 'Shown in clay: three.js cannot draw the materials of this file', error);
      });
  });
  const move = effect(() => {
    const frame = studio.frame.value;
    if (!frame || !loaded.value || studio.character.peek() !== loaded.value.facts) return;
    loaded.value.view.setFrame(frame);
    viewport.invalidate();
  });
  const colour = effect(() => {
    const { view, facts } = loaded.value ?? {};
    if (!view || !facts) return;
    const { selection, view: shown } = studio.document.value;
    const { regions = [], vertexRegion } = studio.plan.value ?? {};
    const hovered = studio.hoveredRegion.value;
    const states = regions.map(({ name }, s) => (selection.regions.includes(name) ? 1 : s === hovered ? 0.45 : 0));
    const palette = regions.length > 0 ? regions.map((_, s) => regionColour(s)) : [regionColour(0)];
    const colouring = studio.tool.value === 'paint' ? 'gamma' : shown.colouring;
    const { isoMode, isoFade, isoScale, isoRegions } = view.uniforms;
    isoScale.value?.dispose();
    isoScale.value = createScaleTexture(colouring);
    isoRegions.value?.dispose();
    isoRegions.value = createRegionTexture(Float32Array.from(states), palette);
    isoMode.value = colouring === 'plain' ? 0 : colouring === 'region' ? 2 : 1;
    isoFade.value = FADES[colouring] ?? 0;
    if (vertexRegion?.length === facts.vertexCount) view.setRegions(vertexRegion);
    view.setLook(shown.look);
    studio.look.value = shown.look;
    viewport.invalidate();
  });

  viewport.author = {
    prepare(which, facts) {
      const { view, facts: own } = loaded.peek() ?? {};
      const isOurs = view !== undefined && own === facts;
      if (!isOurs || studio.document.peek().view.look === 'clay') return false;
      view.setSide(which === 'corrected');
      return true;
    },
    restore() {
      if (light) lightUp();
    },
  };
  return () => {
    for (const stop of [load, move, colour]) stop();
    drop();
    light?.dispose();
    viewport.author = undefined;
  };
}

function isSoftware(gl: WebGLRenderingContext | WebGL2RenderingContext): boolean {
  const facts = gl.getExtension('WEBGL_debug_renderer_info');
  return facts !== null && /swiftshader|llvmpipe|basic render/i.test(gl.getParameter(facts.UNMASKED_RENDERER_WEBGL));
}

/** Where the processor draws, materials take seconds of every core: the plan, and a picture of what it does, come first. */
async function waitForCorrected({ plan, planError }: Studio): Promise<void> {
  await until(() => plan.value !== null || planError.value !== '');
  for (let n = 0; n < FRAMES_TO_DRAW; n++) await new Promise(requestAnimationFrame);
}
