import { invalid } from '../platform/values/errors.ts';
import { Browser, type Page, UnexpectedPage } from './browser.ts';

/** What the customer has to do. */
export interface Play {
  consentUrl: string;
  decision: 'grant' | 'deny';
  bankId: string;
  /** The consent is granted, and the bank wants its customer to confirm it again. */
  isConfirming?: boolean;
  /** The persona's name, and one of its account numbers. */
  login: string;
  accountNumber: string;
  /** The origins of the portal's and the banks' pages; nothing else is loaded. */
  origins: readonly string[];
}

/** Where the customer ended up. */
export interface Played {
  /** The merchant's return URL, or null if the portal showed its own closing page. */
  returnedTo: string | null;
}

/** The PIN of every customer of the sandbox banks. */
const PIN = '1234';
/** How often a form is sent while the bank does not respond, or the page shows what the customer is asked now. */
const MAX_TRIES = 6;
const SEND_AGAIN = [503, 409];

/**
 * Plays the customer through the pages of the portal and of the bank, as a browser would: chooses the bank, logs in there,
 * chooses the account, approves or declines, and returns the bank's response. Throws `UnexpectedPage`.
 */
export async function playCustomer(play: Play): Promise<Played> {
  const browser = new Browser(play.origins);
  const offer = await browser.open(play.consentUrl);
  const signIn = play.isConfirming
    ? await trySend(browser, offer, '/confirm', {})
    : await trySend(browser, offer, '/bank', { bank_id: play.bankId });
  const review = await browser.send(signIn, '/login', { persona: play.login, pin: PIN });
  const back = await decide(browser, review, play);
  const end = await followFragment(browser, back);
  return { returnedTo: end.html === null ? end.url.href : null };
}

/** Sends a form that leads to the bank; again while the bank does not respond, or where the page shows what is different now. */
async function trySend(
  browser: Browser,
  page: Page,
  action: string,
  values: Record<string, string>,
): Promise<Page> {
  let answer = await browser.send(page, action, values);
  for (let tries = 1; tries < MAX_TRIES && SEND_AGAIN.includes(answer.status); tries++)
    answer = await browser.send(answer, action, values);
  return answer;
}

function decide(browser: Browser, review: Page, play: Play): Promise<Page> {
  if (play.decision === 'deny') return browser.send(review, '/decision', { decision: 'decline' });
  const { accountNumber: account } = play;
  if (review.html?.querySelector(`input[name=account][value="${account}"]`) === null)
    throw accountNotOffered(review, account);
  return browser.send(review, '/decision', { decision: 'approve', account, pin: PIN });
}

/** The bank offers the account that the merchant has named, or others; a customer without the named one is offered none. */
function accountNotOffered(review: Page, account: string): Error {
  if (review.status >= 400) return new UnexpectedPage(review, `account ${account} to pay from`);
  const offered = review.html?.querySelectorAll('input[name=account]') ?? [];
  const numbers = offered.map((input) => input.getAttribute('value')).join(', ') || 'none';
  return invalid({
    account: `the bank does not offer ${account} to pay from; it offers: ${numbers}`,
  });
}

/** Passes on the bank's response behind the `#`, which servers do not see: on the portal's page a script does it. */
async function followFragment(browser: Browser, back: Page): Promise<Page> {
  const { hash, search } = back.url;
  const fragment = (hash || search).slice(1);
  if (fragment === '') throw new UnexpectedPage(back, 'answer of the bank in its address');
  const end = await trySend(browser, back, '/consent/callback', { fragment });
  if (end.status >= 400) throw new UnexpectedPage(end, 'confirmation');
  return end;
}
