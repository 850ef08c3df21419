/** Theme and search of the pages. The index is a script beside this one, loaded when the search field is first used. */
const root = new URL(document.currentScript.dataset.root, location.href);
const themeButton = document.querySelector('#theme');
const field = document.querySelector('#search');
const found = document.querySelector('#found');
const MOST_RESULTS = 12;

const stored = readTheme();
if (stored) document.documentElement.dataset.theme = stored;
themeButton.addEventListener('click', () => {
  const isDark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === 'dark'
    : matchMedia('(prefers-color-scheme: dark)').matches;
  const theme = isDark ? 'light' : 'dark';
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem('isoskin-theme', theme);
  } catch {} // a page that may not store anything still changes its theme
});

function readTheme() {
  try {
    return localStorage.getItem('isoskin-theme');
  } catch {
    return null;
  }
}

let loading;
function loadIndex() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = new URL('search-index.js', root).href;
    script.onload = () => resolve(window.searchIndex);
    script.onerror = reject;
    document.head.append(script);
  });
  return loading;
}

field.addEventListener('focus', loadIndex);
field.addEventListener('input', async () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  found.hidden = words.length === 0;
  if (words.length === 0) return;
  const index = await loadIndex();
  found.replaceChildren(...search(index, words).map(createResult));
  if (found.children.length === 0) found.textContent = 'Nothing found.';
});
field.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') found.hidden = true;
  if (key === 'Enter') found.querySelector('a')?.click();
});

/** Pages that have all words, those with the words in their title and headings first. */
function search(index, words) {
  const score = ({ title, headings, text }) => {
    let sum = 0;
    for (const word of words) {
      const value =
        8 * title.toLowerCase().includes(word) +
        3 * headings.toLowerCase().includes(word) +
        text.toLowerCase().includes(word);
      if (value === 0) return 0;
      sum += value;
    }
    return sum;
  };
  return index
    .map((page) => ({ page, value: score(page) }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
    .slice(0, MOST_RESULTS)
    .map(({ page }) => page);
}

function createResult({ path, title, text }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  const note = document.createElement('small');
  link.href = new URL(path, root).href;
  link.textContent = title;
  note.textContent = `${text.slice(0, 110)} …`;
  item.append(link, note);
  return item;
}
