// Follows what happens to this link in another browser, and then goes to the page that shows it.
const FIRST_MS = 3000;
const LONGEST_MS = 30_000;
const SLOWER = 1.15;
const GIVE_UP_MS = 30 * 60_000;

const place = document.querySelector('[data-follow]');
const { follow, progress, next } = place.dataset;
const until = Date.now() + GIVE_UP_MS;
let wait = FIRST_MS;
let timer = 0;

function say(isFollowing) {
  for (const one of place.querySelectorAll('[data-while]'))
    one.hidden = (one.dataset.while === 'following') !== isFollowing;
}

// Nobody sees it: the page is in the background, or too narrow for its way to another device.
const isUnseen = () => document.hidden || place.getClientRects().length === 0;

async function look() {
  if (isUnseen()) return again();
  // biome-ignore lint/style/noRestrictedGlobals: a browser has no other way
  const response = await fetch(follow).catch(() => null);
  if (response?.status === 404) return stop();
  const now = response?.ok ? (await response.json().catch(() => null))?.progress : undefined;
  if (timer === 0) return; // the customer goes on in this browser
  if (now !== undefined && now !== progress) return location.replace(next);
  again();
}

function again() {
  if (Date.now() > until) return stop();
  clearTimeout(timer);
  timer = setTimeout(look, wait);
  wait = Math.min(wait * SLOWER, LONGEST_MS);
}

function stop() {
  clearTimeout(timer);
  timer = 0;
  say(false);
}

function start() {
  say(true);
  again();
}

addEventListener('pageshow', start);
addEventListener('submit', stop);
document.addEventListener('visibilitychange', () => {
  if (document.hidden || timer === 0) return;
  wait = FIRST_MS;
  clearTimeout(timer);
  void look();
});
