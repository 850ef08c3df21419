// Stands for three/webgpu and three/tsl where a release of three.js has none.
module.exports = {};
