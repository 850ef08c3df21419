export function timeNative() {
  return undefined;
}
