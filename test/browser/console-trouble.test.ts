// Slow: looks at a day with trouble in a browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { BankCondition } from '../../server/src/banks/condition.ts';
import { asOwner } from '../../server/test-support/owner.ts';
import { assertGood, seeHeading } from './account.ts';
import { type ConsoleVisitor, operatorOf } from './console-page.ts';
import { type Site, startSite } from './dashboard.ts';
import { press, rowsOf } from './look.ts';

describe('the console on a day with trouble', () => {
  let site: Site;
  let robin: ConsoleVisitor;

  before(async () => {
    site = await startSite();
    robin = await operatorOf(site, 'Robin Fern');
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  /** Puts a bank through conditions, each so many minutes ago. */
  async function was(bankId: string, ...changes: [condition: BankCondition, minutesAgo: number][]) {
    const now = site.service.now();
    const at = (minutes: number) => now.subtract({ minutes });
    const [condition = 'operational', since = 0] = changes.at(-1) ?? [];
    await asOwner(site.service.db, async (tx) => {
      for (const [is, minutes] of changes)
        await tx.run('INSERT INTO bank_condition_changes VALUES ($1, $2, $3)', [
          bankId,
          at(minutes),
          is,
        ]);
      await tx.run(
        `INSERT INTO bank_conditions (bank_id, operation, condition, since, recent, failing_since)
         VALUES ($1, 'payment', $2, $3, $4, $5)`,
        [
          bankId,
          condition,
          at(since),
          condition === 'down' ? 'xxx' : '.....',
          condition === 'down' ? at(since) : null,
        ],
      );
    });
  }

  test('each bank has a strip of 24 hours, which is said in words too', async () => {
    await was(
      'northbank',
      ['operational', 3_000],
      ['down', 600],
      ['operational', 565],
      ['degraded', 180],
      ['operational', 160],
    );
    await was('tollgate', ['operational', 3_000]);
    await was('harbour', ['operational', 3_000], ['degraded', 45], ['down', 30]);
    await asOwner(site.service.db, (tx) =>
      tx.run(
        `INSERT INTO bank_stops (bank_id, since, given_by, reason, ended_at, ended_by, end_reason, end_sequence)
         VALUES ('northbank', $1, 'Kim Ash', 'a test', $2, 'Kim Ash', 'a test', 1)`,
        [
          site.service.now().subtract({ minutes: 560 }),
          site.service.now().subtract({ minutes: 500 }),
        ],
      ),
    );
    await robin.open('/banks');
    const time = (minutes: number): string =>
      new Intl.DateTimeFormat('en-GB', {
        hour: '2-digit',
        minute: '2-digit',
        timeZone: 'Europe/London',
      }).format(site.service.now().subtract({ minutes }).epochMilliseconds);
    const rows = rowsOf(robin.page, 'Banks');
    await rows
      .filter({ hasText: 'Northbank' })
      .getByText(
        `Down ${time(600)}–${time(565)}, stopped ${time(560)}–${time(500)}, degraded ${time(180)}–${time(160)}`,
      )
      .waitFor();
    const harbour = rows.filter({ hasText: 'Harbour' });
    await harbour.getByText(`Degraded ${time(45)}–${time(30)}, down since ${time(30)}`).waitFor();
    assert.equal(await harbour.locator('.bank-day-down').count(), 1);
    await assertGood(robin.page, 'console, banks over a day');
  });

  test('what is overdue is in the queue with its age, and ends by an operator’s word', async () => {
    const now = site.service.now();
    await asOwner(site.service.db, async (tx) => {
      for (const days of [8, 10])
        await tx.run(
          `INSERT INTO bank_revocations (merchant_id, bank_id, bank_consent_id, due_at, created_at)
           VALUES ($1, 'northbank', $2, $3, $4)`,
          [
            site.service.merchantId,
            `urn-${days}`,
            now.add({ hours: 24 }),
            now.subtract({ hours: days * 24 }),
          ],
        );
    });
    await robin.open('/overdue');
    const listed = rowsOf(robin.page, 'Needs a decision');
    await listed.nth(1).waitFor();
    assert.match((await listed.first().textContent()) ?? '', /confirmed that it deleted.*10 days/);
    const page = 'console, something overdue to end';
    await listed.first().getByRole('link', { name: 'Review' }).click();
    await press(robin.page, 'It has happened…');
    const dialog = robin.page.getByRole('dialog');
    await dialog.getByLabel('Evidence').fill('their letter of 4 March');
    await robin.decide('Ms Hill, by phone', 'It has happened', page);
    await listed.nth(1).waitFor({ state: 'detached' });
    await listed.getByText('8 days').waitFor();
    await listed.getByRole('link', { name: 'Fernhill Gym' }).click();
    await seeHeading(robin.page, 'Fernhill Gym');
  });

  test('a bank that was never called says so, and going down shows on the page that is open', async () => {
    await robin.page.clock.install();
    await robin.open('/banks');
    const fogdale = rowsOf(robin.page, 'Banks').filter({ hasText: 'Fogdale' });
    await fogdale.getByText('Not called yet').waitFor();
    await was('fogdale', ['down', 1]);
    await robin.page.clock.fastForward(10_000);
    await fogdale.getByText('Affects payment orders').waitFor();
    assert.equal(await fogdale.getByText('Not called yet').count(), 0);
  });
});
