import { after, afterEach, before, describe, test } from 'node:test';
import { grantedSchedule } from '../scenarios/acts.ts';
import { assertGood, seeText } from './account.ts';
import { type ConsoleVisitor, operatorOf } from './console-page.ts';
import { type Site, startSite } from './dashboard.ts';
import { press, rowsOf } from './look.ts';

/** Every pay-out comes back, and waits for an operator's word. */
describe('pay-outs in doubt, in the operators’ console', () => {
  let site: Site;
  let robin: ConsoleVisitor;
  before(async () => {
    site = await startSite({ SANDBOX_ISSUER_MODES: 'returned_payouts' });
    await grantedSchedule(site.service, 'alex', { frequency: { type: 'monthly', day: 7 } });
    await site.service.advance('2026-01-12T12:00:00Z');
    robin = await operatorOf(site, 'Robin Fern');
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  test('the account of a pay-out that came back is confirmed, and the issuer is asked again about another amount', async () => {
    const { page } = robin;
    await robin.open('/');
    await rowsOf(page, 'Needs a decision')
      .getByRole('link', { name: /came back/ })
      .click();
    await page.getByRole('heading', { level: 1, name: /^A pay-out came back/ }).waitFor();
    await assertGood(page, 'console, a pay-out that needs an operator');
    await press(page, 'Confirm the account…');
    await robin.decide('by letter', 'Confirm the account', 'console, an account to confirm');
    await seeText(page, 'No decisions pending');
    await site.service.db.transaction((tx) =>
      tx.run(
        `UPDATE settlements SET status = 'processing', stage = NULL, due_at = NULL, error_message = 'The issuer has 4998 pence'
         WHERE status = 'failed'`,
      ),
    );
    await robin.open('/settlements');
    await page.getByRole('link', { name: /The issuer has 4998 pence/ }).click();
    await press(page, 'Ask the issuer again…');
    await robin.decide('ref 4711', 'Ask the issuer again');
    await seeText(page, 'Needs a decision');
    await page.getByText('The issuer has 4998 pence').waitFor({ state: 'detached' });
  });
});
