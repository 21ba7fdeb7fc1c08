// Slow: connects an agent, decides what waits, and stops it, in a browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { agreedSchedule } from '../../server/test-support/agents.ts';
import { assertGood, seeText, textOf } from './account.ts';
import { type Person, type Site, startSite } from './dashboard.ts';
import { card, gone, press, rowsOf } from './look.ts';

const GBP = (value: number) => ({ value, currency: 'GBP' });

describe('the page of agents', () => {
  let site: Site;
  let owner: Person;
  let secret: string;
  let scheduleId: string;

  before(async () => {
    site = await startSite();
    owner = await site.member('owner');
    scheduleId = await agreedSchedule(site.service);
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  /** Calls the API as the agent does. */
  const as = <T = { id: string; status: string }>(path: string, body?: object) =>
    site.service.api<T>(body === undefined ? 'GET' : 'POST', path, body, {
      authorization: `Bearer ${secret}`,
      'recollect-agent': 'Ledger bot',
    });

  /** Prepares and commits a payment; returns the act. */
  async function commit(amount: number): Promise<{ id: string; status: string }> {
    const { body: act } = await as('/api/v1/prepared_acts', {
      operation: 'createPayment',
      params: { id: scheduleId },
      body: { amount: GBP(amount) },
    });
    return (await as(`/api/v1/prepared_acts/${act.id}/commit`, {})).body;
  }

  test('an agent gets a key with limits, and commands that have it', async () => {
    const { page } = owner;
    await owner.open('/agents');
    await assertGood(page, 'agents, before there is one');
    await press(page, 'Connect an agent');
    const asking = page.getByRole('dialog', { name: 'Connect an agent' });
    await assertGood(page, 'connecting an agent');
    await asking.getByLabel('Name', { exact: true }).fill('Accounts assistant');
    await asking.getByLabel('Most for one act').fill('20.00');
    await asking.getByLabel('Most for a day').fill('10.00');
    await press(asking, 'Create its key');
    await asking.getByText('must be at least per_act_pence').waitFor();
    await asking.getByLabel('Most for a day').fill('50.00');
    await press(asking, 'Create its key');
    await gone(asking);
    const shown = await textOf(card(page, 'How to connect').locator('code').first());
    secret = /rk_test_\w+/.exec(shown)?.[0] ?? '';
    assert.notEqual(secret, '');
    await assertGood(page, 'an agent’s key in the snippets');
    assert.equal((await commit(1_900)).status, 'done');
  });

  test('what is beyond the limits waits, and is approved or declined', async () => {
    const { page } = owner;
    assert.equal((await commit(2_100)).status, 'waiting_for_approval');
    assert.equal((await commit(2_200)).status, 'waiting_for_approval');
    await owner.open('/agents');
    const waiting = rowsOf(page, 'Waiting for approval');
    await waiting
      .filter({ hasText: '£21.00' })
      .getByText('Ledger bot (Accounts assistant)')
      .waitFor();
    await assertGood(page, 'acts that wait');
    await waiting
      .filter({ hasText: '£21.00' })
      .getByRole('button', { name: /^Approve/ })
      .click();
    const approving = page.getByRole('alertdialog');
    await assertGood(page, 'approving an act');
    await press(approving, 'Approve');
    await seeText(page, 'Approved and done.');
    await waiting
      .filter({ hasText: '£22.00' })
      .getByRole('button', { name: /^Decline/ })
      .click();
    await press(page.getByRole('alertdialog'), 'Decline');
    await seeText(page, 'Nothing waits for you.');
    const did = rowsOf(page, 'What agents did');
    await did.filter({ hasText: '£22.00' }).getByText('Declined').waitFor();
    await did.filter({ hasText: '£21.00' }).getByText('Done').waitFor();
    await assertGood(page, 'what agents did');
  });

  test('limits change, and an agent is stopped at once', async () => {
    const { page } = owner;
    await owner.open('/agents');
    const key = rowsOf(page, 'Agents’ keys').filter({ hasText: 'Accounts assistant' });
    await key.getByText('£19.00').waitFor();
    await key.getByRole('button', { name: /^Change the limits/ }).click();
    const limits = page.getByRole('dialog', { name: 'Limits of “Accounts assistant”' });
    await assertGood(page, 'changing limits');
    await limits.getByLabel('Most for one act').fill('0.00');
    await press(limits, 'Save');
    await gone(limits);
    assert.equal((await commit(100)).status, 'waiting_for_approval');
    await key.getByRole('button', { name: /^Stop/ }).click();
    await press(page.getByRole('alertdialog'), 'Revoke key');
    await seeText(page, 'No key has limits yet');
    assert.equal((await as('/api/v1/api_key')).status, 401);
  });

  test('a member who only reads sees what agents did, and decides nothing', async () => {
    const reader = await site.member('read_only');
    await reader.open('/agents');
    await reader.page.getByRole('heading', { name: 'What agents did' }).waitFor();
    assert.equal(
      await reader.page.getByRole('button', { name: /Approve|Stop|Connect/ }).count(),
      0,
    );
  });
});
