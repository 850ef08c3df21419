export default { entry: './src/index.mjs' };
