import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** An email as the mail server received it. */
export interface ReceivedEmail {
  from: string;
  to: string[];
  /** The headers and the body, as they were sent. */
  raw: string;
}

/** A real SMTP server that keeps what it accepts. */
export interface MailServer {
  url: string;
  received: ReceivedEmail[];
  /** The code and text of its next refusals of an email, first one first. */
  refusals: { code: number; text: string }[];
  close(): Promise<void>;
}

/** Returns the text of the plain part of an email: nodemailer writes it as quoted-printable or as it is. */
export function plainTextOf({ raw }: ReceivedEmail): string {
  const [, part = ''] = /Content-Type: text\/plain.*?\r\n\r\n(.*?)\r\n--/s.exec(raw) ?? [];
  const bytes = decodeHex(part.replaceAll('=\r\n', ''));
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n');
}

/** Returns the address of the first link of an email. */
export function linkOf(email: ReceivedEmail): string {
  return /https?:\/\/\S+/.exec(plainTextOf(email))?.[0] ?? '';
}

/** Returns a header of an email, decoded, folded lines joined. */
export function headerOf({ raw }: ReceivedEmail, name: string): string {
  const [head = ''] = raw.split('\r\n\r\n');
  const line = head
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .find((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  return decodeWords(line?.slice(name.length + 1).trim() ?? '');
}

/** Decodes the words of a header that nodemailer has encoded, because they are not ASCII. */
function decodeWords(text: string): string {
  return text
    .replaceAll('?= =?UTF-8?Q?', '')
    .replace(/=\?UTF-8\?Q\?(.*?)\?=/g, (_, word: string) => {
      const plain = word.replaceAll('_', ' ');
      return Buffer.from(decodeHex(plain), 'latin1').toString('utf8');
    });
}

const decodeHex = (text: string): string =>
  text.replace(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );

/** Starts a mail server on a free port. */
export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedEmail[] = [];
  const refusals: MailServer['refusals'] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => void parts.push(part));
      stream.on('end', () => {
        const refusal = refusals.shift();
        if (refusal !== undefined)
          return done(Object.assign(new Error(refusal.text), { responseCode: refusal.code }));
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(parts).toString('utf8'),
        });
        return done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refusals,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
