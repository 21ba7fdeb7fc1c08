// Slow: goes through the life of an endpoint in a browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { isGenuine, type Receiver, startReceiver } from '../../server/test-support/receiver.ts';
import { until } from '../../server/test-support/until.ts';
import { grantedSchedule, newSchedule } from '../scenarios/acts.ts';
import { assertGood, seeHeading, seeText, textOf } from './account.ts';
import { type Person, type Site, startSite } from './dashboard.ts';
import { card, copied, gone, press, rowsOf, wordsOn } from './look.ts';

const DESCRIPTION = 'The shop';
/** Events that the new endpoint does not subscribe to. */
const UNWANTED = [
  'schedule.setup_failed',
  'schedule.cancelled',
  'collection.success',
  'collection.failed',
];

describe('the webhooks', () => {
  let site: Site;
  let owner: Person;
  let page: Page;
  /** The receiver of the endpoint added here; the fixture has its own endpoint. */
  let shop: Receiver;
  let secret: string;

  before(async () => {
    [site, shop] = await Promise.all([startSite(), startReceiver()]);
    owner = await site.member('owner', { permissions: ['clipboard-read', 'clipboard-write'] });
    page = owner.page;
  });
  afterEach(() => site.assertQuiet());
  after(async () => {
    await site?.close();
    await shop?.close();
  });

  /** Goes to the endpoint's page through the navigation. */
  async function openEndpoint(): Promise<void> {
    await owner.open('/webhooks');
    await page.getByRole('link', { name: DESCRIPTION }).click();
    await seeHeading(page, DESCRIPTION);
  }

  /** Sends a test from the endpoint's page; the page of its event is open afterwards. */
  async function sendTest(): Promise<void> {
    await press(page, 'Send a test');
    await seeHeading(page, 'endpoint.test');
  }

  /** Saves a form, and waits until there is nothing left to discard. */
  async function save(form: Locator): Promise<void> {
    await press(form, 'Save changes');
    await gone(form.getByRole('button', { name: 'Discard changes' }));
    await seeText(page, 'Saved.');
  }

  /** Finds the only undelivered event, and goes to its page. */
  async function openUndelivered(kind: string): Promise<void> {
    await owner.open('/webhooks/events');
    await press(page, 'Undelivered');
    await until('one is left', async () => (await page.locator('tbody tr').count()) === 1);
    await page.getByRole('link', { name: kind }).click();
    await seeHeading(page, kind);
  }

  const delivery = () => card(page, `Delivery to ${shop.url.replace('http://', '')}`);

  test('an endpoint is added, and its secret is shown once and signs what it gets', async () => {
    await owner.open('/webhooks');
    await press(page, 'Add an endpoint');
    const adding = page.getByRole('dialog', { name: 'Add an endpoint' });
    await assertGood(page, 'adding an endpoint');
    await adding.getByLabel('URL', { exact: true }).fill(`${shop.url}-in-town`);
    await adding.getByLabel('Description').fill(DESCRIPTION);
    const withdrawn = adding.getByLabel('consent.revoked', { exact: true });
    assert.ok(await withdrawn.isChecked(), 'a withdrawal is heard of unless it is unticked');
    await withdrawn.uncheck();
    await seeText(page, 'Without consent.revoked, you are not notified when a customer withdraws.');
    for (const kind of UNWANTED) await adding.getByLabel(kind, { exact: true }).uncheck();
    await press(adding, 'Add the endpoint');
    const shown = page.getByRole('dialog', { name: 'Your endpoint’s secret' });
    secret = await textOf(shown.locator('code').first());
    await assertGood(page, 'the secret of an endpoint');
    await press(shown, 'Copy the secret');
    await seeText(page, 'Copied.');
    assert.equal(await copied(page), secret);
    await press(shown, 'I have saved it');
    await gone(shown);
    await openEndpoint();
    await seeText(page, 'Address and events');
    assert.ok(!(await wordsOn(page)).includes(secret), 'the secret is not shown again');
    await assertGood(page, 'an endpoint');
    await sendTest();
    await delivery().getByText('Acknowledged with 200 after 1 attempt.').waitFor();
    const [sent] = shop.of('endpoint.test');
    assert.ok(sent !== undefined && isGenuine(sent, secret));
  });

  test('an endpoint gets the events that it asked for, and no others', async () => {
    const { service } = site;
    const refused = await newSchedule(service);
    await service.deny(refused.id);
    await grantedSchedule(service, 'alex', { start_date: '2026-06-01T09:00:00Z' });
    await until('the agreement is told', () => shop.of('schedule.setup_success').length === 1);
    await until(
      'the refusal is told',
      () => service.receiver.of('schedule.setup_failed').length > 0,
    );
    assert.deepEqual(shop.of('schedule.setup_failed'), []);
    await owner.open('/webhooks/events');
    const told = rowsOf(page, 'Events');
    const both = told.filter({ hasText: 'schedule.setup_success' });
    await both.getByText('Delivered').nth(1).waitFor();
    const one = told.filter({ hasText: 'schedule.setup_failed' });
    assert.equal(await one.getByRole('listitem').count(), 1);
    await assertGood(page, 'the event log');
    await page.getByLabel('Kind', { exact: true }).selectOption('schedule.setup_failed');
    await both.waitFor({ state: 'detached' });
    assert.equal(await told.count(), 1);
  });

  test('what an endpoint gets, and where, is changed', async () => {
    await openEndpoint();
    const editing = card(page, 'Address and events');
    await editing.getByLabel('URL', { exact: true }).fill(`${site.service.baseUrl}/nobody-is-here`);
    await editing.getByLabel('schedule.setup_failed', { exact: true }).check();
    await save(editing);
    const refused = await newSchedule(site.service);
    await site.service.deny(refused.id);
    await openUndelivered('schedule.setup_failed');
    const wrong = card(page, /nobody-is-here/);
    await wrong.getByText('Attempt 1 was not acknowledged').waitFor();
    await wrong.getByText('404: only 200 acknowledges.').waitFor();
    await wrong.getByText('Response body').click();
    await wrong.getByText('not_found').waitFor();
    await assertGood(page, 'an event that did not arrive');
    await wrong.getByRole('link', { name: 'View endpoint' }).click();
    const recent = rowsOf(page, 'Recent deliveries');
    await recent.filter({ hasText: '404: only 200 acknowledges' }).waitFor();
    const lately = card(page, 'Last 7 days');
    await lately.getByText(/^[1-9]\d* of \d+ requests$/).waitFor();
    await lately.getByText(/\d (ms|s)$/).waitFor();
    await editing.getByLabel('URL', { exact: true }).fill(shop.url);
    await save(editing);
    await page.goBack();
    await press(delivery(), 'Resend');
    await delivery()
      .getByText(/^Acknowledged with 200 after/)
      .waitFor();
    assert.equal(shop.of('schedule.setup_failed').length, 1);
  });

  test('a failed webhook tells every attempt and why it did not count; it is sent again and arrives', async () => {
    const { service } = site;
    shop.answers = [204];
    shop.always = null;
    const { id } = await grantedSchedule(service, 'alex', { start_date: '2026-06-01T09:00:00Z' });
    const attempts = () => shop.received.filter(({ data }) => data.schedule_id === id);
    await until('the first attempt', () => attempts().length === 1);
    shop.always = 500;
    await service.advance('PT2M');
    await until('the second attempt', () => attempts().length === 2);
    await openUndelivered('schedule.setup_success');
    await delivery().getByText('Not acknowledged after 2 attempts').waitFor();
    const tried = delivery().locator('ol').getByRole('listitem');
    assert.equal(await tried.count(), 2);
    for (const [place, status] of [500, 204].entries()) {
      const attempt = tried.nth(place);
      await attempt.getByText(`Attempt ${2 - place} was not acknowledged`).waitFor();
      await attempt.getByText(`${status}: only 200 acknowledges.`).waitFor();
      await attempt.getByText(`HTTP ${status}`).waitFor();
    }
    shop.always = null;
    await press(delivery(), 'Resend');
    await delivery().getByText('Acknowledged with 200 after 3 attempts.').waitFor();
    await delivery().getByText('Manual').waitFor();
    const ids = new Set(attempts().map(({ headers }) => headers['webhook-id']));
    assert.deepEqual([attempts().length, ids.size], [3, 1], 'the same event under the same id');
    await owner.open('/webhooks/events');
    await press(page, 'Undelivered');
    await seeText(page, 'All events delivered');
  });

  test('a new secret is made and activated without a webhook that cannot be verified', async () => {
    await openEndpoint();
    const signing = card(page, 'Signing secret');
    await press(signing, 'Create new secret');
    const asking = page.getByRole('alertdialog', { name: 'Create a new secret?' });
    await assertGood(page, 'asking for a new secret');
    await press(asking, 'Create secret');
    const shown = page.getByRole('dialog', { name: 'The new secret' });
    const next = await textOf(shown.locator('code').first());
    assert.notEqual(next, secret);
    await assertGood(page, 'a new secret');
    await press(shown, 'I have saved it');
    await signing.getByText('New secret pending').waitFor();
    await sendTest();
    await delivery().getByText('Acknowledged').first().waitFor();
    assert.deepEqual(signedWith(secret, next), [true, false], 'the old one signs still');
    await openEndpoint();
    await press(signing, 'Activate now');
    const activating = page.getByRole('alertdialog', { name: 'Activate the new secret?' });
    await assertGood(page, 'activating a secret');
    await press(activating, 'Activate now');
    await signing.getByText('New secret pending').waitFor({ state: 'detached' });
    await sendTest();
    await delivery().getByText('Acknowledged').first().waitFor();
    assert.deepEqual(signedWith(secret, next), [false, true], 'the new one signs');
  });

  /** Returns which of the secrets verify the last test event. */
  function signedWith(...secrets: string[]): boolean[] {
    const last = shop.of('endpoint.test').at(-1);
    assert.ok(last !== undefined);
    return secrets.map((one) => isGenuine(last, one));
  }

  test('a disabled endpoint’s events are held, and arrive when they are replayed', async () => {
    const { service } = site;
    await service.advance('PT10M'); // an older refusal is not in the range
    const start = service.now();
    await openEndpoint();
    await press(page, 'Disable');
    const asking = page.getByRole('alertdialog', { name: 'Disable this endpoint?' });
    await assertGood(page, 'disabling an endpoint');
    await press(asking, 'Disable endpoint');
    await seeText(page, 'This endpoint is disabled');
    assert.ok(await page.getByRole('button', { name: 'Send a test' }).isDisabled());
    const before = shop.received.length;
    const made = [await newSchedule(service), await newSchedule(service)];
    for (const { id } of made) await service.deny(id);
    await seeText(page, '2 events so far');
    assert.equal(shop.received.length, before);
    await assertGood(page, 'a disabled endpoint');
    await press(page, 'Enable');
    await seeText(page, '2 events are on hold');
    const replaying = card(page, 'Replay events');
    const end = replaying.getByLabel('To (not included)');
    await service.advance('PT20M');
    await until(
      'the end of the range follows the clock',
      async () => (await end.inputValue()) > localMinute(service.now()),
    );
    await replaying.getByLabel('From', { exact: true }).fill(localMinute(start));
    await end.fill(localMinute(start.add({ hours: 1 })));
    await replaying.getByLabel('Which events').selectOption('Undelivered events only');
    await press(replaying, 'Replay');
    await replaying.getByText('2 events resent').waitFor();
    await until('both arrive', () => shop.received.length === before + 2);
    const told = shop.received.slice(before).map(({ data }) => data.schedule_id);
    assert.deepEqual(
      told,
      made.map(({ id }) => id),
      'the oldest first',
    );
    await page.getByText('2 events are on hold').waitFor({ state: 'detached' });
    await assertGood(page, 'an endpoint after a replay');
  });

  test('a replay goes no further when its page is left', async () => {
    let calls = 0;
    const second = Promise.withResolvers<void>();
    await page.route(/\/dashboard\/api\/v1\/events\/replay$/, async (route) => {
      calls += 1;
      const { from } = route.request().postDataJSON() as { from: string };
      if (calls === 2) await second.promise;
      await route.fulfill({ json: { replayed: 1, next_from: from, archived_before: null } });
    });
    await openEndpoint();
    const replaying = card(page, 'Replay events');
    await press(replaying, 'Replay');
    await replaying.getByText('1 event resent so far').waitFor();
    await until('the second call is under way', () => calls === 2);
    await page.getByRole('link', { name: 'Endpoints' }).first().click();
    await seeHeading(page, 'Webhook endpoints');
    second.resolve();
    // It would have continued at once; the next pulses come seconds later.
    for (let pulses = 0; pulses < 2; pulses += 1) await page.waitForResponse(/\/api\/pulse$/);
    assert.equal(calls, 2);
    await page.unrouteAll();
  });

  test('an endpoint is deleted when that was confirmed', async () => {
    await openEndpoint();
    await press(page, 'Delete');
    const asking = page.getByRole('alertdialog', { name: 'Delete this endpoint?' });
    await asking.getByText('its secret is deleted').waitFor();
    await assertGood(page, 'deleting an endpoint');
    await press(asking, 'Cancel');
    await gone(asking);
    await press(page, 'Delete');
    await press(asking, 'Delete endpoint');
    await seeHeading(page, 'Webhook endpoints');
    await page.getByRole('link', { name: DESCRIPTION }).waitFor({ state: 'detached' });
    assert.equal(await rowsOf(page, 'Webhook endpoints').count(), 1);
  });
});

/** Formats an instant for a date and time field, on the merchant's clock. */
function localMinute(at: Temporal.Instant): string {
  const local = at.toZonedDateTimeISO('Europe/London').toPlainDateTime();
  return local.toString({ smallestUnit: 'minute' });
}
