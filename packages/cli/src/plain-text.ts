/** Names come from files: control characters (line breaks, terminal commands) are shown as a dot. */
export function plainText(text: string): string {
  return text.replace(/\p{Cc}/gu, '·');
}
