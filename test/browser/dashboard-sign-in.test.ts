import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import {
  assertGood,
  choosePassword,
  enter,
  passwordLink,
  seeHeading,
  seeText,
  signInLink,
  signOut,
} from './account.ts';
import { type Person, type Site, startSite, useSignInLink } from './dashboard.ts';

const PASSWORD = 'correct horse battery';
const MAX_TRIES = 10;

/** One address is allowed 10 tries a minute: together, the tests before the last make fewer. */
describe('signing in to the dashboard', () => {
  let site: Site;
  let owner: Person;

  before(async () => {
    site = await startSite();
    owner = await site.member('owner');
    await owner.open('/');
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  test('a sign-in link opens the overview, once; a second use says what to do', async () => {
    const url = await signInLink(site, owner.email);
    const first = await site.stranger();
    await first.page.goto(url);
    await assertGood(first.page, 'the page of a sign-in link');
    await first.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await seeHeading(first.page, 'Overview');
    assert.equal(new URL(first.page.url()).search, '');
    const second = await site.stranger();
    await useSignInLink(second.page, url);
    await seeHeading(second.page, 'Sign in');
    await seeText(second.page, 'That link is no longer valid');
    await seeText(second.page, 'Sign in below, or ask for a new link.');
    await assertGood(second.page, 'sign-in after a used link');
  });

  test('who opens a page without being signed in gets there after signing in', async () => {
    const person = await site.stranger();
    const link = await passwordLink(site, owner.email);
    await person.page.goto(link);
    await seeHeading(person.page, 'Choose a new password');
    await assertGood(person.page, 'choosing a password');
    await person.page.getByLabel('New password').fill('short');
    await person.page.getByRole('button', { name: 'Set the password and sign in' }).click();
    await seeText(person.page, 'Use at least 10 characters.');
    await choosePassword(person, link, PASSWORD);
    await seeHeading(person.page, 'Overview');
    await signOut(person);

    await person.open('/schedules');
    await seeHeading(person.page, 'Sign in');
    await seeText(person.page, 'Sign in to continue where you left off.');
    await assertGood(person.page, 'sign-in');
    await enter(person, owner.email, 'not the password');
    await seeText(person.page, 'The email address or the password is wrong.');
    await assertGood(person.page, 'sign-in with a wrong password');
    await enter(person, owner.email, PASSWORD);
    await seeHeading(person.page, 'Schedules');
    assert.equal(new URL(person.page.url()).pathname, '/dashboard/schedules');
  });

  test('a new password ends the sessions that were open before it', async () => {
    await seeHeading(owner.page, 'Sign in');
  });

  test('who signs out is out, and going back shows nothing', async () => {
    const person = await site.stranger();
    await useSignInLink(person.page, await signInLink(site, owner.email));
    await seeHeading(person.page, 'Overview');
    await person.page.getByRole('link', { name: 'Customers' }).click();
    await seeHeading(person.page, 'Customers');
    await signOut(person);
    assert.equal(new URL(person.page.url()).search, '', 'nobody goes on where they left off');
    await person.page.goBack();
    await seeHeading(person.page, 'Sign in');
    await person.open('/payments');
    await seeHeading(person.page, 'Sign in');
  });

  test('a link for a password that was used or never was says what to do', async () => {
    const { page } = await site.stranger();
    await page.goto(`${site.service.baseUrl}/dashboard/new-password?token=never-was`);
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Set the password and sign in' }).click();
    await seeHeading(page, 'This link is no longer valid');
    await assertGood(page, 'a dead link');
    await page.getByRole('link', { name: 'Go to sign-in' }).click();
    await seeHeading(page, 'Sign in');
  });

  test('after too many tries the page says how long to wait, the right password included', async () => {
    const person = await site.stranger();
    await person.open('/sign-in');
    const refused = person.page.getByText(/Try again in \d+ (seconds?|minutes)\./);
    for (let tries = 0; tries <= 2 * MAX_TRIES && (await refused.count()) === 0; tries += 1) {
      const answered = person.page.waitForResponse(/\/auth\/sign-in\/email$/);
      await enter(person, owner.email, `guess number ${tries}`);
      await (await answered).finished();
    }
    await refused.waitFor();
    await seeText(person.page, 'Too many attempts');
    const answered = person.page.waitForResponse(/\/auth\/sign-in\/email$/);
    await enter(person, owner.email, PASSWORD);
    assert.equal((await answered).status(), 429);
    await refused.waitFor();
    await assertGood(person.page, 'sign-in after too many tries');
  });
});
