import { decodeJwt } from 'jose';
import type { BankDriver, ContractCustomer } from '../src/banks/bank-journey.ts';
import { Browser, type Page } from './browser.ts';
import type { SandboxBank } from './sandbox-bank.ts';

/** The documented customers of the sandbox banks, by their role in the contract. */
const LOGINS: Record<ContractCustomer, string> = {
  ordinary: 'alex',
  penniless: 'nina',
  unanswered: 'uma',
  refused_by_bank: 'dora',
};
const PIN = '1234';

/** Plays the customers of one sandbox bank on its own pages, as a browser would. */
export function sandboxDriver(sandbox: SandboxBank, bankId: string): BankDriver {
  const decide = async (url: string, login: string, button: RegExp): Promise<string> => {
    const browser = new Browser(sandbox.redirectUri);
    const consent = await signIn(browser, await browser.open(url), login);
    const home = await browser.press(consent, button, { pin: PIN });
    const { hash, search } = new URL(home.url);
    return (hash || search).slice(1);
  };
  return {
    redirectUri: sandbox.redirectUri,
    creditor: { sortCode: '089999', accountNumber: '66374958', name: 'Fernhill collections' },
    agree: (url, customer) => decide(url, LOGINS[customer], /^approve$/i),
    disagree: (url, customer) => decide(url, LOGINS[customer], /^decline$/i),
    withdraw: async (customer, bankConsentId) => {
      const browser = new Browser(sandbox.redirectUri);
      const app = `${sandbox.pagesUrl}/${bankId}/app`;
      await signIn(browser, await browser.open(app), LOGINS[customer]);
      const permission = await browser.open(`${app}/consents/${bankConsentId}`);
      await browser.press(permission, /^withdraw permission$/i);
    },
    notifications: () =>
      sandbox.notifications
        .filter((jwt) => decodeJwt(jwt).iss === sandbox.config(bankId).issuer)
        .map((jwt) => ({
          path: `/notifications/banks/${bankId}`,
          headers: {},
          body: Buffer.from(jwt),
        })),
  };
}

function signIn(browser: Browser, page: Page, login: string): Promise<Page> {
  return browser.press(page, /^log in$/i, { persona: login, pin: PIN });
}
