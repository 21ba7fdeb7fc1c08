// Takes the screenshots of docs/images from a real sandbox in which two months have passed: `npm run screenshots`, or
// `npm run screenshots -- consent payment` for some of them.
import { fileURLToPath } from 'node:url';
import type { BrowserContext } from 'playwright-core';
import { createSignInLink } from '../server/src/merchants/sign-in/links/links.ts';
import { createUser } from '../server/src/merchants/team/users.ts';
import { ensureTemplate } from '../server/test-support/database.ts';
import { startTestService, type TestService } from '../server/test-support/service.ts';
import { useSharedServer } from '../server/test-support/shared-server.ts';
import { openChromium } from '../test/browser/chromium.ts';
import { useSignInLink } from '../test/browser/dashboard.ts';
import { buildDashboard } from './build-dashboard.ts';

const FOLDER = fileURLToPath(new URL('../docs/images/', import.meta.url));
const SIZE = { width: 1280, height: 860 };
const HEIGHTS: Readonly<Record<string, number>> = { overview: 1290, consent: 1260 };
const SETTLED_MS = 2_500; // charts animate, and the page polls once more

const MERCHANT = {
  name: 'Fernhill Broadband',
  legalName: 'Fernhill Broadband Ltd',
  settlementAccount: {
    sortCode: '089999',
    accountNumber: '66374958',
    name: 'Fernhill Broadband Ltd',
  },
};
const CUSTOMERS = ['alex', 'sam', 'uma', 'otto', 'sid', 'nina', 'tina', 'alex', 'sam', 'alex'];
const NAMES = [
  'Alex Marlow',
  'Sam Ainsworth',
  'Uma Patel',
  'Otto Reed',
  'Sid Barker',
  'Nina Holt',
  'Tina Okafor',
  'Priya Shah',
  'Owen Price',
  'Grace Lindqvist',
];
const WHAT = [
  'Full fibre 300',
  'Full fibre 900',
  'Phone line',
  'Static address',
  'Router rental',
  'Business line',
  'TV and sport',
  'Mobile, 20 GB',
  'Backup line',
  'Support plan',
];

/** Plays a broadband provider's first two months: most customers pay, some cannot, one webhook fails for a while. */
async function live(service: TestService): Promise<void> {
  for (const [i, description] of WHAT.entries()) {
    const { body } = await service.api<{ id: string }>('POST', '/api/v1/schedules', {
      amount: { value: 1_999 + i * 650, currency: 'GBP' },
      frequency:
        i % 4 === 1 ? { type: 'weekly', day: 1 + (i % 5) } : { type: 'monthly', day: 3 + i * 2 },
      customer: { phone: `+4477009001${String(i).padStart(2, '0')}`, name: NAMES[i] },
      description,
      metadata: { order: `FB-${2041 + i}` },
    });
    if (i < WHAT.length - 1) await service.grant(body.id, CUSTOMERS[i]);
  }
  await service.advance('P33D');
  service.receiver.answers.push(204, 500);
  await service.advance('P26D');
}

async function signIn(service: TestService, context: BrowserContext): Promise<void> {
  const { platform } = service.running;
  const url = await platform.db.transaction(async (tx) => {
    const actor = { merchantId: service.merchantId, actorId: 'the pictures' };
    const person = { email: 'owner@fernhill.example', name: 'Robin Fern', role: 'owner' as const };
    await createUser(platform, { tx, now: platform.clock.now(), ...actor }, person);
    return (await createSignInLink(platform, tx, person.email)).url;
  });
  const page = await context.newPage();
  await useSignInLink(page, url);
  await page.locator('h1').first().waitFor();
  await page.close();
}

/** Returns the id of the newest matching object in a list of the API. */
async function newest(
  service: TestService,
  path: string,
  fits: (item: Record<string, unknown>) => boolean,
): Promise<string> {
  const { body } = await service.api<{ data: Record<string, unknown>[] }>('GET', path);
  const found = body.data.find(fits);
  if (found === undefined) throw new Error(`${path} has nothing to show`);
  return String(found.id);
}

/** Returns the address of each picture's page. */
async function pages(service: TestService): Promise<Record<string, string>> {
  const failed = (delivery: { attempt_count?: number }): boolean =>
    (delivery.attempt_count ?? 0) > 1;
  const schedule = await newest(
    service,
    '/api/v1/schedules?limit=100',
    (item) => item.description === WHAT[1],
  );
  const payment = await newest(
    service,
    '/api/v1/payments?limit=100',
    (item) => item.status === 'success' && (item.attempts as unknown[]).length > 1,
  );
  const { body: waiting } = await service.api<{ consent_url: string }>(
    'POST',
    '/api/v1/schedules',
    {
      amount: { value: 2_999, currency: 'GBP' },
      frequency: { type: 'monthly', day: 12 },
      customer: { phone: '+447700900200', name: 'Maya Okoro' },
      description: 'Full fibre 500',
    },
  );
  const settlement = await newest(
    service,
    '/api/v1/settlements?limit=50',
    (item) => item.status === 'success',
  );
  const event = await newest(service, '/api/v1/events?limit=100', (item) =>
    (item.deliveries as { attempt_count?: number }[]).some(failed),
  );
  const dashboard = `${service.baseUrl}/dashboard`;
  return {
    consent: waiting.consent_url,
    overview: `${dashboard}/`,
    schedule: `${dashboard}/schedules/${schedule}`,
    'new-schedule': `${dashboard}/schedules/new`,
    settlement: `${dashboard}/settlements/${settlement}`,
    event: `${dashboard}/webhooks/events/${event}`,
    payments: `${dashboard}/payments`,
    payment: `${dashboard}/payments/${payment}`,
    failures: `${dashboard}/reports`,
    calendar: `${dashboard}/reports/calendar`,
  };
}

async function takePictures(service: TestService): Promise<void> {
  const browser = await openChromium();
  try {
    const context = await browser.newContext({ viewport: SIZE, locale: 'en-GB' });
    await signIn(service, context);
    const wanted = process.argv.slice(2);
    for (const [name, url] of Object.entries(await pages(service))) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      const page = await context.newPage();
      await page.setViewportSize({ ...SIZE, height: HEIGHTS[name] ?? SIZE.height });
      await page.goto(url);
      await page.locator('h1').first().waitFor();
      if (name === 'new-schedule') {
        await page
          .getByLabel(/amount/i)
          .first()
          .fill('24.99');
        await page
          .getByLabel(/description/i)
          .first()
          .fill('Full fibre 500');
      }
      await page.waitForTimeout(SETTLED_MS);
      await page.screenshot({ path: `${FOLDER}${name}.png` });
      await page.close();
    }
  } finally {
    await browser.close();
  }
}

await buildDashboard();
const server = await useSharedServer();
process.env.RECOLLECT_TEST_POSTGRES = server.url;
try {
  await ensureTemplate(server.url);
  const service = await startTestService({ merchant: MERCHANT });
  try {
    await live(service);
    await takePictures(service);
  } finally {
    await service.close();
  }
} finally {
  await server.leave(true);
}
