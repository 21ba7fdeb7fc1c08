// Measures the dashboard's load times for a merchant with 10,000 schedules and 200,000 payments: `node bench/dashboard.ts`.
// Figures are milliseconds in a real Chromium, medians of seven loads, each with its ratio to an empty merchant's.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import type { BrowserContext, Page } from 'playwright-core';
import { buildDashboard } from '../scripts/build-dashboard.ts';
import { createSignInLink } from '../server/src/merchants/sign-in/links/links.ts';
import { createUser } from '../server/src/merchants/team/users.ts';
import { createSchedule } from '../server/src/schedules/change/service.ts';
import { ensureTemplate } from '../server/test-support/database.ts';
import { BE_OWNER } from '../server/test-support/owner.ts';
import { newMerchant, startTestService, type TestService } from '../server/test-support/service.ts';
import { useSharedServer } from '../server/test-support/shared-server.ts';
import { openChromium } from '../test/browser/chromium.ts';
import { useSignInLink } from '../test/browser/dashboard.ts';

const SCHEDULES = 10_000;
const PAYMENTS_EACH = 20;
const CONCURRENCY = 8;
const LOADS = 7;

/** What each page shows once it is usable. */
const PAGES: Readonly<Record<string, string>> = {
  '/': 'main h2',
  '/schedules': 'main table, main .empty',
  '/payments': 'main table, main .empty',
  '/customers': 'main table, main .empty',
};

async function seed(service: TestService, merchantId: string): Promise<void> {
  const { platform, service: wired } = service.running;
  const now = platform.clock.now();
  for (let first = 0; first < SCHEDULES; first += CONCURRENCY)
    await Promise.all(
      Array.from({ length: CONCURRENCY }, (_, i) =>
        platform.db.forMerchant(merchantId, (tx) =>
          createSchedule(
            wired.schedules,
            { tx, now, merchantId },
            {
              amount: { value: 1000 + ((first + i) % 5000), currency: 'GBP' },
              frequency: { type: 'monthly', day: 1 + ((first + i) % 28) },
              customer: { phone: `+4477009${String((first + i) % 100_000).padStart(5, '0')}` },
              description: `Subscription ${first + i}`,
            },
          ),
        ),
      ),
    );
  await platform.db.transaction(async (tx) => {
    await tx.run(
      `UPDATE schedules SET status = 'active', live_version = 1, consented_version = 1,
         consent_id = (SELECT consent_id FROM consents c WHERE c.schedule_id = schedules.schedule_id)
       WHERE merchant_id = $1`,
      [merchantId],
    );
    await tx.run(
      `UPDATE schedule_agenda SET due_at = $2::timestamptz + (random() * 30) * interval '1 day' WHERE merchant_id = $1`,
      [merchantId, now],
    );
    await tx.run(
      `INSERT INTO payments (merchant_id, payment_id, schedule_id, customer_id, consent_id, wallet_id, bank_id, amount_pence,
         currency, due_date, status, created_at, completed_at, failed_at)
       SELECT s.merchant_id, 'pay_' || lpad(k::text, 4, '0') || right(s.schedule_id, 18), s.schedule_id, s.customer_id,
         s.consent_id, 'wal_0', 'northbank', 2500, 'GBP', d.at, CASE WHEN k % 10 = 9 THEN 'failed' ELSE 'success' END, d.at,
         CASE WHEN k % 10 < 9 THEN d.at END, CASE WHEN k % 10 = 9 THEN d.at END
       FROM schedules s JOIN schedule_agenda a USING (merchant_id, schedule_id) CROSS JOIN generate_series(0, $2::int - 1) AS k
       CROSS JOIN LATERAL (SELECT a.due_at - (k + 1) * interval '30 days' AS at) d WHERE s.merchant_id = $1`,
      [merchantId, PAYMENTS_EACH],
    );
    await tx.run(
      `INSERT INTO to_settle (merchant_id, payment_id, settle_at, amount_pence)
       SELECT merchant_id, payment_id, completed_at, amount_pence FROM payments WHERE merchant_id = $1 AND status = 'success'`,
      [merchantId],
    );
    await tx.run(BE_OWNER);
    for (const table of [
      'schedules',
      'schedule_agenda',
      'payments',
      'to_settle',
      'customers',
      'consents',
    ])
      await tx.run(`ANALYZE ${table}`);
  });
}

async function signIn(service: TestService, merchantId: string, page: Page): Promise<void> {
  const { platform } = service.running;
  const email = `${merchantId.toLowerCase()}@bench.example`;
  const url = await platform.db.transaction(async (tx) => {
    const actor = { merchantId, actorId: 'the bench' };
    const person = { email, name: 'Kim Fern', role: 'owner' as const };
    await createUser(platform, { tx, now: platform.clock.now(), ...actor }, person);
    return (await createSignInLink(platform, tx, email)).url;
  });
  await useSignInLink(page, url);
  await page.locator('h1').first().waitFor();
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Measures from the click on a link until the page's last response is drawn and nothing is loading any more. */
async function timePage(context: BrowserContext, url: string, shown: string): Promise<number> {
  const times: number[] = [];
  for (let load = 0; load < LOADS; load++) {
    const page = await context.newPage();
    const began = performance.now();
    await page.goto(url, { waitUntil: 'commit' });
    await page.locator(shown).first().waitFor();
    await page.locator('[aria-busy="true"], .skeleton').first().waitFor({ state: 'detached' });
    times.push(performance.now() - began);
    await page.close();
  }
  return median(times);
}

/** Returns the size of the JavaScript and style sheets that the first page needs, in bytes as sent. */
function firstLoadBytes(): number {
  const folder = fileURLToPath(new URL('../dashboard/dist/', import.meta.url));
  const html = readFileSync(`${folder}index.html`, 'utf8');
  const needed = [...html.matchAll(/"\.\/(assets\/[^"]+)"/g)].map(([, file = '']) => file);
  const overview = globSync('assets/overview-page-*.{js,css}', { cwd: folder });
  return [...needed, ...overview]
    .map((file) => brotliCompressSync(readFileSync(`${folder}${file}`)).length)
    .reduce((sum, bytes) => sum + bytes, 0);
}

async function main(): Promise<void> {
  await buildDashboard();
  const server = await useSharedServer();
  process.env.RECOLLECT_TEST_POSTGRES = server.url;
  await ensureTemplate(server.url);
  const [service, browser] = [await startTestService(), await openChromium()];
  try {
    const large = service.merchantId;
    await seed(service, large);
    const { merchantId: empty } = await newMerchant(service.running);
    const contexts = { large: await browser.newContext(), empty: await browser.newContext() };
    await signIn(service, large, await contexts.large.newPage());
    await signIn(service, empty, await contexts.empty.newPage());
    console.log(
      `${SCHEDULES} schedules, ${SCHEDULES * PAYMENTS_EACH} payments; first load ${firstLoadBytes()} bytes`,
    );
    for (const [path, shown] of Object.entries(PAGES)) {
      const url = `${service.baseUrl}/dashboard${path}`;
      const none = await timePage(contexts.empty, url, shown);
      const all = await timePage(contexts.large, url, shown);
      console.log(
        `${path.padEnd(12)} ${all.toFixed(0)} ms, empty ${none.toFixed(0)} ms, ratio ${(all / none).toFixed(2)}`,
      );
    }
  } finally {
    await browser.close();
    await service.close();
    await server.leave(true);
  }
}

await main();
