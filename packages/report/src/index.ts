export { type ColorMap, colorMap, colorValues } from './color-map.js';
export { decodePicture, type PictureChain } from './decode-picture.js';
export { encodePng } from './encode-png.js';
export type { Color, Picture } from './picture.js';
export { CLAY, type MeshTextures, type PictureMesh } from './place-meshes.js';
export { type PictureOptions, renderPicture } from './render-picture.js';
export type { BakeReportData } from './report/bake-report-data.js';
export { createBakeReport, type DrawAll } from './report/create-bake-report.js';
export { decodeTextures, drawStill, type ReportPictures } from './report/draw-poses.js';
