import { describe, expect, it } from 'vitest';
// @ts-expect-error: a script without types
import { renderMath } from '../src/render-math.mjs';

const mi = (letter: string) => `<mi mathvariant="normal">${letter}</mi>`;
const mo = (sign: string) => `<mo stretchy="false">${sign}</mo>`;
const row = (inside: string) => `<mrow>${inside}</mrow>`;

describe('equations as MathML', () => {
  it('letters, numbers, signs, indices and exponents', () => {
    expect(renderMath('V_s = 2')).toBe(`<msub>${mi('V')}${row(mi('s'))}</msub>${mo('=')}<mn>2</mn>`);
    expect(renderMath('λ²')).toBe(`<msup>${mi('λ')}${row('<mn>2</mn>')}</msup>`);
    expect(renderMath('T⁻¹')).toBe(`<msup>${mi('T')}${row(`${mo('−')}<mn>1</mn>`)}</msup>`);
    expect(renderMath('x̄')).toBe(mi('x̄'));
  });

  it('an index below an exponent, brackets that only group, an index that ends before a capital', () => {
    expect(renderMath('ω_ki^p')).toBe(`<msubsup>${mi('ω')}${row(mi('k') + mi('i'))}${row(mi('p'))}</msubsup>`);
    expect(renderMath('a^(1/p)')).toBe(`<msup>${mi('a')}${row(`<mn>1</mn>${mo('/')}${mi('p')}`)}</msup>`);
    expect(renderMath('y_T ω_i²')).toBe(
      `<msub>${mi('y')}${row(mi('T'))}</msub><msubsup>${mi('ω')}${row(mi('i'))}${row('<mn>2</mn>')}</msubsup>`,
    );
    expect(renderMath('∇_xV')).toBe(`<msub>${mo('∇')}${row(mi('x'))}</msub>${mi('V')}`);
  });

  it('words are text, and nothing is markup', () => {
    expect(renderMath('subject to x < 1')).toContain('<mtext>&nbsp;subject to&nbsp;</mtext>');
    expect(renderMath('x < 1')).toContain(mo('&lt;'));
  });
});
