/** Markdown of the repository to HTML: headings with anchors, links to pages of the site, code with its file name, tables that scroll. */
import { posix } from 'node:path';
import { Marked } from 'marked';
import { renderMath } from './render-math.mjs';

/**
 * @param source path of the file in the repository
 * @param resolveLink (path in the repository) → path on the site, or an address elsewhere
 * @returns `{ html, headings: [{ depth, id, text }], text }`
 */
export function renderMarkdown(markdown, source, resolveLink) {
  const headings = [];
  const taken = new Map();
  const link = (href) => {
    if (/^[a-z]+:/i.test(href) || href.startsWith('#')) return href;
    const [path, anchor] = href.split('#');
    const target = resolveLink(posix.normalize(posix.join(posix.dirname(source), path)));
    return anchor ? `${target}#${anchor}` : target;
  };
  const renderer = {
    heading({ tokens, depth, text }) {
      const plain = plainText(text);
      const id = slug(plain, taken);
      headings.push({ depth, id, text: plain });
      return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      return `<a href="${escapeHtml(link(href))}">${this.parser.parseInline(tokens)}</a>`;
    },
    image({ href, text }) {
      const still = href.endsWith('film.gif') ? link(href.replace('film.gif', 'film-still.png')) : undefined;
      const image = `<img src="${escapeHtml(link(href))}" alt="${escapeHtml(text)}" loading="lazy">`;
      // Who asked for less motion gets the middle of the film.
      if (!still) return image;
      return `<picture><source media="(prefers-reduced-motion: reduce)" srcset="${still}">${image}</picture>`;
    },
    code({ text, lang = '' }) {
      const file = lang.split(/\s+/)[1];
      const name = file && file !== 'skip' ? `<figcaption>${escapeHtml(file)}</figcaption>` : '';
      if (lang === '' && source.startsWith('docs/methods/')) return renderEquation(text);
      return `<figure class="code">${name}<pre tabindex="0"><code>${escapeHtml(text)}</code></pre></figure>\n`;
    },
    codespan({ text }) {
      const isEquation =
        source === 'docs/methods/index.md' && !/["#:]|^\w+(\.\w+)+$/.test(text) && /[^ -~]|[=^]/.test(text);
      return isEquation ? `<math>${renderMath(text)}</math>` : `<code>${escapeHtml(text)}</code>`;
    },
    table({ header, rows }) {
      const row = (cells, tag) =>
        `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
      const isNamed = header.some(({ text }) => text.trim() !== '');
      // An empty heading names nothing: it is a cell.
      const head = header
        .map((cell) => (cell.text.trim() ? row([cell], 'th') : row([cell], 'td')).slice(4, -5))
        .join('');
      const body = rows.map((cells) => row(cells, 'td')).join('\n');
      return `<div class="table" tabindex="0" role="group" aria-label="Table"><table>${isNamed ? `<thead><tr>${head}</tr></thead>` : ''}<tbody>${body}</tbody></table></div>\n`;
    },
  };
  const marked = new Marked({ renderer, gfm: true });
  const html = marked.parse(markdown);
  return { html, headings, text: plainText(html.replace(/<[^>]+>/g, ' ')) };
}

/** Every line of a block on a page of a method. */
function renderEquation(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  // Two blanks are a gap, where a line may break.
  const render = (line) =>
    line
      .trim()
      .split(/\s{2,}/)
      .map((part) => `<math>${renderMath(part)}</math>`);
  const math = lines.map((line) => `<div>${render(line).join('&emsp; ')}</div>`);
  return `<figure class="equation" tabindex="0" role="group" aria-label="Equation">${math.join('\n')}</figure>\n`;
}

function plainText(text) {
  return text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function slug(text, taken) {
  const base =
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-') || 'part';
  const count = taken.get(base) ?? 0;
  taken.set(base, count + 1);
  return count === 0 ? base : `${base}-${count}`;
}

export function escapeHtml(text) {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}
