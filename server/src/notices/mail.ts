import { createTransport } from 'nodemailer';
import type { Config } from '../platform/config/config.ts';
import type { EmailReader } from '../platform/state/notify.ts';
import { errorMessage } from '../platform/values/thrown.ts';
import type { Rendered } from './letter.ts';

/** An email to send. */
export interface Email extends Rendered {
  /** Names the email to mail servers: one that is sent twice is recognised by it. */
  id: string;
  to: EmailReader;
  /** The sender's name; absent: the one of `MAIL_FROM`, or else the brand's name. */
  fromName?: string;
  /** Where an answer goes; absent: to the sender. */
  replyTo?: string;
  /** An image within the email, which its HTML names as `cid:…`. */
  image?: InlineImage;
}

/** An image that travels within an email: mail programs show it without asking, as they do not with one on a server. */
export interface InlineImage {
  cid: string;
  type: string;
  bytes: Buffer;
}

/** The outcome of sending an email or a text message. `isFinal`: it was refused for good, so it is not sent again. */
export type Sent = { error: null } | { error: string; isFinal: boolean };

/** Sends emails. */
export interface Mail {
  send(email: Email): Promise<Sent>;
  /** Connects and signs in. Throws if that fails. */
  verify(): Promise<void>;
  close(): void;
}

const CONNECT_MS = 10_000;
const SOCKET_MS = 30_000;
const MAX_CONNECTIONS = 5;
const LONGEST_ERROR = 300;
const FIRST_PERMANENT = 500;

/** Makes the sender over SMTP; null: no mail server is configured. */
export function makeMail({ smtpUrl, smtpNeedsTls, mailFrom, brand }: Config): Mail | null {
  if (smtpUrl === null || mailFrom === null) return null;
  const address = mailFrom.replace(/^.*<|>\s*$/g, '').trim();
  const sender = mailFrom === address ? { name: brand.name, address } : mailFrom;
  const transport = createTransport(
    {
      pool: true,
      url: smtpUrl,
      requireTLS: smtpNeedsTls,
      maxConnections: MAX_CONNECTIONS,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SOCKET_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from: sender },
  );
  const domain = address.replace(/^.*@/, '');
  return {
    async send({ id, to, fromName, replyTo, image, subject, text, html }) {
      try {
        await transport.sendMail({
          messageId: `<${id}@${domain}>`,
          to: { name: to.name, address: to.email },
          ...(fromName === undefined ? {} : { from: { name: fromName, address } }),
          ...(replyTo === undefined ? {} : { replyTo }),
          subject,
          text,
          html,
          ...(image === undefined ? {} : { attachments: [attachmentOf(image)] }),
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
        return { error: null };
      } catch (error) {
        return failureOf(error);
      }
    },
    async verify() {
      await transport.verify();
    },
    close: () => transport.close(),
  };
}

function attachmentOf({ cid, type, bytes }: InlineImage) {
  const filename = type === 'image/png' ? 'logo.png' : 'logo.jpg';
  return {
    cid,
    filename,
    contentType: type,
    content: bytes,
    contentDisposition: 'inline',
  } as const;
}

/** A code of 500 and above is the server's final word on this email; anything else may pass. */
function failureOf(error: unknown): Sent {
  const { responseCode, code } = Object(error) as { responseCode?: unknown; code?: unknown };
  // A wrong password is refused with 535: that is a matter of our settings, not of the email.
  const isFinal =
    typeof responseCode === 'number' && responseCode >= FIRST_PERMANENT && code !== 'EAUTH';
  return { error: errorMessage(error).slice(0, LONGEST_ERROR), isFinal };
}
