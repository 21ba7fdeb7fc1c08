// Slow: goes through the life of a team in several browsers.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { newSchedule } from '../scenarios/acts.ts';
import { assertGood, seeHeading, seeText, textOf } from './account.ts';
import { type Person, type Site, startSite } from './dashboard.ts';
import { holdAnswer, staysOpen } from './dashboard-page.ts';
import { gone, press } from './look.ts';

const EMAIL = 'robin@fernhill.example';
const PASSWORD = 'correct horse battery';
/** Pages, and actions on them that an owner has and a read-only member does not. */
const ACTIONS: readonly [path: string, heading: string, action: RegExp][] = [
  ['/schedules', 'Schedules', /new schedule/i],
  ['/webhooks', 'Webhook endpoints', /add/i],
  ['/developers', 'API keys', /create|new|rotate|revoke/i],
  ['/sandbox', 'Sandbox', /advance|reset|go to/i],
  ['/settings', 'Settings', /change/i],
  ['/settings/team', 'Team', /invite|actions for/i],
];
/** Requests that they might try anyway. */
const FORBIDDEN: readonly [method: string, path: string, body: object][] = [
  ['POST', '/api/v1/schedules', {}],
  ['PUT', '/api/v1/merchant', { name: 'Mine' }],
  ['POST', '/api/v1/api_keys', { name: 'mine' }],
  ['POST', '/sandbox/clock/advance', { by: 'P1D' }],
  ['GET', '/api/team', {}],
  ['POST', '/api/team/invitations', { email: 'friend@fernhill.example', role: 'owner' }],
];

