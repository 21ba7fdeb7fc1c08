// Slow: looks at one trouble after the other as a merchant sees it.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { asOwner } from '../../server/test-support/owner.ts';
import { grantedSchedule, paymentOf, readSchedule } from '../scenarios/acts.ts';
import { assertGood, seeHeading, seeText } from './account.ts';
import { assertAccessible } from './axe.ts';
import { assertReads } from './axe-page.ts';
import { type Person, type Site, startSite } from './dashboard.ts';
import { card, gone, press, rowsOf } from './look.ts';

interface Made {
  id: string;
  /** The customer's page. */
  link: string;
}

describe('what does not go straight, as the merchant and the customer read it', () => {
  let site: Site;
  let owner: Person;
  let page: Page;
  /** The customer's browser. */
  let customer: Page;

  before(async () => {
    site = await startSite();
    owner = await site.member('owner');
    page = owner.page;
    customer = (await site.stranger({ viewport: { width: 390, height: 844 } })).page;
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  /** Creates a schedule that is collected on this day at nine, once a year. */
  async function due(account: string, day: string, pence: number): Promise<Made> {
    const made = await grantedSchedule(site.service, account, {
      amount: { value: pence, currency: 'GBP' },
      frequency: 'yearly',
      start_date: `${day}T09:00:00Z`,
      max_retries: 0,
      description: `Yearly fee of ${account}`,
    });
    return { id: made.id, link: made.consent_url ?? '' };
  }

  /** Turns on exactly these switches of the issuer. */
  async function switchIssuer(...labels: string[]): Promise<void> {
    await owner.open('/sandbox');
    const issuer = card(page, 'The e-money issuer');
    await issuer.getByRole('checkbox').first().waitFor();
    for (const box of await issuer.getByRole('checkbox').all()) await box.uncheck();
    for (const label of labels) await issuer.getByLabel(label).check();
    await press(issuer, 'Save issuer');
    await seeText(page, 'E-money issuer updated.');
    await assertGood(page, `the issuer with ${labels.join(' and ')}`);
  }

  async function portalLooksGood(name: string): Promise<void> {
    await assertAccessible(customer, name);
    await assertReads(customer, name);
  }

  async function openPayment(scheduleId: string): Promise<void> {
    await owner.open(`/payments/${(await paymentOf(site.service, scheduleId)).id}`);
  }

  test('after a stop both are told which payment may still arrive, and when it no longer can', async () => {
    const { service } = site;
    const paused = await due('sid', '2026-01-06', 4999);
    const withdrawn = await due('sid', '2026-01-06', 1250);
    await service.advance('2026-01-06T09:30:00Z');
    await owner.open(`/schedules/${paused.id}`);
    await press(page, 'Pause');
    const asking = page.getByRole('alertdialog', { name: /^Pause collections from / });
    await press(asking, 'Pause');
    await gone(asking);
    await seeText(page, 'This payment may still arrive');
    await assertGood(page, 'a paused schedule with a payment under way');
    await customer.goto(withdrawn.link);
    await portalLooksGood('a payment on its way');
    await press(customer, 'Withdraw permission');
    await portalLooksGood('asking about a withdrawal');
    await press(customer, 'Withdraw permission');
    await seeHeading(customer, 'Your permission has ended');
    await seeText(customer, '£12.50');
    await portalLooksGood('a withdrawal with a payment under way');
    await owner.open(`/schedules/${withdrawn.id}`);
    await seeText(page, 'This payment may still arrive');
    await assertGood(page, 'a withdrawn schedule with a payment under way');
    await service.advance('2026-01-06T14:00:00Z');
    await customer.reload();
    await seeText(customer, 'No payments are in progress');
    await page.getByText('This payment may still arrive').waitFor({ state: 'detached' });
    assert.equal((await readSchedule(service, withdrawn.id)).status, 'cancelled');
  });

  test('a consent that the bank says is over is named on its schedule until a second look', async () => {
    const { id } = await due('rex', '2026-01-07', 2000);
    await site.service.advance('2026-01-07T09:20:00Z');
    await owner.open(`/schedules/${id}`);
    await seeText(page, 'The bank says this consent has ended');
    await seeText(page, /^\S+ ••0051$/);
    await assertGood(page, 'a schedule whose consent is in doubt');
  });

  test('a payment that is a penny short is looked into, and everybody who sees it is told so', async () => {
    await switchIssuer('Pay-ins arrive a penny short');
    const { id, link } = await due('alex', '2026-01-08', 4999);
    await site.service.advance('2026-01-08T12:00:00Z');
    await owner.open('/');
    await card(page, 'Needs attention')
      .getByRole('link', { name: /1 payment under investigation/ })
      .click();
    const asked = card(page, 'Under investigation').getByRole('link', {
      name: /Payment of £49\.99/,
    });
    await asked.getByText('A different amount from the one requested has arrived.').waitFor();
    await assertGood(page, 'what needs attention, with a payment in question');
    await asked.click();
    await seeHeading(page, 'Payment of £49.99');
    await card(page, 'Progress')
      .getByText(/^We are looking into this payment with Northbank/)
      .waitFor();
    await seeText(page, '£49.98 arrived unexpectedly');
    await seeText(page, 'Northbank ••0011');
    await assertGood(page, 'a payment that waits for a person');
    await customer.goto(link);
    await seeText(customer, 'We received £49.98 that we did not expect.');
    await portalLooksGood('a payment that is looked into');
    await owner.open(`/schedules/${id}`);
    await assertGood(page, 'a schedule with a payment in question');
  });

  test('a recalled payment says so, and the settlement that pays for it shows every number', async () => {
    const { service } = site;
    await switchIssuer('Pay-ins are recalled two days after they arrived');
    const recalled = await due('alex', '2026-01-12', 2000);
    await service.advance('2026-01-13T12:00:00Z');
    await switchIssuer('Pay-outs come back two days after they settled');
    await due('alex', '2026-01-14', 5000);
    await service.advance('2026-01-15T12:00:00Z');
    await openPayment(recalled.id);
    await seeText(page, 'The customer’s bank recalled £20.00');
    await assertGood(page, 'a recalled payment');
    await customer.goto(recalled.link);
    await seeText(customer, /Your bank took back £20\.00 on 1\d January 2026/);
    assert.equal(await customer.getByText('Paid', { exact: true }).count(), 0);
    await portalLooksGood('a recalled payment on the portal');
    await owner.open('/settlements');
    await rowsOf(page, 'Settlements').getByRole('link', { name: 'Thu 15 Jan 2026' }).click();
    await seeHeading(page, 'Settlement of £30.00');
    await assertGood(page, 'a settlement less a recalled payment');
    await service.advance('2026-01-18T12:00:00Z');
    await seeText(page, 'The pay-out was returned');
    await assertGood(page, 'a pay-out that came back');
  });

  test('an invariant that could not be checked is not said to hold', async () => {
    // A check may still be under way after the last move, and would overwrite a finding set now.
    await asOwner(site.service.db, async (tx) => {
      await tx.run(
        `CREATE FUNCTION not_compared() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           NEW.holds := NULL;
           NEW.unknown_since := NEW.checked_at;
           NEW.unknown_reason := 'the issuer does not answer';
           RETURN NEW;
         END $$`,
      );
      await tx.run(
        `CREATE TRIGGER not_compared BEFORE INSERT OR UPDATE ON law_findings FOR EACH ROW
           WHEN (NEW.law = 'ledger-equals-issuer') EXECUTE FUNCTION not_compared()`,
      );
      await tx.run('UPDATE law_findings SET checked_at = checked_at');
    });
    await owner.open('/');
    const laws = card(page, 'Books checked');
    await laws.getByText(/could not be made/).waitFor();
    await laws.getByText('What is checked').click();
    await laws.getByText(/the issuer does not answer/).waitFor();
    await assertGood(page, 'invariants that could not be checked');
  });
});
