import { Browser, type Page, UnexpectedPage } from './browser.ts';

/** What the customer is to do. */
export interface Play {
  consentUrl: string;
  decision: 'grant' | 'deny';
  bankId: string;
  /** The persona's name, and which of its accounts. */
  login: string;
  accountNumber: string;
  /** Where the portal and the banks have their pages; nothing else is loaded. */
  origins: readonly string[];
}

/** Where the customer ended up. */
export interface Played {
  /** The merchant's return URL, or null where the portal itself said goodbye. */
  returnedTo: string | null;
}

/** Every customer of the sandbox banks has this one. */
const PIN = '1234';
/** How often a page is sent again that says that the bank does not answer just now. */
const MOST_TRIES = 6;
const OUTAGE = 503;

/**
 * Plays the customer through the pages of the portal and of the bank, as a browser would: choose the
 * bank, log in there, choose the account, approve or decline, and bring the bank's answer back. Throws
 * `UnexpectedPage`.
 */
export async function playCustomer(play: Play): Promise<Played> {
  const browser = new Browser(play.origins);
  const offer = await browser.open(play.consentUrl);
  const signIn = await trySend(browser, offer, '/bank', { bank_id: play.bankId });
  const review = await browser.send(signIn, '/login', { persona: play.login, pin: PIN });
  const back = await decide(browser, review, play);
  const end = await handOver(browser, back);
  return { returnedTo: end.html === null ? end.url.href : null };
}

/** Sends a form that leads to the bank, and again while the portal says that the bank does not answer. */
async function trySend(
  browser: Browser,
  page: Page,
  action: string,
  values: Record<string, string>,
): Promise<Page> {
  let answer = await browser.send(page, action, values);
  for (let tries = 1; tries < MOST_TRIES && answer.status === OUTAGE; tries++)
    answer = await browser.send(answer, action, values);
  return answer;
}

function decide(browser: Browser, review: Page, play: Play): Promise<Page> {
  if (play.decision === 'deny') return browser.send(review, '/decision', { decision: 'decline' });
  const { accountNumber: account } = play;
  if (review.html?.querySelector(`input[name=account][value="${account}"]`) === null)
    throw new UnexpectedPage(review, `account ${account} to pay from`);
  return browser.send(review, '/decision', { decision: 'approve', account, pin: PIN });
}

/**
 * The bank answers behind the `#`, which no server sees: the portal's page hands it over by a script,
 * here we do.
 */
async function handOver(browser: Browser, back: Page): Promise<Page> {
  const fragment = back.url.hash.slice(1);
  if (fragment === '') throw new UnexpectedPage(back, 'answer of the bank in its address');
  const end = await trySend(browser, back, '/consent/callback', { fragment });
  if (end.status >= 400) throw new UnexpectedPage(end, 'confirmation');
  return end;
}
