import { type Finding, problem, warning } from './finding.ts';
import {
  bearerToken,
  gatewayUrl,
  LOOPBACK,
  mailbox,
  oneOf,
  url,
  type ValuesOf,
  variable,
} from './readers.ts';

/** The settings for emails and text messages. */
export const NOTICE_VARIABLES = {
  SMTP_URL: variable(
    'the mail server for notices: smtp:// or smtps://, with user and password; without it none is sent',
    null,
    url(['smtp:', 'smtps:']),
  ),
  SMTP_TLS: variable(
    'required: a mail server on another machine must offer STARTTLS in live mode, or be smtps://; off: it need not',
    'required',
    oneOf(['required', 'off'] as const),
  ),
  MAIL_FROM: variable('the sender of notices: an address, or Name <address>', null, mailbox),
  SMS_URL: variable(
    'the gateway for text messages to customers without an email address: https://, or http:// on this machine',
    null,
    gatewayUrl,
  ),
  SMS_TOKEN: variable('what we show to that gateway, as a bearer token', null, bearerToken),
} as const;

export type NoticeValues = ValuesOf<typeof NOTICE_VARIABLES>;

/** Whether emails may leave this machine without TLS where the server offers none. */
export function mayMailInTheClear({ MODE, SMTP_URL, SMTP_TLS }: MailValues): boolean {
  if (MODE !== 'live' || SMTP_TLS === 'off' || SMTP_URL === null) return true;
  return LOOPBACK.test(URL.parse(SMTP_URL)?.hostname ?? '');
}

interface MailValues extends Pick<NoticeValues, 'SMTP_URL' | 'SMTP_TLS'> {
  MODE: string | null;
}

/** Options of a mail server's address that turn TLS, or its check, off. */
const WEAKENING = /^(tls[.].*|secure|ignoreTLS|requireTLS|opportunisticTLS)$/i;

/** Finds what a live service would rather have of its mail server. */
export function mailFindings(v: NoticeValues): Finding[] {
  const { SMTP_URL: address } = v;
  if (address === null)
    return [
      warning('SMTP_URL', 'is not set: nobody gets an email, not even about a forgotten password'),
    ];
  const options = [...(URL.parse(address)?.searchParams.keys() ?? [])];
  const weakening = options.find((name) => WEAKENING.test(name));
  if (weakening === undefined || mayMailInTheClear({ ...v, MODE: 'live' })) return [];
  return [
    problem(
      'SMTP_URL',
      `must not say ${weakening}: emails carry links that let people in; where the network between is private, set SMTP_TLS=off`,
    ),
  ];
}
