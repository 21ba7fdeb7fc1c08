import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { PushedNotice } from '../../src/banks/bank.ts';
import type { Exchange } from './document.ts';
import { invalidParameters, problem, type Reply, unauthenticated } from './replies.ts';
import { isSignedBy, makeKeyPair, signNotice } from './signature.ts';
import { FakeVrp, type Told } from './vrp.ts';

const KEYS_LIVE_FOR = Temporal.Duration.from({ hours: 24 * 30 });
const NOTICE_KID = 'notices-1';
const TIMESTAMP = 'X-Tl-Webhook-Timestamp';

/** The key that our side signs with, and the client that it belongs to. */
const ours = makeKeyPair();
export const FAKE_CLIENT = {
  clientId: 'recollect-test',
  clientSecret: 'secret-of-the-client',
  signingKid: 'ours-1',
  signingKey: ours.privateKey.export({ format: 'pem', type: 'pkcs8' }) as string,
};

/** A TrueLayer made from recorded answers and published facts alone: it shares no code with the connector. */
export class FakeTrueLayer {
  readonly vrp: FakeVrp;
  readonly exchanges: Exchange[] = [];
  /** What it has told so far. */
  readonly told: PushedNotice[] = [];
  /** Receives notices as they are sent. */
  onSent: (notice: PushedNotice) => void = () => undefined;
  /** The path of the address that it tells. */
  noticePath = '/notifications/banks/truelayer';
  /** Whether it does nothing and answers nothing, by method and path. */
  isDown: (call: string) => boolean = () => false;
  /** Whether it does what is asked, and loses the answer. */
  losesAnswer: (call: string) => boolean = () => false;
  /** How often somebody asked for a token. */
  tokensGiven = 0;
  readonly #notices = makeKeyPair();
  readonly #server: Server;
  readonly #now: () => Temporal.Instant;
  readonly #tokens = new Set<string>();
  readonly #keys = new Map<string, { at: Temporal.Instant; asked: string; reply: Reply }>();
  readonly #silenced = new Set<string>();

