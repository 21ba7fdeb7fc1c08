// Slow: lives through days in a browser.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, describe, test } from 'node:test';
import { textIn } from '../../server/test-support/zip.ts';
import { grantedSchedule } from '../scenarios/acts.ts';
import { assertGood, seeText } from './account.ts';
import { type ConsoleVisitor, operatorOf } from './console-page.ts';
import { type Site, startSite } from './dashboard.ts';
import { card, gone, press, rowsOf } from './look.ts';

/** Every pay-in is a penny short, so that money waits to be allocated. */
describe('the pages about safeguarding', () => {
  let site: Site;
  let robin: ConsoleVisitor;
  before(async () => {
    site = await startSite({ SANDBOX_ISSUER_MODES: 'short_pay_ins' });
    await grantedSchedule(site.service, 'alex', {
      frequency: { type: 'monthly', day: 7 },
      description: 'Rowing',
    });
    await site.service.advance('2026-01-12T12:00:00Z');
    robin = await operatorOf(site, 'Robin Fern');
  });
  afterEach(() => site.assertQuiet());
  after(() => site?.close());

  test('a day shows what is owed against what is held, and is answered once', async () => {
    const { page } = robin;
    await robin.open('/safeguarding');
    const today = rowsOf(page, 'Reconciliation days').first();
    await today.getByText('12 Jan 2026').waitFor();
    await today.getByText('Agrees').waitFor();
    assert.equal(await today.getByText('£49.98').count(), 3, 'requirement, our books, the issuer');
    await assertGood(page, 'console, the safeguarding days');
    await press(page, 'Reconcile today again');
    await seeText(page, 'Today is reconciled again.');
    await today.getByRole('button', { name: 'Answer…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Of no client yet').waitFor();
    await assertGood(page, 'console, the answer to a safeguarding day');
    await dialog.getByLabel('What was found, and what was done').fill('Both sides agree');
    await press(dialog, 'Answer');
    await gone(dialog);
    await today.getByText('Robin Fern: Both sides agree').waitFor();
  });

  test('money that nobody allocated in time is a breach, which is explained', async () => {
    const { page } = robin;
    await robin.open('/safeguarding/breaches');
    await rowsOf(page, 'Receipts of no client yet').getByText('End of 8 Jan 2026').waitFor();
    const breach = rowsOf(page, 'Register of breaches').first();
    await breach.getByText('Money was not allocated to a client').waitFor();
    await breach.getByText('Still stands').waitFor();
    await assertGood(page, 'console, the register of breaches');
    await breach.getByRole('button', { name: 'Explain…' }).click();
    await robin.decide('The bank sent a penny less; we asked for it', 'Explain');
    await breach.getByText('Robin Fern: The bank sent a penny less').waitFor();
  });

  test('the register is kept, a month has its figures, and the pack comes as one archive', async () => {
    const { page } = robin;
    await robin.open('/safeguarding/papers');
    await seeText(page, 'The register is empty');
    await press(page, 'Enter…');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('What it is').selectOption('letter');
    await dialog.getByLabel('Name', { exact: true }).fill('Letter of Northbank');
    await assertGood(page, 'console, an entry of the register');
    await press(dialog, 'Enter');
    await gone(dialog);
    await rowsOf(page, 'Register').getByText('Letter of Northbank').waitFor();
    await card(page, 'Figures of a month').getByLabel('Month').selectOption('2026-01');
    await rowsOf(page, 'Figures of a month').getByText('Days without a reconciliation').waitFor();
    await assertGood(page, 'console, the papers of safeguarding');
    const coming = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download resolution pack' }).click();
    const pack = await coming;
    assert.match(pack.suggestedFilename(), /^resolution-pack-2026-01-12[.]zip$/);
    const archive = await readFile(await pack.path());
    assert.match(textIn(archive, 'unallocated.csv'), /49\.98/);
  });
});
