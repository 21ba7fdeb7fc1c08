// Slow: goes through every setting of a merchant in a browser.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { setFees } from '../../server/src/merchants/terms/fee-service.ts';
import { appCode, appKey } from '../../server/test-support/authenticator-app.ts';
import { until } from '../../server/test-support/until.ts';
import { newSchedule } from '../scenarios/acts.ts';
import {
  assertGood,
  choosePassword,
  passwordLink,
  seeHeading,
  seeText,
  textOf,
} from './account.ts';
import { type Person, type Site, startSite } from './dashboard.ts';
import { namesProblem } from './dashboard-page.ts';
import { press } from './look.ts';

const PASSWORD = 'correct horse battery';
const TERMS = 'You may leave at the end of any month.\nTowels are yours to bring.';

describe('the settings', () => {
  let site: Site;
  let owner: Person;
  let consentUrl: string;

  before(async () => {
    site = await startSite();
    await site.service.advance('PT1M'); // opens the wallet from which a name is checked
    const { consent_url } = await newSchedule(site.service, { description: 'Gym membership' });
    assert.ok(consent_url !== undefined);
    consentUrl = consent_url;
    owner = await site.member('owner');
    await owner.open('/settings');
    await seeHeading(owner.page, 'Settings');
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  /** Returns the part of the page with this heading. */
  const card = (page: Page, title: string): Locator =>
    page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: title }) });

  test('the name on statements is shown as customers would read it, and kept in capitals', async () => {
    const { page } = owner;
    const statement = card(page, 'On bank statements');
    await statement.getByText('would see FERNHILL C10400').waitFor();
    await statement.getByLabel('Statement name').fill('fern gym');
    await press(statement, 'Save');
    await namesProblem(statement.getByLabel('Statement name'), /1 to 10 letters and digits/);
    await statement.getByLabel('Statement name').fill('ferngym');
    await statement.getByText('would see FERNGYM C10400').waitFor();
    await press(statement, 'Save');
    await seeText(page, 'Saved.');
    const field = statement.getByLabel('Statement name');
    await until('it is kept', async () => (await field.inputValue()) === 'FERNGYM');
  });

  test('new business details and terms stand on a customer’s consent page', async () => {
    const { page } = owner;
    const details = card(page, 'Business details');
    const save = details.getByRole('button', { name: 'Save' });
    await details.getByLabel('Name', { exact: true }).waitFor();
    assert.ok(await save.isDisabled(), 'nothing to save yet');
    await details.getByLabel('Name', { exact: true }).fill('Fernhill Climbing');
    await details.getByLabel('Legal name').fill('Fernhill Climbing Ltd');
    await details.getByLabel('Email address for customers').fill('desk@climbing.example');
    await details.getByLabel('Address', { exact: true }).fill('2 Low Street, Leeds LS2 2BB');
    await details.getByLabel('Terms and conditions').fill(TERMS);
    const preview = card(page, 'What your customers see');
    await preview.getByText('Fernhill Climbing Ltd').waitFor();
    await preview.getByText('Towels are yours to bring.').waitFor();
    await save.click();
    await seeText(page, 'Business details saved.');
    await page.getByRole('complementary').getByText('Fernhill Climbing').waitFor();

    const customer = await site.stranger();
    await customer.page.goto(consentUrl);
    await seeText(customer.page, 'About Fernhill Climbing');
    await seeText(customer.page, 'Fernhill Climbing Ltd');
    await seeText(customer.page, '2 Low Street, Leeds LS2 2BB');
    await customer.page
      .getByText('Terms and conditions of Fernhill Climbing', { exact: true })
      .click();
    await customer.page.getByText('Towels are yours to bring.').waitFor();
    await customer.context.close();
  });

  test('bad input names the field, and nothing is changed', async () => {
    const { page } = owner;
    const details = card(page, 'Business details');
    const save = details.getByRole('button', { name: 'Save' });
    const name = details.getByLabel('Name', { exact: true });
    const email = details.getByLabel('Email address for customers');
    const website = details.getByLabel('Website');
    await name.fill('');
    await save.click();
    await describedBy(name, /Name is required/);
    await name.fill('Elsewhere');
    await email.fill('not an address');
    await website.fill('fernhill');
    await save.click();
    await describedBy(email, /Must be an email address/);
    await describedBy(website, /Must be a URL/);
    await assertGood(page, 'settings with wrong fields');
    const { body } = await site.service.api('GET', '/api/v1/merchant');
    assert.deepEqual([body.name, body.email], ['Fernhill Climbing', 'desk@climbing.example']);
    await details.getByRole('button', { name: 'Discard changes' }).click();
    await holds(name, 'Fernhill Climbing');
    await holds(website, 'https://fernhill.example');
    assert.equal(await details.getByText('Must be').count(), 0);
  });

  test('a return URL is kept, a wrong one is refused, and it can be taken away', async () => {
    const { page } = owner;
    const journey = card(page, 'Customer journey');
    const field = journey.getByLabel('Return URL');
    const save = journey.getByRole('button', { name: 'Save' });
    await field.fill('http://fernhill.example/thanks');
    await save.click();
    await describedBy(field, /Must start with https:\/\//);
    await field.fill('https://fernhill.example/thanks');
    await save.click();
    await save.and(page.locator(':disabled')).waitFor();
    assert.equal(await returnUrl(), 'https://fernhill.example/thanks');
    await page.reload();
    await holds(field, 'https://fernhill.example/thanks');
    await field.fill('');
    await save.click();
    await save.and(page.locator(':disabled')).waitFor();
    assert.equal(await returnUrl(), null);
  });

  const returnUrl = async (): Promise<unknown> =>
    (await site.service.api('GET', '/api/v1/merchant')).body.return_url;

  test('the fees that the operator sets are shown, and not to be changed here', async () => {
    const { page } = owner;
    const fees = card(page, 'Fees');
    await fees.getByText('No fee').waitFor();
    const { merchantId, running } = site.service;
    const { db, clock } = running.platform;
    const terms = { fixedPence: 20, basisPoints: 150, day: Temporal.PlainDate.from('2026-02-01') };
    await db.transaction((tx) =>
      setFees(running.platform, { tx, now: clock.now(), merchantId }, terms, 'operator:Robin Fern'),
    );
    await page.reload();
    await fees.getByText('1.5% + £0.20, from 1 Feb 2026').waitFor();
    assert.equal(await fees.getByRole('button').count(), 0);
    await assertGood(page, 'settings with fees');
  });

  /** Gives somebody who has a password an authenticator app; returns their backup codes, each of which counts once. */
  const giveSecondFactor = async ({ context }: Person): Promise<string[]> => {
    const origin = site.service.baseUrl;
    const post = async (path: string, data: object): Promise<Record<string, unknown>> => {
      const url = `${origin}/dashboard/auth/two-factor/${path}`;
      const headers = { origin, 'sec-fetch-site': 'same-origin' };
      const answer = await context.request.post(url, { headers, data });
      assert.equal(answer.status(), 200, await answer.text());
      return answer.json();
    };
    const { totpURI, backupCodes } = await post('enable', { password: PASSWORD });
    const key = appKey(new URL(String(totpURI)).searchParams.get('secret') ?? '');
    await post('verify-totp', { code: appCode(key) });
    return backupCodes as string[];
  };

  test('an owner without a second factor is told to set one up before the settlement account is changed', async () => {
    const { page } = owner;
    await choosePassword(owner, await passwordLink(site, owner.email), PASSWORD);
    await seeHeading(page, 'Overview');
    await owner.open('/settings');
    const account = card(page, 'Settlement account');
    await account.getByText('You need a second factor to change it').waitFor();
    await account.getByRole('button', { name: 'Change…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change the settlement account' });
    await dialog.getByLabel('Account number').fill('12345678');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('You need a second factor', { exact: true }).waitFor();
    await dialog.getByText('Set one up first, under Settings, Your security.').waitFor();
    await assertGood(page, 'a change of the settlement account without a second factor');
    const { body } = await site.service.api('GET', '/api/v1/merchant');
    assert.equal(body.pending_settlement_account, null);
  });

  test('another settlement account is asked for with password and second factor, and shown to every owner', async () => {
    const { page } = owner;
    const [code = ''] = await giveSecondFactor(owner);
    await owner.open('/settings');
    const account = card(page, 'Settlement account');
    await account.getByRole('button', { name: 'Change…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change the settlement account' });
    await assertGood(page, 'changing the settlement account');
    await dialog.getByLabel('Sort code').fill('1234');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await describedBy(dialog.getByLabel('Sort code'), /A sort code has 6 digits/);
    await dialog.getByLabel('Account holder').fill('Fernhill Climbing');
    await dialog.getByLabel('Sort code').fill('20-30-40');
    await dialog.getByLabel('Account number').fill('44444444');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    const question = page.getByRole('dialog', { name: 'Pay settlements to this account?' });
    await question.getByText('money sent to the wrong account may be lost').waitFor();
    await question.getByText('44444444').waitFor();
    await question.getByText('The name does not match').waitFor();
    assert.doesNotMatch(await textOf(question), /Broadband/, 'not whose account it is');
    await assertGood(page, 'a settlement account of somebody else');
    await question.getByRole('button', { name: 'Back' }).click();
    await holds(dialog.getByLabel('Account number'), '44444444');
    await dialog.getByLabel('Account holder').fill('Fernhill Broadband');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await question.getByText('The bank says: Fernhill Broadband Ltd. Use this name?').waitFor();
    await assertGood(page, 'asking about the settlement account');
    await question.getByRole('button', { name: 'Use this name' }).click();
    await question.getByText('The bank confirms the name').waitFor();
    const [password, codeField] = [
      question.getByLabel('Your password'),
      question.getByLabel('Code', { exact: true }),
    ];
    await password.fill('a guess of mine');
    await question.getByRole('button', { name: 'Confirm account' }).click();
    await describedBy(codeField, /Enter a code/);
    await codeField.fill(code);
    await question.getByRole('button', { name: 'Confirm account' }).click();
    await describedBy(password, /not your password/);
    await password.fill(PASSWORD);
    await question.getByRole('button', { name: 'Confirm account' }).click();
    await account.getByText('This account is about to change').waitFor();
    await account.getByText('44444444').waitFor(); // an owner sees all digits
    await account.getByText('The bank confirms the name').waitFor();
    await assertGood(page, 'a settlement account that is about to change');
    assert.equal(await accountNumber(), '66374958');
  });

  test('another owner is told on every page, and confirms it or takes it back', async () => {
    const second = await site.member('owner');
    const { page } = second;
    await choosePassword(second, await passwordLink(site, second.email), PASSWORD);
    await seeHeading(page, 'Overview');
    const [code = ''] = await giveSecondFactor(second);
    await second.open('/');
    await seeText(page, 'The settlement account is about to change');
    await assertGood(page, 'the notice of a change of the settlement account');
    await page.getByRole('link', { name: 'See the change' }).click();
    const account = card(page, 'Settlement account');
    await account.getByRole('button', { name: 'Confirm it now…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change the account now?' });
    await dialog.getByText('The bank confirms the name').waitFor();
    await assertGood(page, 'confirming a change of the settlement account');
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await dialog.getByLabel('Code', { exact: true }).fill(code);
    await dialog.getByRole('button', { name: 'Change it now' }).click();
    await account.getByText('20-30-40').waitFor();
    await seeText(page, 'The settlement account has changed');
    await account.getByText('Earlier changes').click();
    await assertGood(page, 'a settlement account that has changed');
    assert.equal(await accountNumber(), '44444444');
    await second.context.close();
  });

  const accountNumber = async (): Promise<unknown> => {
    const { body } = await site.service.api('GET', '/api/v1/merchant');
    return Object(body.settlement_account).account_number;
  };

  test('another time zone changes how times are shown', async () => {
    const { page } = owner;
    const bar = page.getByRole('region', { name: 'Sandbox' });
    const london = await textOf(bar.getByRole('time'));
    const zone = card(page, 'Time zone');
    await zone.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await zone.getByRole('button', { name: 'Change…' }).click();
    const question = page.getByRole('alertdialog', {
      name: 'Change time zone to Asia/Tokyo?',
    });
    await question.getByText('New schedules use the new time zone').waitFor();
    await assertGood(page, 'asking about the time zone');
    await question.getByRole('button', { name: 'Change time zone' }).click();
    await question.waitFor({ state: 'detached' });
    // The sandbox's clock shows some minutes past half past nine in London.
    assert.match(london, / 09:\d\d$/);
    await bar.getByText(/ 18:\d\d$/).waitFor();
    await assertGood(page, 'settings at the end');
  });

  test('the activity log names who changed what, can be narrowed and taken away', async () => {
    const { page } = owner;
    await page.getByRole('link', { name: 'Activity' }).click();
    await seeHeading(page, 'Activity');
    const rows = page.getByRole('table', { name: 'Activity' }).getByRole('row');
    await rows.filter({ hasText: 'owner Fern' }).filter({ hasText: 'time zone' }).waitFor();
    await rows.filter({ hasText: 'The schedule was created' }).first().waitFor();
    await assertGood(page, 'the activity log');
    await page.getByLabel('What', { exact: true }).selectOption('Business settings');
    await rows.filter({ hasText: 'The schedule was created' }).waitFor({ state: 'detached' });
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ]);
    const text = await readFile(await file.path(), 'utf8');
    assert.match(text, /owner Fern,member,usr_\w+,Business settings changed,time zone/);
    assert.doesNotMatch(text, /The schedule was created/);
  });
});

/** Waits until a field contains this text. */
async function holds(field: Locator, text: string): Promise<void> {
  const until = performance.now() + 30_000;
  while (performance.now() < until && (await field.inputValue()) !== text) await setTimeout(100);
  assert.equal(await field.inputValue(), text);
}

/** Waits until a field shows this error. */
async function describedBy(field: Locator, problem: RegExp): Promise<void> {
  const wrong = field.and(field.page().locator('[aria-invalid=true]'));
  await wrong.waitFor();
  const ids = ((await wrong.getAttribute('aria-describedby')) ?? '').split(' ');
  const texts = await Promise.all(ids.map((id) => textOf(field.page().locator(`[id="${id}"]`))));
  assert.match(texts.join(' '), problem);
}
