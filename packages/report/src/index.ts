export { type ColorMap, colorMap, colorValues } from './color-map.js';
export { composePictures } from './compose-pictures.js';
export { drawText, measureText } from './draw-text.js';
export { encodePng } from './encode-png.js';
export type { Color, Picture } from './picture.js';
export type { CameraOptions } from './plan-camera.js';
export { CLAY, type PictureMesh } from './plan-scene.js';
export { type PictureOptions, renderPicture } from './render-picture.js';
