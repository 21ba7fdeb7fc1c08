import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Reply } from './asked.ts';
import { DESTINATIONS, FakeBooks, type Notice } from './books.ts';
import type { Exchange } from './document.ts';
import { answerFrom } from './routes.ts';

/** A notification as it is sent. */
export interface SentNotice {
  headers: Record<string, string>;
  raw: Buffer;
}

export const FAKE_KEY = { keyId: 'FAKE-KEY', secret: 'fake-secret-of-the-api-key' };
export const WEBHOOK_SECRET = '0123456789abcdef0123456789abcdef';

const KEYS_LIVE_FOR = Temporal.Duration.from({ hours: 48 });

/** A Modulr made from its document alone: it shares no code with the connector. Its business time is the test's. */
export class FakeModulr {
  readonly books: FakeBooks;
  readonly exchanges: Exchange[] = [];
  /** What it has sent, or would have sent to a webhook. */
  readonly sent: SentNotice[] = [];
  /** Receives notifications as they are sent. */
  onSent: (notice: SentNotice) => void = () => undefined;
  /** Whether it does nothing and answers nothing, by method and path. */
  isDown: (call: string) => boolean = () => false;
  /** Whether it does what is asked, and loses the answer. */
  losesAnswer: (call: string) => boolean = () => false;
  readonly #server: Server;
  readonly #signedAt: () => Temporal.Instant;
  readonly #nonces = new Map<string, { at: Temporal.Instant; reply: Reply }>();
  readonly #notices: Notice[] = [];

  /** `signedAt`: when its notifications say that they were signed. */
  constructor(
    now: () => Temporal.Instant,
    signedAt: () => Temporal.Instant = Temporal.Now.instant,
  ) {
    this.#signedAt = signedAt;
    this.books = new FakeBooks(now);
    this.books.onNotice = (notice) => {
      this.#notices.push(notice);
      this.#send(notice);
    };
    this.#server = createServer((request, response) => {
      void this.#handle(request).then((reply) => {
        if (reply === null) return response.destroy();
        response.writeHead(reply.status, { 'content-type': 'application/json' });
        return response.end(reply.body === undefined ? '' : JSON.stringify(reply.body));
      });
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/api-sandbox`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  /** Sends every notification once more, each under another EventId. */
  sendAgain(): void {
    for (const notice of this.#notices) this.#send(notice);
  }

  /** How many payments were ordered under a key. */
  ordered(externalReference: string): number {
    return this.books.payments.filter(
      (one) => one.type === 'PAYOUT' && one.externalReference === externalReference,
    ).length;
  }

  async #handle(request: IncomingMessage): Promise<Reply | null> {
    const raw = await text(request);
    const url = new URL(request.url ?? '', 'http://fake');
    const path = url.pathname.replace('/api-sandbox', '');
    const body = raw === '' ? undefined : (JSON.parse(raw) as Record<string, unknown>);
    const method = request.method ?? '';
    const call = `${method} ${path}`;
    if (this.isDown(call)) return null;
    this.books.settle();
    if (!isSigned(request)) return { status: 401, body: { error: 'Unauthorized' } };
    const reply = this.#once(request, () =>
      answerFrom(this.books, { method, path, query: url.searchParams, body: body ?? {} }),
    );
    const { status, body: answer } = reply;
    this.exchanges.push({ method, path, query: url.searchParams, body, status, answer });
    return this.losesAnswer(call) || this.#isSilent(request, body) ? null : reply;
  }

  /** An account, or a consent, that gets no answer the first time. */
  #isSilent(request: IncomingMessage, body: Record<string, unknown> | undefined): boolean {
    const destination = body?.destination as { accountNumber?: string } | undefined;
    const nonce = String(request.headers['x-mod-nonce']);
    const isFirst = !this.#silenced.has(nonce);
    this.#silenced.add(nonce);
    const { books } = this;
    const isLost =
      destination?.accountNumber === DESTINATIONS.noAnswer ||
      (request.url?.endsWith('/vrp') && books.vrp.isUnanswered(body?.consentId));
    return isFirst && isLost === true;
  }
  readonly #silenced = new Set<string>();

  /** A nonce that is known gets its first answer where the request says that it is a repeat, for 48 hours. */
  #once(request: IncomingMessage, work: () => Reply): Reply {
    const nonce = String(request.headers['x-mod-nonce']);
    const known = this.#nonces.get(nonce);
    const now = this.books.now();
    const lives = known && Temporal.Instant.compare(known.at.add(KEYS_LIVE_FOR), now) > 0;
    if (lives)
      return request.headers['x-mod-retry'] === 'true' && request.method === 'POST'
        ? known.reply
        : { status: 403, body: { error: 'Nonce was used' } };
    const reply = structuredClone(work());
    this.#nonces.set(nonce, { at: now, reply });
    return reply;
  }

  #send({ event, payment, type, payer, originalSchemeId }: Notice): void {
    const { account, pence, externalReference, status } = payment;
    const { sortCode: SortCode, accountNumber: AccountNumber } = payer ?? {};
    const Identifier = { Type: 'SCAN', SortCode, AccountNumber };
    const notice = {
      EventName: event,
      EventId: randomUUID(),
      EventTime: this.books.now().toString(),
      PaymentId: payment.id,
      AccountId: account.id,
      Amount: pence / 100,
      Currency: 'GBP',
      ...(event === 'PAYOUT'
        ? { Status: status, ExternalReference: externalReference }
        : {
            Type: type,
            SourceExternalReference: externalReference,
            OriginalSchemeId: originalSchemeId,
          }),
      ...(payer === null ? {} : { Payer: { Name: payer.name, Identifier } }),
    };
    const sent = {
      headers: webhookHeaders(this.#signedAt()),
      raw: Buffer.from(JSON.stringify(notice)),
    };
    this.sent.push(sent);
    this.onSent(sent);
  }
}

/** Signs a notification as requests are signed, with the webhook's secret: the document does not say how. */
function webhookHeaders(at: Temporal.Instant): Record<string, string> {
  const date = new Date(at.epochMilliseconds).toUTCString();
  const nonce = randomUUID();
  const authorization = signatureOf('sha512', '', WEBHOOK_SECRET, date, nonce);
  return { date, 'x-mod-nonce': nonce, authorization };
}

function isSigned({ headers }: IncomingMessage): boolean {
  const { keyId, secret } = FAKE_KEY;
  const [date, nonce] = [String(headers.date), String(headers['x-mod-nonce'])];
  return headers.authorization === signatureOf('sha1', keyId, secret, date, nonce);
}

function signatureOf(
  hash: 'sha1' | 'sha512',
  keyId: string,
  secret: string,
  date: string,
  nonce: string,
): string {
  const text = `date: ${date}\nx-mod-nonce: ${nonce}`;
  const signature = encodeURIComponent(createHmac(hash, secret).update(text).digest('base64'));
  const names = `keyId="${keyId}",algorithm="hmac-${hash}",headers="date x-mod-nonce"`;
  return `Signature ${names},signature="${signature}"`;
}
