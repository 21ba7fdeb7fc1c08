import type { Config } from '../../src/platform/config/config.ts';
import type { NOTICE_VARIABLES } from '../../src/platform/config/notices.ts';

/** Accepted texts of a setting with their values, and rejected texts; `set`: what goes with it. */
export interface SettingCase {
  set?: object;
  good: [string, unknown, (c: Config) => unknown][];
  bad: string[];
}

/** The settings for emails and text messages. */
export const NOTICE_CASES: Record<keyof typeof NOTICE_VARIABLES, SettingCase> = {
  SMTP_URL: {
    set: { MAIL_FROM: 'notices@example.com' },
    good: [['smtps://u:p@mail.example:465', 'smtps://u:p@mail.example:465', (c) => c.smtpUrl]],
    bad: ['mail.example', 'https://mail.example'],
  },
  SMTP_TLS: { good: [['off', false, (c) => c.smtpNeedsTls]], bad: ['on', 'Required'] },
  MAIL_FROM: {
    set: { SMTP_URL: 'smtp://mail.example' },
    good: [
      ['notices@example.com', 'notices@example.com', (c) => c.mailFrom],
      ['Fern Hill <a@b.example>', 'Fern Hill <a@b.example>', (c) => c.mailFrom],
    ],
    bad: [
      'Fern Hill',
      'a@b.example, c@d.example',
      'Fern <a@b.example',
      'a@b.example\nBcc: c@d.example',
    ],
  },
  SMS_URL: {
    set: { SMS_TOKEN: 'token-1' },
    good: [
      ['https://sms.example/send?from=1', 'https://sms.example/send?from=1', (c) => c.sms?.url],
      ['http://127.0.0.1:8025/', 'http://127.0.0.1:8025/', (c) => c.sms?.url],
    ],
    bad: [
      'sms.example',
      'http://sms.example/',
      'ftp://sms.example',
      'https://u:p@sms.example/',
      'https://a.example/#b',
    ],
  },
  SMS_TOKEN: {
    set: { SMS_URL: 'https://sms.example' },
    good: [['a1-b2_c3.d4', 'a1-b2_c3.d4', (c) => c.sms?.token]],
    bad: ['two words', 'a\r\nx-header: b', 'schlüssel'],
  },
};
