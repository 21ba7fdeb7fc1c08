// Slow: goes through text messages in a browser.
import { after, afterEach, before, describe, test } from 'node:test';
import { type MailServer, startMailServer } from '../../server/test-support/mail-server.ts';
import { type SmsGateway, startSmsGateway } from '../../server/test-support/sms-gateway.ts';
import { until } from '../../server/test-support/until.ts';
import { newSchedule } from '../scenarios/acts.ts';
import { assertGood, seeText } from './account.ts';
import { type Person, type Site, startSite } from './dashboard.ts';
import { card, gone, press, rowsOf } from './look.ts';

describe('text messages', () => {
  let gateway: SmsGateway;
  let mail: MailServer;
  let site: Site;
  let owner: Person;

  before(async () => {
    gateway = await startSmsGateway();
    mail = await startMailServer();
    site = await startSite({
      SMS_URL: gateway.url,
      SMS_TOKEN: gateway.token,
      SMTP_URL: mail.url,
      MAIL_FROM: 'notices@pay.example',
    });
    owner = await site.member('owner');
  });
  afterEach(() => site.assertQuiet());
  after(async () => {
    await site?.close();
    await mail.close();
    await gateway.close();
  });

  test('an owner sees how a notice reads as a text message, and whom it reaches', async () => {
    const { page } = owner;
    await owner.open('/settings/emails');
    await seeText(page, 'as text messages to others with a mobile number.');
    await press(page, 'Preview: Upcoming change');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('region', { name: 'As a text message' }).waitFor();
    await dialog.getByText(/instead of the usual £49\.99 for "Gym membership"\. https/).waitFor();
    await assertGood(page, 'the preview of an email and a text message');
    await page.keyboard.press('Escape');
    await gone(dialog);
    await press(page, 'Preview: A settlement failed');
    await dialog.getByText('As plain text').waitFor();
    await gone(dialog.getByRole('region', { name: 'As a text message' }));
    await page.keyboard.press('Escape');
  });

  test('a customer without an email address is reminded by text, which the mailbox shows', async () => {
    const { page } = owner;
    const customer = { type: 'phone', value: '+447700900881' };
    const { id, consent_url: link } = await newSchedule(site.service, { customer });
    await owner.open(`/schedules/${id}`);
    await press(page, 'Send the link');
    await seeText(page, 'The customer gets the link by text message.');
    await until('the text has arrived', async () =>
      gateway.delivered.some(({ text }) => text.endsWith(` ${link}`)),
    );
    await seeText(page, 'The customer was sent a text message');
    await assertGood(page, 'a schedule whose customer was sent a text message');

    await owner.open('/settings/emails');
    await card(page, 'Mailbox').waitFor();
    const row = rowsOf(page, 'Mailbox').filter({ hasText: 'number ending in 0881' });
    await row.getByText('Text message').waitFor();
    await row.getByRole('button', { name: /^Read: / }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('would like to collect payments from you.').last().waitFor();
    await gone(dialog.locator('iframe'));
    await assertGood(page, 'a text message in the mailbox');
  });
});
