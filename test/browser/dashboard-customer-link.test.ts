// Slow: goes from the dashboard to the customer’s page in two browsers.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { newSchedule } from '../scenarios/acts.ts';
import { assertGood, seeHeading, seeText } from './account.ts';
import { assertAccessible } from './axe.ts';
import { type Site, startSite } from './dashboard.ts';
import { copied, press } from './look.ts';

describe('the link to a customer’s page', () => {
  let site: Site;
  let waiting: string;
  let granted: string;

  before(async () => {
    site = await startSite();
    waiting = (await newSchedule(site.service, { description: 'Waiting' })).id;
    granted = (await newSchedule(site.service, { description: 'Gym membership' })).id;
    await site.service.grant(granted);
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  test('a member copies it for the customer, who finds their page again, and the timeline says who', async () => {
    const { page, ...owner } = await site.member('owner', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await owner.open(`/schedules/${granted}`);
    await press(page, 'Copy the customer’s link');
    await seeText(page, 'Anyone who has this link can stop the payments');
    await assertGood(page, 'the link to the customer’s page');
    await press(page, 'Copy link');
    const customer = await site.stranger();
    await customer.page.goto(await copied(page));
    await seeText(customer.page, 'Fernhill Gym');
    await customer.page.getByRole('link', { name: /^See everything you have agreed/ }).click();
    await seeHeading(customer.page, 'Open Banking payments');
    await assertAccessible(customer.page, 'everything the customer agreed to');
    await customer.page.getByRole('link', { name: 'Gym membership' }).click();
    await customer.page.getByRole('button', { name: 'Withdraw permission' }).waitFor();
    await page.keyboard.press('Escape');
    await page.reload();
    await seeText(page, 'The link to the customer’s page was copied');
  });

  test('a read-only member sees no link of a customer', async () => {
    const { page, ...reader } = await site.member('read_only');
    await reader.open(`/schedules/${waiting}`);
    await seeText(page, 'Your role cannot see their link.');
    await reader.open(`/schedules/${granted}`);
    await seeText(page, 'Limits the customer agreed to');
    assert.equal(await page.getByRole('button', { name: 'Copy the customer’s link' }).count(), 0);
    // A link to the portal begins there, with or without its host; the address of the agreement's file does not.
    assert.doesNotMatch(await page.content(), /(?:["']|:\d+)\/consent\//);
  });
});
