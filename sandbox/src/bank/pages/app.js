// Keeps an open page of the app in step with the bank's books, without a reload, and shows a notification banner when a
// collection starts. Without this script, reloading a page shows the same.

const EVERY_MS = 1_000;
const SLOWEST_MS = 30_000;
const SHOWN_MS = 8_000;

const banner = document.querySelector('.drop');
let version = null;
let wait = EVERY_MS;
let hiding;

const arrivals = (root) => [...root.querySelectorAll('[data-arrival]')];
const seen = new Set(arrivals(document).map((item) => item.dataset.arrival));

/** Updates the changed parts of the page; keeps open details and the focus. */
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

/** Shows the newest new notification as a banner at the top, as a phone does. */
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

/** Keeps the banner while the pointer or the focus is on it. */
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
    location.reload(); // the customer has been signed out
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
