// Keeps an open page of the app as the bank's books are, without a reload, and lets a notification drop in
// when a collection starts. Without this script the pages say the same when they are loaded again.

const EVERY_MS = 1_000;
const SLOWEST_MS = 30_000;
const SHOWN_MS = 8_000;

const banner = document.querySelector('.drop');
let version = null;
let wait = EVERY_MS;
let hiding;

const arrivals = (root) => [...root.querySelectorAll('[data-arrival]')];
const seen = new Set(arrivals(document).map((item) => item.dataset.arrival));

/** Puts what has changed on the page into its place; open details and the focus stay where they are. */
function take(fresh) {
  for (const part of document.querySelectorAll('[data-live]')) {
    const next = fresh.querySelector(`[data-live="${part.dataset.live}"]`);
    if (next === null || next.innerHTML === part.innerHTML) continue;
    const focused = part.contains(document.activeElement) ? placeOf(document.activeElement) : null;
    const opened = [...part.querySelectorAll('details[open]')].map((one) => one.id);
    part.replaceChildren(...next.cloneNode(true).childNodes);
    for (const id of opened) document.getElementById(id)?.setAttribute('open', '');
    if (focused !== null) part.querySelector(focused)?.focus({ preventScroll: true });
  }
}

function placeOf(element) {
  if (element.matches('summary')) return `#${CSS.escape(element.parentElement.id)} > summary`;
  const href = element.getAttribute('href');
  return href === null ? null : `[href="${CSS.escape(href)}"]`;
}

/** The newest of what was not there before drops in from the top, as on a phone. */
function announce() {
  const now = arrivals(document);
  const fresh = now.filter((item) => !seen.has(item.dataset.arrival));
  for (const item of now) seen.add(item.dataset.arrival);
  const [newest] = fresh;
  if (newest === undefined) return;
  banner.replaceChildren(...newest.cloneNode(true).childNodes);
  banner.classList.add('shown');
  clearTimeout(hiding);
  hiding = setTimeout(hideInTime, SHOWN_MS);
}

function hide() {
  banner.classList.remove('shown');
  banner.replaceChildren();
}

/** Nobody loses what they point at or have the focus on. */
function hideInTime() {
  if (banner.matches(':hover, :focus-within')) hiding = setTimeout(hideInTime, EVERY_MS);
  else hide();
}

async function look() {
  const answer = await window.fetch(location.href, {
    headers: version === null ? {} : { 'if-none-match': version },
    cache: 'no-store',
  });
  if (answer.status === 304) return;
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  if (fresh.querySelector('[data-live]') === null) {
    location.reload(); // signed out meanwhile
    return;
  }
  version = answer.headers.get('etag');
  take(fresh);
  announce();
}

async function goOn() {
  if (!document.hidden) {
    try {
      await look();
      wait = EVERY_MS;
    } catch {
      wait = Math.min(wait * 2, SLOWEST_MS);
    }
  }
  setTimeout(goOn, wait);
}

document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') hide();
});
setTimeout(goOn, EVERY_MS);