  constructor(now: () => Temporal.Instant) {
    this.#now = now;
    this.vrp = new FakeVrp(now);
    this.vrp.onTold = (told) => this.#tell(told);
    this.#server = createServer((request, response) => {
      void this.#handle(request).then((reply) => {
        if (reply === null) return response.destroy();
        response.writeHead(reply.status, { 'content-type': 'application/json' });
        return response.end(reply.body === undefined ? '' : JSON.stringify(reply.body));
      });
    });
  }

  /** Starts it; returns the addresses of an environment. */
  async start(): Promise<{ api: string; token: string; noticeKeys: string }> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    const origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    this.#keysAt = `${origin}/.well-known/jwks`;
    return { api: `${origin}/v3`, token: `${origin}/connect/token`, noticeKeys: this.#keysAt };
  }
  #keysAt = '';

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  /** Takes all tokens back. */
  dropTokens(): void {
    this.#tokens.clear();
  }

  /** Signs a notice; `changes` may make it a wrong one. */
  notice(body: string, changes: { at?: Temporal.Instant; claims?: object } = {}): PushedNotice {
    const { at = Temporal.Now.instant(), claims = {} } = changes;
    const headers = {
      'content-type': 'application/json',
      [TIMESTAMP.toLowerCase()]: at.toString(),
    };
    const signed = { method: 'POST', path: this.noticePath, headers, body };
    const header = { kid: NOTICE_KID, tl_headers: TIMESTAMP, jku: this.#keysAt, ...claims };
    const signature = signNotice(this.#notices.privateKey, signed, header);
    return {
      path: this.noticePath,
      headers: { ...headers, 'tl-signature': signature },
      body: Buffer.from(body),
    };
  }

  #tell(told: Told): void {
    const body = JSON.stringify({ ...told, event_version: 1, event_id: randomUUID() });
    const notice = this.notice(body);
    this.told.push(notice);
    this.onSent(notice);
  }

  async #handle(request: IncomingMessage): Promise<Reply | null> {
    const raw = await text(request);
    const url = new URL(request.url ?? '', 'http://fake');
    const method = request.method ?? '';
    const call = `${method} ${url.pathname.replace('/v3', '')}`;
    if (this.isDown(call)) return null;
    if (url.pathname === '/connect/token') return this.#token(raw);
    if (url.pathname === '/.well-known/jwks') return this.#jwks();
    this.vrp.execute();
    const reply = this.#answer(request, url, raw);
    const path = url.pathname.replace('/v3', '');
    const body = raw === '' ? undefined : (JSON.parse(raw) as unknown);
    const { status, body: answer } = reply;
    this.exchanges.push({ method, path, query: url.searchParams, body, status, answer });
    return this.losesAnswer(call) || this.#isSilent(request, call, body) ? null : reply;
  }

  #token(raw: string): Reply {
    const form = new URLSearchParams(raw);
    const is = (name: string, value: string): boolean => form.get(name) === value;
    const isOurs =
      is('client_id', FAKE_CLIENT.clientId) && is('client_secret', FAKE_CLIENT.clientSecret);
    if (!isOurs || !is('grant_type', 'client_credentials'))
      return { status: 400, body: { error: 'invalid_client' } };
    this.tokensGiven += 1;
    const access_token = randomUUID();
    this.#tokens.add(access_token);
    const scope = form.get('scope') ?? '';
    return { status: 200, body: { access_token, expires_in: 3600, scope, token_type: 'Bearer' } };
  }

  #jwks(): Reply {
    const key = this.#notices.publicKey.export({ format: 'jwk' });
    const other = makeKeyPair().publicKey.export({ format: 'jwk' });
    const keys = [
      { ...other, alg: 'ES512', kid: 'notices-0' },
      { ...key, alg: 'ES512', kid: NOTICE_KID },
    ];
    return { status: 200, body: { keys } };
  }

  #answer(request: IncomingMessage, url: URL, raw: string): Reply {
    const { headers, method = '' } = request;
    const token = headers.authorization?.replace('Bearer ', '') ?? '';
    if (!this.#tokens.has(token))
      return unauthenticated('A Bearer token must be provided in the Authorization header.');
    const asked = { method, path: url.pathname.replace('/v3', ''), query: url.searchParams };
    if (method === 'GET') return this.vrp.answer({ ...asked, body: undefined });
    const signed = { method, path: url.pathname, headers, body: raw };
    if (!isSignedBy(FAKE_CLIENT.signingKid, ours.publicKey, signed))
      return unauthenticated('Invalid request signature.');
    const key = headers['idempotency-key'];
    if (typeof key !== 'string') return invalidParameters({ 'Idempotency-Key': ['Required.'] });
    const body = raw === '' ? undefined : (JSON.parse(raw) as unknown);
    return this.#once(key, `${method} ${url.pathname} ${raw}`, () =>
      this.vrp.answer({ ...asked, body }),
    );
  }

  /** A key gets its first answer for 30 days, and only for the very same request. */
  #once(key: string, asked: string, work: () => Reply): Reply {
    const known = this.#keys.get(key);
    const lives = known && Temporal.Instant.compare(known.at.add(KEYS_LIVE_FOR), this.#now()) > 0;
    if (lives && known.asked !== asked)
      return problem(
        422,
        'Idempotency-Key Reuse',
        'The Idempotency-Key value has already been used for a different request.',
      );
    if (lives) return known.reply;
    const reply = structuredClone(work());
    this.#keys.set(key, { at: this.#now(), asked, reply });
    return reply;
  }

  /** Under some mandates, the first answer to an order is lost. */
  #isSilent(request: IncomingMessage, call: string, body: unknown): boolean {
    if (call !== 'POST /payments') return false;
    const key = String(request.headers['idempotency-key']);
    const isFirst = !this.#silenced.has(key);
    this.#silenced.add(key);
    const { payment_method: method } = body as { payment_method: { mandate_id: string } };
    return isFirst && this.vrp.isUnanswered(method.mandate_id);
  }
}
