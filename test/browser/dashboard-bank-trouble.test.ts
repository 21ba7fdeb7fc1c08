// Slow: looks at every condition of a bank in a browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { asOwner } from '../../server/test-support/owner.ts';
import { until } from '../../server/test-support/until.ts';
import { grantedSchedule, paymentOf } from '../scenarios/acts.ts';
import { assertGood, seeText } from './account.ts';
import { type Person, type Site, startSite } from './dashboard.ts';
import { openEvidence } from './look.ts';

/** Longer than the calls of a bank wait to be stored. */
const QUIET_MS = 1_500;
const DUE = '2026-02-01T09:00:00Z';
/** How a bank is, and what a payment there that was not sent says of it. */
const TROUBLES = {
  operational: 'The last attempt did not go through.',
  degraded: 'Northbank is having problems.',
  down: 'Northbank is not responding.',
  stopped: 'Your payment provider has paused payments at Northbank.',
} as const;
type Trouble = keyof typeof TROUBLES;
const CALLS = { operational: '..........', degraded: '...xx', down: 'xxx', stopped: '..' };

describe('a payment at a bank in trouble, as the merchant and the customer read it', () => {
  let site: Site;
  let owner: Person;
  let customer: Page;
  let paymentId: string;
  let link: string;

  before(async () => {
    site = await startSite();
    const { service } = site;
    const made = await grantedSchedule(service, 'alex', {
      frequency: 'yearly',
      start_date: DUE,
      max_retries: 0,
    });
    link = made.consent_url ?? '';
    await service.advance('2026-02-01T08:00:00Z');
    await service.api('PUT', '/sandbox/banks/northbank', { behaviours: ['unavailable'] });
    await service.advance('2026-02-01T09:01:00Z');
    await conditionsStored();
    paymentId = (await paymentOf(service, made.id)).id;
    owner = await site.member('owner');
    customer = (await site.stranger({ viewport: { width: 390, height: 844 } })).page;
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  /** Waits until how the bank answered is stored, which is done within a second: it would write over what the tests put there. */
  async function conditionsStored(): Promise<void> {
    const stored = (): Promise<object[]> =>
      site.service.db.read((tx) => tx.rows('SELECT * FROM bank_conditions ORDER BY operation'));
    let before = await stored();
    await until('the calls of the bank are stored', async () => {
      await setTimeout(QUIET_MS);
      const now = await stored();
      const isQuiet = now.length > 0 && JSON.stringify(now) === JSON.stringify(before);
      before = now;
      return isQuiet;
    });
  }

  /** Puts the bank into a condition and the payment into a stage; its next try is in half an hour. */
  async function put(trouble: Trouble, isSent: boolean): Promise<string> {
    const now = site.service.now();
    const next = now.add({ minutes: 30 });
    const condition = trouble === 'stopped' ? 'operational' : trouble;
    const failing = trouble === 'down' ? now : null;
    await asOwner(site.service.db, async (tx) => {
      await tx.run(
        "UPDATE payment_work SET stage = 'submit', due_at = $2, leased_until = NULL, news_at = NULL WHERE payment_id = $1",
        [paymentId, next],
      );
      await tx.run('UPDATE attempts SET sent_at = $2 WHERE payment_id = $1', [
        paymentId,
        isSent ? now : null,
      ]);
      await tx.run('DELETE FROM bank_conditions');
      await tx.run(
        `INSERT INTO bank_conditions (bank_id, operation, condition, since, recent, answered_at, failing_since)
         VALUES ('northbank', 'funds', $1, $2, $3, $2, $4)`,
        [condition, now, CALLS[trouble], failing],
      );
      await tx.run('DELETE FROM bank_stops');
      if (trouble === 'stopped')
        await tx.run(
          "INSERT INTO bank_stops (bank_id, since, given_by, reason) VALUES ('northbank', $1, 'Robin', 'secret')",
          [now],
        );
    });
    return next.toZonedDateTimeISO('Europe/London').toPlainTime().toString().slice(0, 5);
  }

  const textOf = async (page: Page): Promise<string> =>
    (await page.locator('main').allInnerTexts()).join(' ').replaceAll(/\s+/g, ' ');

  test('nothing on the page of a payment contradicts whether it was sent, whatever the bank’s condition', async () => {
    for (const trouble of Object.keys(TROUBLES) as Trouble[])
      for (const isSent of [false, true]) {
        const at = await put(trouble, isSent);
        await owner.open(`/payments/${paymentId}`);
        await openEvidence(owner.page);
        await seeText(owner.page, isSent ? 'With the bank' : 'Not sent yet');
        await seeText(owner.page, 'What happened');
        const text = await textOf(owner.page);
        const name = `${trouble}, ${isSent ? 'sent' : 'not sent'}: ${text}`;
        if (isSent) {
          assert.doesNotMatch(
            text,
            /Not sent yet|No payment order has been sent|try again at/,
            name,
          );
          assert.ok(!text.includes(TROUBLES[trouble]), name);
          continue;
        }
        assert.doesNotMatch(
          text,
          /With (the b|Northb)ank|The outcome will appear|On its way/,
          name,
        );
        assert.match(text, /No payment order has been sent for attempt 1/, name);
        assert.ok(text.includes(TROUBLES[trouble]), name);
        assert.equal(text.includes(`We will try again at ${at}.`), trouble !== 'stopped', name);
      }
  });

  test('the customer’s page says the same', async () => {
    for (const trouble of Object.keys(TROUBLES) as Trouble[])
      for (const isSent of [false, true]) {
        const at = await put(trouble, isSent);
        await customer.goto(link);
        const text = await textOf(customer);
        assert.equal(text.includes('On its way'), isSent, `${trouble}: ${text}`);
        assert.equal(text.includes('Not sent yet'), !isSent, `${trouble}: ${text}`);
        const isTold = !isSent && trouble !== 'stopped';
        assert.equal(text.includes(`We will try again at ${at}.`), isTold, `${trouble}: ${text}`);
      }
  });

  test('the overview and Needs attention name a bank that is down or stopped, and no other', async () => {
    for (const [trouble, title] of [
      ['down', 'Northbank is not responding'],
      ['stopped', 'Your payment provider has paused payments at Northbank'],
    ] as const) {
      await put(trouble, false);
      for (const path of ['/', '/attention']) {
        await owner.open(path);
        await owner.page.getByLabel('Notices about banks').getByText(title).waitFor();
        await assertGood(owner.page, `${path} with a bank that is ${trouble}`);
      }
    }
    await put('degraded', false);
    await owner.open('/attention');
    await seeText(owner.page, 'Needs attention');
    assert.equal(await owner.page.getByLabel('Notices about banks').count(), 0);
  });
});
