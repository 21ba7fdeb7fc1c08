// Slow: goes through every kind of email in a browser.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { pngOf } from '../../server/test-support/images.ts';
import { linkOf, type MailServer, startMailServer } from '../../server/test-support/mail-server.ts';
import { until } from '../../server/test-support/until.ts';
import { newSchedule } from '../scenarios/acts.ts';
import { assertGood, choosePassword, seeHeading, seeText } from './account.ts';
import { assertAccessible } from './axe.ts';
import { assertReads } from './axe-page.ts';
import { type Person, type Site, startSite } from './dashboard.ts';
import { card, gone, press, rowsOf } from './look.ts';

const PASSWORD = 'correct horse battery';
const LOGO = pngOf({ width: 240, height: 80, rgb: [0x8a, 0x15, 0x38] });

/** Run in the customer's page: the width of the logo that is drawn, and the colour of the button. */
const LOOK = `[
  document.querySelector('.logo-mark')?.naturalWidth,
  getComputedStyle(document.querySelector('button.main')).backgroundColor,
]`;

describe('emails', () => {
  let mail: MailServer;
  let site: Site;
  let owner: Person;

  before(async () => {
    mail = await startMailServer();
    site = await startSite({ SMTP_URL: mail.url, MAIL_FROM: 'notices@pay.example' });
    owner = await site.member('owner');
  });
  afterEach(() => site.assertQuiet());
  after(async () => {
    await site?.close();
    await mail.close();
  });

  test('an owner previews an email, turns one off, and reads what was sent', async () => {
    const { page } = owner;
    await owner.open('/settings/emails');
    await seeText(page, 'A settlement failed');
    await assertGood(page, 'the kinds of emails');
    await press(page, 'Preview: A settlement failed');
    const dialog = page.getByRole('dialog');
    await seeText(page, 'Settlement of £482.50 failed');
    const frame = page.frameLocator('iframe');
    await frame.getByText('The money is still in your wallet.').waitFor();
    await assertGood(page, 'the preview of an email');
    await dialog.getByText('As plain text').click();
    await dialog.getByText(/^We could not pay £482\.50/).waitFor();
    await page.keyboard.press('Escape');
    await gone(dialog);

    const box = page.getByLabel('Send this email: An API key was revoked');
    await box.click();
    await seeText(page, 'Turned off.');
    await page.reload();
    await seeText(page, 'A settlement failed');
    assert.equal(await box.isChecked(), false);

    await site.member('owner'); // both owners hear of the second one
    await until('the email is in the mailbox', async () => {
      await page.reload();
      await card(page, 'Mailbox').waitFor();
      return (await rowsOf(page, 'Mailbox').allInnerTexts()).some((row) => /Sent/.test(row));
    });
    await assertGood(page, 'the mailbox');
    await rowsOf(page, 'Mailbox')
      .first()
      .getByRole('button', { name: /^Read: / })
      .click();
    const sent = page.frameLocator('iframe');
    await sent.getByText('Owners can change the team, the API keys').waitFor();
    assert.equal(await sent.getByRole('link').count(), 0);
  });

  test('an owner turns on emails to customers, and reminds those who have not decided', async () => {
    const { page } = owner;
    await owner.open('/settings/emails');
    const box = page.getByLabel('Send this email: Consent link');
    assert.equal(await box.isChecked(), false);
    const value = (n: number) => ({ type: 'phone', value: `+44770090077${n}` });
    const email = 'alex@home.example';
    const before = await newSchedule(site.service, { customer: { ...value(1), email } });
    await newSchedule(site.service, { customer: value(2), description: 'Rowing' });
    await box.click();
    await seeText(page, 'Turned on.');
    const told = await newSchedule(site.service, { customer: { ...value(3), email } });
    const links = () => mail.received.map(linkOf);
    await until('the new customer has the link', async () =>
      links().includes(`${told.consent_url}`),
    );
    assert.ok(!links().includes(`${before.consent_url}`));

    await owner.open(`/schedules/${before.id}`);
    await press(page, 'Send the link');
    await seeText(page, 'The customer gets the link by email.');
    await until('the reminder has arrived', async () => links().includes(`${before.consent_url}`));
    await seeText(page, 'The customer was sent an email');
    await assertGood(page, 'a schedule whose customer was reminded');

    await site.service.advance('PT25H');
    await owner.open('/attention');
    await press(card(page, 'Consents waiting for the customer'), 'Remind all');
    const asking = page.getByRole('alertdialog', { name: 'Send 3 consent links?' });
    await assertGood(page, 'reminding many');
    await press(asking, 'Send 3 consent links');
    await asking.getByText('2 sent.').waitFor();
    await asking.getByText('This customer has no email address.').waitFor();
    await asking.getByText('1 not sent').waitFor();
    await asking.getByRole('button', { name: 'Close' }).last().click();
  });

  test('an owner adds a logo and a colour, and customers see them until they are removed', async () => {
    const { page } = owner;
    await owner.open('/settings');
    const look = card(page, 'Logo and colour');
    const choose = async (buffer: Buffer) => {
      const file = { name: 'logo.png', mimeType: 'image/png', buffer };
      await look.getByLabel('Logo', { exact: true }).setInputFiles(file);
      const address = `data:image/png;base64,${buffer.toString('base64')}`;
      await until('the file was read', async () => {
        const shown = look.locator('.preview-logo');
        return (await shown.count()) === 1 && (await shown.getAttribute('src')) === address;
      });
    };
    const save = () => press(look, 'Save');
    await choose(Buffer.concat([LOGO, Buffer.from('<script>')]));
    await look.getByLabel('Colour (optional)').fill('#ffcc00');
    await save();
    await look.getByText('Must be a PNG or JPEG image.').waitFor();
    await look.getByText('Is too light: white text on it could not be read.').waitFor();
    await choose(Buffer.alloc(103_000));
    await save();
    await look.getByText('The file must have at most 100 KB.').waitFor();
    await choose(LOGO);
    await look.getByLabel('Colour (optional)').fill('#8a1538');
    await save();
    await seeText(page, 'Saved.');
    await page.reload();
    await look.locator('.preview-logo').waitFor();
    await assertGood(page, 'the logo and the colour');

    const { consent_url } = await newSchedule(site.service, {
      customer: { type: 'phone', value: '+447700900784', email: 'bo@home.example' },
    });
    const customer = await site.stranger({ viewport: { width: 360, height: 740 } });
    await customer.page.goto(`${consent_url}`);
    await seeText(customer.page, 'Continue to your bank');
    await until('the logo is drawn and the button has its colour', async () => {
      const shown = await customer.page.evaluate<[number, string]>(LOOK);
      return isDeepStrictEqual(shown, [240, 'rgb(138, 21, 56)']);
    });
    await assertAccessible(customer.page, 'the page with a logo');
    await assertReads(customer.page, 'the page with a logo');

    await until('the email is in the mailbox', async () => {
      await owner.open('/settings/emails');
      await rowsOf(page, 'Mailbox').first().waitFor();
      return (await rowsOf(page, 'Mailbox').allInnerTexts()).some((row) => /bo@home/.test(row));
    });
    await page.getByRole('button', { name: /^Read: .* to bo@home\.example$/ }).click();
    await page.frameLocator('iframe').getByRole('img', { name: 'Fernhill Gym' }).waitFor();
    await assertGood(page, 'an email with a logo');

    await owner.open('/settings');
    await press(look, 'Remove the logo');
    await look.getByLabel('Colour (optional)').fill('');
    await save();
    await seeText(page, 'Saved.');
    await customer.page.reload();
    await customer.page.locator('.asker .mark').waitFor();
    assert.equal(await customer.page.locator('.logo-mark').count(), 0);
  });

  test('an owner chooses how many days ahead customers are told what changes', async () => {
    const { page } = owner;
    await owner.open('/settings/emails');
    const days = page.getByLabel('Days before the collection: Upcoming change');
    assert.equal(await days.isDisabled(), true);
    await page.getByLabel('Send this email: Upcoming change').click();
    await until('it is on', async () => !(await days.isDisabled()));
    await days.selectOption('7');
    await seeText(page, 'Saved.');
    await page.reload();
    await days.waitFor();
    assert.equal(await days.inputValue(), '7');
    await assertGood(page, 'the days before a collection');
  });

  test('a read-only member sees what is sent, and changes nothing', async () => {
    const { page, ...reader } = await site.member('read_only');
    await reader.open('/settings/emails');
    await seeText(page, 'A settlement failed');
    assert.equal(await page.getByLabel('Send this email: A settlement failed').isDisabled(), true);
    assert.equal(await card(page, 'Mailbox').count(), 0);
    await assertGood(page, 'the emails of a read-only member');
  });

  test('who has forgotten their password gets a link by email, and is in with it', async () => {
    mail.received.length = 0;
    const person = await site.stranger();
    await person.open('/sign-in');
    await person.page.getByRole('link', { name: 'Forgotten your password?' }).click();
    await seeHeading(person.page, 'Forgotten your password?');
    await person.page.getByLabel('Email address').fill(owner.email);
    await press(person.page, 'Email me a link');
    await seeText(person.page, 'Check your email');
    await assertGood(person.page, 'after asking for a link');
    const arrived = () => mail.received.find(({ to }) => to.includes(owner.email));
    await until('the email arrives', () => arrived() !== undefined);
    await choosePassword(person, linkOf(arrived() ?? assert.fail('no email')), PASSWORD);
    await seeHeading(person.page, 'Overview');
  });
});
