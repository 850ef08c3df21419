declare module 'three/examples/jsm/libs/basis/basis_transcoder.js' {
  const BASIS: unknown;
  export default BASIS;
}
