// What the pages do beyond showing themselves: search, copy, the menu of versions, the contents on a small screen. It works from
// the disk as well as from a host, and asks nobody but the host of the pages.
const { root } = document.documentElement.dataset;
const search = document.querySelector('search');
const input = search.querySelector('input');
const found = document.querySelector('#found');
const MOST_FOUND = 12;
const AROUND = 70; // characters shown on each side of a word that was found

function load(file) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const script = document.createElement('script');
  script.src = `${root}assets/${file}`;
  script.onload = resolve;
  script.onerror = () => reject(new Error(`${file} could not be loaded`));
  document.head.append(script);
  return promise;
}

/** Loads the texts with the first key that is pressed, and makes their index. */
let index;
async function openIndex() {
  await Promise.all([load('minisearch.js'), load('texts.js')]);
  const { options, entries } = window.recollectTexts;
  const made = new window.MiniSearch({ ...options, storeFields: ['path', ...options.fields] });
  made.addAll(entries);
  return made;
}

function excerpt({ text, terms }) {
  const line = document.createElement('p');
  const word = terms
    .map((term) => new RegExp(term.replaceAll(/\W/g, '\\$&'), 'i').exec(text))
    .find((match) => match !== null);
  const at = word?.index ?? 0;
  const end = at + (word?.[0].length ?? 0);
  const from = Math.max(0, at - AROUND);
  const mark = document.createElement('mark');
  mark.textContent = text.slice(at, end);
  const rest = text.slice(end, end + 2 * AROUND);
  const more = end + rest.length < text.length ? '…' : '';
  line.append(from > 0 ? '…' : '', text.slice(from, at), mark, rest, more);
  return line;
}

function resultOf(result) {
  const { path, title, heading } = result;
  const link = document.createElement('a');
  link.href = `${root}${path}`;
  const name = document.createElement('strong');
  name.textContent = heading === title ? title : `${title} › ${heading}`;
  link.append(name, excerpt(result));
  return link;
}

async function show() {
  const words = input.value.trim();
  if (words === '') {
    found.hidden = true;
    return;
  }
  index ??= openIndex();
  const results = (await index).search(words).slice(0, MOST_FOUND);
  if (input.value.trim() !== words) return;
  found.replaceChildren(...results.map(resultOf));
  if (results.length === 0) found.textContent = 'Nothing found. Try fewer words.';
  found.hidden = false;
}

/** Moves through what was found with the arrow keys, from the field and back to it. */
function move(event) {
  const stops = [input, ...found.querySelectorAll('a')];
  const at = stops.indexOf(document.activeElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === 'Escape') {
    found.hidden = true;
    input.focus();
  } else if (step !== undefined && !found.hidden) {
    event.preventDefault();
    stops[Math.min(Math.max(at + step, 0), stops.length - 1)].focus();
  } else if (event.key === 'Enter' && at === 0) {
    stops[1]?.click();
  }
}

function addCopyButtons() {
  for (const block of document.querySelectorAll('main pre')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.textContent);
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy'), 2_000);
    });
    const frame = document.createElement('div');
    frame.className = 'code';
    block.replaceWith(frame);
    frame.append(block, button);
  }
}

/** Offers the versions that lie beside this one. Where their list cannot be read, as from the disk, this version stands alone. */
async function offerVersions() {
  const list = new URL(`${root}../versions.json`, location.href);
  const { default: versions } = await import(list, { with: { type: 'json' } });
  const menu = document.querySelector('select.version');
  const shown = document.querySelector('span.version');
  for (const version of versions) menu.add(new Option(version, version));
  menu.value = shown.textContent;
  menu.addEventListener('change', () => {
    location.href = new URL(`${root}../${menu.value}/index.html`, location.href);
  });
  menu.hidden = false;
  shown.hidden = true;
}

function addContentsButton() {
  const button = document.querySelector('button.contents');
  button.hidden = false;
  document.body.classList.add('folds');
  button.addEventListener('click', () => {
    const isOpen = document.body.classList.toggle('open');
    button.setAttribute('aria-expanded', String(isOpen));
  });
}

search.hidden = false;
input.addEventListener('input', show);
input.addEventListener('focus', show);
search.addEventListener('keydown', move);
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.closest('input, select, textarea')) return;
  event.preventDefault();
  input.focus();
});
document.addEventListener('click', (event) => {
  if (!search.contains(event.target)) found.hidden = true;
});
addCopyButtons();
addContentsButton();
if (location.protocol !== 'file:') offerVersions().catch(() => {});
document.querySelector('#contents [aria-current]')?.scrollIntoView({ block: 'nearest' });
