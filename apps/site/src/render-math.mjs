/**
 * Equations as MathML, made when the site is built: what the sources and pages write in Unicode, V_s(y) = V̄_s, with real indices and exponents.
 *
 * Letters are plain ones in italics: the mathematical alphabet, which <mi> takes by itself, is in few fonts.
 *
 *   letter  a variable, with its marks (x̄);  word  text;  _i, _{i,j}  below;  ^p, ^(1/p), ²  above
 */
const TOKENS = new RegExp(
  [
    String.raw`(?<word>[A-Za-z’-]{2,}(?:[ ,;:]+[A-Za-z’-]{2,})*)(?![\p{M}_^(])`,
    '(?<name>[A-Za-z]{3,}(?=[ (_]))',
    String.raw`(?<number>\d+(?:\.\d+)?)`,
    '(?<sum>[ΣΠ])',
    String.raw`(?<letter>\p{L}\p{M}*[₀-₉₊₍₎]*)`,
    String.raw`(?<sub>_(?:\{[^}]+\}|\p{Lu}(?!\p{L})|[\p{Ll}\p{M}\p{Nd}]+(?:,[\p{Ll}\p{Nd}]+)*))`,
    String.raw`(?<sup>\^(?:\([^)]+\)|\{[^}]+\}|[\p{L}\p{N}]+)|[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵀ]+)`,
    String.raw`(?<blank>\s)`,
    String.raw`(?<sign>[^\s])`,
  ].join('|'),
  'gu',
);
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵀ';
const PLAIN = '0123456789+−T';

/** A piece of an equation, without line breaks, as the inside of `<math>`. */
export function renderMath(line) {
  const parts = [];
  for (const { groups } of line.matchAll(TOKENS)) {
    const [kind, text] = Object.entries(groups).find(([, value]) => value !== undefined);
    if (kind === 'word') parts.push(`<mtext>&nbsp;${escapeSigns(text)}&nbsp;</mtext>`);
    else if (kind === 'name') parts.push(`<mtext>${escapeSigns(text)}</mtext>`);
    else if (kind === 'number') parts.push(`<mn>${text}</mn>`);
    else if (kind === 'letter') parts.push(`<mi mathvariant="normal">${escapeSigns(text)}</mi>`);
    else if (kind === 'sum') parts.push(`<mo lspace="0.25em" rspace="0.1em" largeop="false">${text}</mo>`);
    else if (kind === 'sign') parts.push(`<mo stretchy="false">${escapeSigns(text)}</mo>`);
    else if (kind === 'sub' || kind === 'sup') attach(parts, kind, text);
  }
  return parts.join('');
}

/** An index or exponent of what stands before it; both of one symbol stand above each other. */
function attach(parts, kind, text) {
  const base = parts.pop() ?? '<mi></mi>';
  const inner = `<mrow>${renderScript(lower(text))}</mrow>`;
  const below = /^<msub>([\s\S]*)<\/msub>$/.exec(base);
  if (kind === 'sup' && below) parts.push(`<msubsup>${below[1]}${inner}</msubsup>`);
  else parts.push(`<m${kind}>${base}${inner}</m${kind}>`);
}

/** ki is two indices, max is a word. */
function renderScript(text) {
  const isLetters = /^[\p{L}\p{M}]{2,3}$/u.test(text) && !['max', 'min'].includes(text);
  return isLetters ? renderMath([...text.normalize('NFC')].join(' ')) : renderMath(text);
}

/** `_{i,j}` → `i,j`, `^(1/p)` → `1/p`, `⁻¹` → `−1`. */
function lower(text) {
  if (RAISED.includes(text[0])) return [...text].map((sign) => PLAIN[[...RAISED].indexOf(sign)]).join('');
  const inside = text.slice(1);
  return /^[({]/.test(inside) ? inside.slice(1, -1) : inside;
}

function escapeSigns(text) {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
