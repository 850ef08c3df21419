/** The frame around every page: header with search and theme, the list of pages, the text, what comes next. All addresses are relative. */
import { posix } from 'node:path';
import { escapeHtml } from './render-markdown.mjs';

/** From one path of the site to another. */
export function relativeLink(from, to) {
  if (/^[a-z]+:/i.test(to)) return to;
  const [path, anchor] = to.split('#');
  const link = posix.relative(posix.dirname(from), path) || posix.basename(path);
  const folder = path.endsWith('/') && !link.endsWith('/') ? `${link}/` : link;
  return anchor ? `${folder}#${anchor}` : folder;
}

const TOP = [
  ['Guides', 'docs/guides/web.html'],
  ['Methods', 'docs/methods/index.html'],
  ['API', 'api/index.html'],
  ['Examples', 'examples/index.html'],
  ['Studio', 'studio/index.html'],
];

/** @param page `{ path, title, html, sections, next?, isLanding? }`; sections: `[{ title, pages: [{ path, title }] }]` */
export function renderPage({ path, title, html, sections, next, isLanding = false }) {
  const to = (target) => escapeHtml(relativeLink(path, target));
  const item = ({ path: target, title: name }) =>
    `<li><a href="${to(target)}"${target === path ? ' aria-current="page"' : ''}>${escapeHtml(name)}</a></li>`;
  const list = sections.map(({ title: name, pages }) => {
    const isOpen = name === 'Guides' || name === 'Use' || pages.some((page) => page.path === path);
    return `<details${isOpen ? ' open' : ''}><summary>${escapeHtml(name)}</summary><ul>${pages.map(item).join('')}</ul></details>`;
  });
  const nav = isLanding ? '' : `<nav class="pages" aria-label="Pages">${list.join('\n')}</nav>`;
  const onward = next ? `<p class="next">Next: <a href="${to(next.path)}">${escapeHtml(next.title)}</a></p>` : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}${isLanding ? '' : ' · isoskin'}</title>
<link rel="icon" href="${to('icon.svg')}">
<link rel="stylesheet" href="${to('site.css')}">
<script src="${to('site.js')}" data-root="${to('index.html')}" defer></script>
</head>
<body${isLanding ? ' class="landing"' : ''}>
<a class="skip" href="#text">Skip to the text</a>
<header>
<a class="home" href="${to('index.html')}">isoskin</a>
<nav aria-label="Site">${TOP.map(([name, target]) => `<a href="${to(target)}">${name}</a>`).join('')}</nav>
<search><label for="search">Search</label><input id="search" type="search" placeholder="Search" autocomplete="off"><ul id="found" aria-live="polite" hidden></ul></search>
<button id="theme" type="button" aria-label="Dark or light"><svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="6.5" fill="none" stroke="currentColor" stroke-width="1.5"/><path d="M8 1.5a6.5 6.5 0 0 1 0 13z" fill="currentColor"/></svg></button>
</header>
<div class="body">
${nav}
<main id="text" tabindex="-1">
${html}
${onward}
</main>
</div>
<footer><p>isoskin, MIT licence. These pages load nothing from other hosts.</p></footer>
</body>
</html>
`;
}
