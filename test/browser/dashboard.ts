import assert from 'node:assert/strict';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Role } from '../../server/src/merchants/role.ts';
import { createSignInLink } from '../../server/src/merchants/sign-in/links/links.ts';
import { makeStepUp } from '../../server/src/merchants/sign-in/step-up.ts';
import { createUser } from '../../server/src/merchants/team/users.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { trust } from '../../server/test-support/team-member.ts';
import { besideChromium } from './chromium.ts';

/** A person in their own browser. */
export interface Person {
  email: string;
  context: BrowserContext;
  page: Page;
  /** Goes to a page of the dashboard and waits until its content is shown. */
  open(path: string): Promise<void>;
}

/** The whole service, everything running as for a merchant, and people who use its dashboard. */
export interface Site {
  service: TestService;
  browser: Browser;
  /** Returns a new member of the team, signed in; no page is open yet. */
  member(role?: Role, options?: BrowserContextOptions): Promise<Person>;
  /** Returns a person who is not signed in. */
  stranger(options?: BrowserContextOptions): Promise<Person>;
  /** Fails if a page has complained, called another host, or violated its own policy. */
  assertQuiet(): void;
  close(): Promise<void>;
}

/** Opens a sign-in link, and presses its button. */
export async function useSignInLink(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((at) => !at.pathname.endsWith('/sign-in-link'));
}

/** Uses a sign-in link as its page does, without a page: most tests open one of their own next. */
async function signIn(context: BrowserContext, url: string): Promise<void> {
  const { origin, pathname, searchParams } = new URL(url);
  const answer = await context.request.post(`${origin}${pathname}`, {
    headers: { origin, 'sec-fetch-site': 'same-origin' },
    form: { token: searchParams.get('token') ?? '' },
    maxRedirects: 0,
  });
  assert.equal(answer.headers().location, `${origin}/dashboard`, 'the link signs in');
}

/** Lets a browser have proved a minute ago who is in front of it: the tests of the routes cover who has not. */
async function prove(service: TestService, context: BrowserContext, userId: string): Promise<void> {
  const { platform } = service.running;
  const session = await platform.db.read((tx) =>
    tx.row<{ sessionId: string }>('SELECT id AS session_id FROM sessions WHERE user_id = $1', [
      userId,
    ]),
  );
  assert.ok(session !== null, 'they are signed in');
  const lines: string[] = [];
  const reply = { header: (_name: string, line: string) => lines.push(line) };
  makeStepUp(platform).remember(reply as never, session);
  const [name = '', value = ''] = (lines[0]?.split(';')[0] ?? '').split('=');
  await context.addCookies([{ name, value, url: `${service.baseUrl}/dashboard` }]);
}

/** Starts the site, the engine included: payments, settlements and webhooks happen automatically. */
export async function startSite(env: Record<string, string> = {}): Promise<Site> {
  const [service, browser] = await besideChromium(
    startTestService({ env: { ROLES: 'api,portal,engine', ...env } }),
  );
  const { baseUrl, merchantId, running } = service;
  const { platform } = running;
  const complaints: string[] = [];
  let people = 0;

  const stranger: Site['stranger'] = async (options = {}) => {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      ...options,
    });
    const page = await context.newPage();
    listen(page, new URL(baseUrl).origin, complaints);
    const open = async (path: string): Promise<void> => {
      await page.goto(`${baseUrl}/dashboard${path}`);
      await page.locator('h1').first().waitFor();
    };
    return { email: '', context, page, open };
  };

  const member: Site['member'] = async (role = 'owner', options = {}) => {
    people += 1;
    const email = `${role}-${people}@fernhill.example`;
    const actor = { merchantId, actorId: 'a test' };
    const { url, userId } = await platform.db.transaction(async (tx) => {
      const made = await createUser(
        platform,
        { tx, now: platform.clock.now(), ...actor },
        { email, name: nameOf(role), role },
      );
      return { userId: made.userId, url: (await createSignInLink(platform, tx, email)).url };
    });
    await trust(service.db, userId);
    const person = await stranger(options);
    await signIn(person.context, url);
    await prove(service, person.context, userId);
    return { ...person, email };
  };

  return {
    service,
    browser,
    member,
    stranger,
    assertQuiet: () => assert.deepEqual(complaints.splice(0), []),
    async close() {
      await browser.close();
      await service.close();
    },
  };
}

const nameOf = (role: Role): string => `${role.replace('_', ' ')} Fern`;

/** Collects what must not happen on any page: errors, warnings, policy violations, requests to other hosts. */
function listen(page: Page, origin: string, complaints: string[]): void {
  const isOurs = (url: string): boolean => new URL(url).origin === origin;
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return;
    // A refusal is an ordinary response; Chromium reports each as an error.
    if (/^Failed to load resource: .* status of 4\d\d/.test(message.text())) return;
    // A test lost this answer on purpose: nothing else fails so.
    if (message.text() === 'Failed to load resource: net::ERR_FAILED') return;
    if (isOurs(page.url())) complaints.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${String(error)}`));
  page.on('request', (request) => {
    const isPage = request.isNavigationRequest();
    if (
      !isPage &&
      isOurs(page.url()) &&
      !/^(data|blob):/.test(request.url()) &&
      !isOurs(request.url())
    )
      complaints.push(`${page.url()} asks ${request.url()}`);
  });
}
