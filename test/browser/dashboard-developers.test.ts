// Slow: goes through every page for developers in a browser.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, afterEach, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { newSchedule } from '../scenarios/acts.ts';
import { assertGood, seeHeading, seeText, textOf } from './account.ts';
import { type Person, type Site, startSite } from './dashboard.ts';
import { card, copied, gone, press, rowsOf, wordsOn } from './look.ts';

const run = promisify(execFile);
const NAME = 'Billing server';
const PHONE = '+447700900456';

/** Run in the page: chooses twice before the page has rendered the first choice. */
const CHOOSE_TWO = `(() => {
  const choose = (value) => {
    const option = document.querySelector('option[value="' + value + '"]');
    option.selected = true;
    option.parentElement.dispatchEvent(new Event('change', { bubbles: true }));
  };
  choose('errors');
  choose('POST');
})()`;

describe('the developers’ pages', () => {
  let site: Site;
  let owner: Person;
  let page: Page;
  /** The key created here, and its replacement. */
  let key: string;
  let newer: string;

  before(async () => {
    site = await startSite();
    owner = await site.member('owner', { permissions: ['clipboard-read', 'clipboard-write'] });
    page = owner.page;
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  /** Calls the API with a key, as the merchant's server does; returns the status. */
  async function callWith(secret: string): Promise<number> {
    const headers = { authorization: `Bearer ${secret}` };
    return (await site.service.api('GET', '/api/v1/schedules', undefined, headers)).status;
  }

  /** Returns the row of a key, by its visible part. */
  const rowOf = (secret: string): Locator =>
    rowsOf(page, 'API keys').filter({ hasText: `…${secret.slice(-4)}` });

  /** Reads a key, which is shown only once. */
  async function takeKey(): Promise<string> {
    const shown = page.getByRole('dialog', { name: `Your new key: ${NAME}` });
    const secret = await textOf(shown.locator('code').first());
    await assertGood(page, 'a new key');
    await press(shown, 'Copy the key');
    await seeText(page, 'Copied.');
    assert.equal(await copied(page), secret);
    await press(shown, 'I have saved it');
    await gone(shown);
    return secret;
  }

  test('a key is made, shown once, works at once, and tells when it was used', async () => {
    await owner.open('/developers');
    await press(page, 'Create key');
    const asking = page.getByRole('dialog', { name: 'Create an API key' });
    await assertGood(page, 'creating a key');
    await asking.getByLabel('Name', { exact: true }).fill(NAME);
    await press(asking, 'Create key');
    key = await takeKey();
    assert.match(key, /^rk_test_/);
    await rowOf(key).getByText('never').waitFor();
    assert.ok(!(await wordsOn(page)).includes(key));
    assert.equal(await callWith(key), 200);
    await rowOf(key).getByText('never').waitFor({ state: 'detached' });
    await page.reload();
    await rowOf(key).getByText(NAME).waitFor();
    assert.ok(!(await page.content()).includes(key), 'the key is nowhere after a reload');
    await assertGood(page, 'API keys');
  });

  test('a key is bound to addresses, and a use from elsewhere is refused and shown', async () => {
    await rowOf(key).getByText('Anywhere').waitFor();
    await press(rowOf(key), 'Addresses');
    const asking = page.getByRole('dialog', { name: `Addresses of “${NAME}”` });
    const field = asking.getByLabel('Addresses it works from');
    await field.fill('203.0.113.9/24');
    await press(asking, 'Save');
    await asking.getByText('Must begin at 203.0.113.0/24.').waitFor();
    await assertGood(page, 'a wrong range');
    await field.fill('203.0.113.0/24\n2001:db8::/32');
    await press(asking, 'Save');
    await gone(asking);
    await rowOf(key).getByText('2001:db8::/32').waitFor();
    assert.equal(await callWith(key), 403);
    await rowOf(key).getByText('Refused', { exact: true }).waitFor();
    await rowOf(key).getByText('from 127.0.0.1').waitFor();
    await assertGood(page, 'a key that was refused');
    await press(rowOf(key), 'Addresses');
    await field.fill('127.0.0.0/8');
    await press(asking, 'Save');
    await gone(asking);
    assert.equal(await callWith(key), 200);
  });

  test('a key is replaced, and both work until the old one ends', async () => {
    await press(rowOf(key), 'Rotate');
    const asking = page.getByRole('dialog', { name: `Rotate “${NAME}”` });
    await asking.getByLabel('Hours until the old key expires').fill('900');
    await press(asking, 'Create new key');
    await asking.getByText('Enter a whole number from 0 to 168.').waitFor();
    await assertGood(page, 'rotating a key');
    await asking.getByLabel('Hours until the old key expires').fill('2');
    await press(asking, 'Create new key');
    newer = await takeKey();
    assert.deepEqual([await callWith(key), await callWith(newer)], [200, 200]);
    await rowOf(key).getByText('Replaced').waitFor();
    await rowOf(newer).getByText('Active').waitFor();
    await site.service.advance('PT3H');
    assert.deepEqual([await callWith(key), await callWith(newer)], [401, 200]);
    await rowOf(key).getByText('Worked until').waitFor();
  });

  test('a key is revoked when that was confirmed, and refused at once', async () => {
    await press(rowOf(newer), 'Revoke');
    const asking = page.getByRole('alertdialog', { name: `Revoke “${NAME}”?` });
    await asking.getByText('stops working immediately, and this cannot be undone').waitFor();
    await assertGood(page, 'revoking a key');
    await press(asking, 'Cancel');
    await gone(asking);
    assert.equal(await callWith(newer), 200);
    await press(rowOf(newer), 'Revoke');
    await press(asking, 'Revoke key');
    await gone(asking);
    assert.equal(await callWith(newer), 401);
    await rowOf(newer).getByText('Revoked').waitFor();
    assert.equal(await rowOf(newer).getByRole('button').count(), 0);
  });

  test('requests show in the log as they come, and can be narrowed to the refused ones', async () => {
    const { service } = site;
    await owner.open('/developers/requests');
    const rows = rowsOf(page, 'Requests');
    await newSchedule(service, { customer: { type: 'phone', value: PHONE } });
    await rows.filter({ hasText: 'POST /api/v1/schedules' }).first().waitFor();
    const refused = { amount: { value: 0, currency: 'GBP' }, frequency: 'monthly' };
    const customer = { type: 'phone', value: PHONE };
    await service.api('POST', '/api/v1/schedules', { ...refused, customer });
    await service.api('GET', '/api/v1/schedules/sch_0000000000000000000000');
    await rows.filter({ hasText: 'not_found' }).waitFor();
    await assertGood(page, 'the request log');
    await page.getByLabel('Outcome').selectOption('Errors only');
    await page.getByLabel('Method').selectOption('POST');
    await page.getByLabel('Path', { exact: true }).fill('/api/v1/schedules');
    await page.waitForURL(/outcome=errors&method=POST&path=/);
    await rows.filter({ hasText: 'not_found' }).waitFor({ state: 'detached' });
    await page.reload();
    await rows.first().waitFor();
    assert.equal(await rows.count(), 1);
    await rows.getByText('invalid_request').waitFor();
  });

  test('filters that are chosen in one go all hold', async () => {
    await owner.open('/developers/requests');
    await page.getByLabel('Method').waitFor();
    await page.evaluate(CHOOSE_TWO);
    await page.waitForURL((url) => url.search.includes('method=POST'));
    assert.equal(new URL(page.url()).searchParams.get('outcome'), 'errors');
    await owner.open('/developers/requests?outcome=errors&method=POST&path=/api/v1/schedules');
  });

  test('a request shows its bodies without phone numbers and keys', async () => {
    await page.getByRole('link', { name: 'POST /api/v1/schedules' }).click();
    await seeHeading(page, 'Request');
    await card(page, 'Request body').getByText('[redacted]').waitFor();
    await card(page, 'Response body').getByText('invalid_request').waitFor();
    const words = await wordsOn(page);
    for (const kept of ['"frequency"', 'test (API key)', '400'])
      assert.ok(words.includes(kept), `${kept} can be read`);
    assert.ok(!words.includes(PHONE.slice(1)), 'no phone number');
    assert.ok(!words.includes(site.service.apiKey), 'no key');
    await assertGood(page, 'a request');
    await owner.open('/developers/requests?method=POST&path=/api/v1/webhook_endpoints');
    await page.getByRole('link', { name: 'POST /api/v1/webhook_endpoints' }).click();
    await card(page, 'Response body').getByText('[redacted]').first().waitFor();
    assert.ok(!(await wordsOn(page)).includes(site.service.webhookSecret), 'no secret');
  });

  test('the quickstart’s first command works as it stands, with a key of the merchant’s own', async () => {
    await owner.open('/developers/quickstart');
    await press(page, 'Create a key for this');
    const asking = page.getByRole('dialog', { name: 'Create an API key' });
    await asking.getByLabel('Name', { exact: true }).fill('First steps');
    await press(asking, 'Create key');
    await seeText(page, '“First steps” is in the snippets below');
    await press(card(page, '1. Create a schedule'), 'Copy: curl');
    const command = await copied(page);
    const own = /rk_test_[0-9A-Za-z]+/.exec(command)?.[0];
    assert.ok(own !== undefined && command.startsWith(`curl ${site.service.baseUrl}/api/v1/`));
    assert.ok((await textOf(card(page, '2. Do the same in TypeScript'))).includes(own));
    await assertGood(page, 'the quickstart with a key');
    const made = await runAsTyped(command);
    assert.match(made.consent_url, /^http/);
    await owner.open('/schedules');
    await page.getByRole('link', { name: 'Broadband' }).click();
    await seeHeading(page, 'Broadband');
    assert.ok(page.url().endsWith(made.id));
  });
});

/** Replaces curl if it is missing; the shell still parses the command. */
const STAND_IN = `
  const [url, ...options] = process.argv.slice(1);
  const init = { method: 'POST', headers: [] };
  for (let i = 0; i < options.length; i += 2)
    if (options[i] === '-H') init.headers.push(options[i + 1].split(/: (.*)/s, 2));
    else init.body = options[i + 1];
  fetch(url, init).then((answer) => answer.text()).then((text) => process.stdout.write(text));`;

/** Runs a command as if it were pasted into a terminal. */
async function runAsTyped(command: string): Promise<{ id: string; consent_url: string }> {
  const orStandIn = 'command -v curl >/dev/null || curl() { "$NODE" -e "$STAND_IN" -- "$@"; }';
  const env = { ...process.env, NODE: process.execPath, STAND_IN };
  const { stdout } = await run('sh', ['-c', `${orStandIn}\n${command}`], { env });
  return JSON.parse(stdout) as { id: string; consent_url: string };
}
