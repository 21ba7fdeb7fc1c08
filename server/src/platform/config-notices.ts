import { bearerToken, gatewayUrl, mailbox, url, variable } from './config-readers.ts';

/** The settings for emails and text messages. */
export const NOTICE_VARIABLES = {
  SMTP_URL: variable(
    'the mail server for notices: smtp:// or smtps://, with user and password; without it none is sent',
    null,
    url(['smtp:', 'smtps:']),
  ),
  MAIL_FROM: variable('the sender of notices: an address, or Name <address>', null, mailbox),
  SMS_URL: variable(
    'the gateway for text messages to customers without an email address: https://, or http:// on this machine',
    null,
    gatewayUrl,
  ),
  SMS_TOKEN: variable('what we show to that gateway, as a bearer token', null, bearerToken),
} as const;
