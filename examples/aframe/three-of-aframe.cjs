// esbuild --alias:three=./three-of-aframe.cjs, or the same in any bundler: one three.js on the page, A-Frame's.
module.exports = AFRAME.THREE;