/** One address is allowed 10 tries a minute: these tests make 7. */
describe('the team', () => {
  let site: Site;
  let owner: Person;
  let robin: Person;

  before(async () => {
    site = await startSite();
    await newSchedule(site.service, { description: 'Gym membership' });
    owner = await site.member('owner');
    robin = await site.stranger();
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  test('an owner invites by a link, and who has it joins with a password of their own', async () => {
    const { page } = owner;
    await owner.open('/settings/team');
    await seeText(page, owner.email);
    const url = await invite(page, EMAIL, 'Read only', assertGood);
    await robin.page.goto(url);
    await seeHeading(robin.page, 'Join Fernhill Gym');
    await seeText(
      robin.page,
      'Can view everything except secrets, the request log and the team, and change nothing.',
    );
    await assertGood(robin.page, 'joining');
    await robin.page.getByLabel('Your name').fill('Robin');
    await robin.page.getByLabel('Choose a password').fill(PASSWORD);
    await robin.page.getByRole('button', { name: 'Join Fernhill Gym' }).click();
    await seeHeading(robin.page, 'Overview');
    await page.getByRole('button', { name: 'Actions for Robin' }).waitFor();
    await robin.page.goto(url);
    await seeHeading(robin.page, 'This invitation is no longer valid');
  });

  test('who may only read sees the pages, but no action', async () => {
    const { page } = robin;
    for (const [path, heading, action] of ACTIONS) {
      assert.notDeepEqual(await actionsOn(owner, path, heading, action), [], path);
      assert.deepEqual(await actionsOn(robin, path, heading, action), [], path);
    }
    await assertGood(page, 'team, to those who may only read');
    await robin.open('/settings');
    await seeText(page, 'Only team owners can change these settings.');
    assert.ok(await page.getByLabel('Legal name').isDisabled());
    await assertGood(page, 'settings, to those who may only read');
    const main = robin.page.getByRole('navigation', { name: 'Main' });
    await main.getByRole('link', { name: 'Webhooks' }).waitFor();
    assert.equal(await main.getByRole('link', { name: /Developers|Sandbox/ }).count(), 0);
    await robin.open('/developers');
    await seeText(robin.page, 'Your role cannot view API keys');
    await robin.page.getByRole('link', { name: 'Quickstart' }).click();
    await seeHeading(robin.page, 'Quickstart');
    await robin.open('/schedules');
    await page.getByRole('link', { name: 'Gym membership' }).click();
    await seeHeading(page, 'Gym membership');
    assert.equal(await page.getByRole('button', { name: /pause|cancel/i }).count(), 0);
  });

  test('the service refuses what a role forbids, whatever the page shows', async () => {
    for (const [method, path, body] of FORBIDDEN) {
      const answer = await attempt(robin.page, method, path, body);
      assert.deepEqual([path, ...answer], [path, 403, 'forbidden']);
    }
  });

  test('a new role takes effect at once where the member is signed in', async () => {
    const { page } = owner;
    await robin.open('/schedules');
    await act(page, 'Robin', 'Change role…');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Role', { exact: true }).selectOption('Developer');
    await seeText(
      page,
      'Schedules, retrying payments, webhooks, API keys, the request log and the sandbox.',
    );
    await assertGood(page, 'changing a role');
    await dialog.getByRole('button', { name: 'Change role' }).click();
    await robin.page.getByRole('link', { name: 'New schedule' }).click();
    await seeHeading(robin.page, 'New schedule');
    assert.deepEqual(await attempt(robin.page, 'GET', '/api/v1/api_keys', {}), [200, undefined]);
  });

  test('the last owner can neither leave nor become something else, and is told why', async () => {
    const { page } = owner;
    await act(page, 'owner Fern', 'Leave the team…');
    const leaving = page.getByRole('alertdialog');
    await leaving.getByRole('button', { name: 'Leave the team' }).click();
    await leaving.getByText('This is the only owner of the team.').waitFor();
    await assertGood(page, 'the last owner cannot leave');
    await leaving.getByRole('button', { name: 'Cancel' }).click();
    await act(page, 'owner Fern', 'Change role…');
    const changing = page.getByRole('dialog');
    await changing.getByLabel('Role', { exact: true }).selectOption('Finance');
    await changing.getByRole('button', { name: 'Change role' }).click();
    await changing.getByText('This is the only owner of the team.').waitFor();
    await changing.getByRole('button', { name: 'Cancel' }).click();
  });

  test('a link for a new password ends the member’s sessions when it is used', async () => {
    const { page } = owner;
    await act(page, 'Robin', 'Create password reset link…');
    await page
      .getByRole('alertdialog')
      .getByText('Until then the old password still works')
      .waitFor();
    await assertGood(page, 'asking for a link');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByRole('heading', { name: 'The link is ready' }).waitFor();
    const url = await textOf(page.getByRole('dialog').locator('code'));
    await assertGood(page, 'a link for a new password');
    await page.getByRole('button', { name: 'Done' }).click();
    const elsewhere = await site.stranger();
    await elsewhere.page.goto(url);
    await elsewhere.page.getByLabel('New password').fill(`new ${PASSWORD}`);
    await elsewhere.page.getByRole('button', { name: 'Set the password and sign in' }).click();
    await seeHeading(elsewhere.page, 'Overview');
    await seeHeading(robin.page, 'Sign in');
    robin = elsewhere;
  });

  test('who is removed is out at once, and cannot come back', async () => {
    const { page } = owner;
    await robin.open('/schedules');
    await act(page, 'Robin', 'Remove from the team…');
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('Robin loses access to Fernhill Gym immediately.').waitFor();
    await assertGood(page, 'removing a member');
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Actions for Robin' }).waitFor({ state: 'detached' });
    const answer = await attempt(robin.page, 'GET', '/api/v1/schedules', {});
    assert.deepEqual(answer, [403, 'forbidden']);
    // The open page notices automatically.
    await seeHeading(robin.page, 'You are not on this merchant’s team');
    await robin.open('/schedules');
    await seeHeading(robin.page, 'You are not on this merchant’s team');
    assert.equal(await robin.page.getByText('Gym membership').count(), 0);
    await assertGood(robin.page, 'the dashboard after removal');
    await robin.page.getByRole('button', { name: 'Sign out' }).click();
    await seeHeading(robin.page, 'Sign in');
  });

  test('an invitation that was withdrawn does not work any more', async () => {
    const { page } = owner;
    const url = await invite(page, 'kim@fernhill.example', 'Owner');
    await assertGood(page, 'team with an open invitation');
    await page
      .getByRole('button', { name: 'Withdraw the invitation for kim@fernhill.example' })
      .click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('table', { name: 'Open invitations' }).waitFor({ state: 'detached' });
    const kim = await site.stranger();
    await kim.page.goto(url);
    await seeHeading(kim.page, 'This invitation is no longer valid');
    await assertGood(kim.page, 'a dead invitation');
  });

  test('who is invited while the team is still on its way is listed when it has come', async () => {
    const { page } = owner;
    const { given, letGo } = await holdAnswer(page, /\/dashboard\/api\/team$/);
    await owner.open('/settings/team');
    await given;
    await invite(page, 'lee@fernhill.example', 'Finance');
    letGo();
    await page.getByRole('table', { name: 'Open invitations' }).getByText('lee@').waitFor();
  });

  test('the dialog cannot be left while an invitation is made: its link is shown only once', async () => {
    const { page } = owner;
    const { given, letGo } = await holdAnswer(page, /\/dashboard\/api\/team\/invitations$/);
    await press(page, 'Invite a member');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email address').fill('ash@fernhill.example');
    await press(dialog, 'Create invitation');
    await given;
    await staysOpen(dialog);
    letGo();
    await page.getByRole('heading', { name: 'The invitation is ready' }).waitFor();
    await press(dialog, 'Done');
    await gone(dialog);
  });
});

/** Invites a member on the team page, and has each of its states looked at; returns the link. */
async function invite(
  page: Page,
  email: string,
  role: string,
  look: typeof assertGood = async () => undefined,
): Promise<string> {
  await page.getByRole('button', { name: 'Invite a member' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email address').fill(email);
  await dialog.getByLabel('Role', { exact: true }).selectOption(role);
  await look(page, 'inviting');
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
  await page.getByRole('heading', { name: 'The invitation is ready' }).waitFor();
  const url = await textOf(dialog.locator('code'));
  await look(page, 'an invitation');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  return url;
}

/** Returns the usable buttons and links of this name on a page. */
async function actionsOn(
  { page, open }: Person,
  path: string,
  heading: string,
  action: RegExp,
): Promise<string[]> {
  await open(path);
  await seeHeading(page, heading);
  await page.waitForLoadState('networkidle');
  const main = page.getByRole('main');
  const buttons = main.getByRole('button', { name: action, disabled: false });
  return buttons.or(main.getByRole('link', { name: action })).allTextContents();
}

/** Chooses an action on a member. */
async function act(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** Calls the service from within a page, as with the browser's developer tools. */
function attempt(
  page: Page,
  method: string,
  path: string,
  body: object,
): Promise<[status: number, code: string | undefined]> {
  const init = {
    method,
    headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
  };
  const call = `(async ([path, init]) => {
    const response = await fetch('/dashboard' + path, init);
    return [response.status, (await response.json()).error?.code];
  })(${JSON.stringify([path, init])})`;
  return page.evaluate<[number, string | undefined]>(call);
}
