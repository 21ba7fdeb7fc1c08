import { randomUUID } from 'node:crypto';
import Type from 'typebox';
import { Value } from 'typebox/value';
import {
  type Answer as HttpAnswer,
  NoAnswer,
  openChannel,
  type PartnerChannel,
  type Question,
} from '../../platform/network/partner-channel.ts';
import { realNow } from '../../platform/time/clock.ts';
import { BankUnavailable, SignatureRefused, TokenRefused } from '../bank.ts';
import type { Answer } from '../consents-by-reading.ts';
import { cached, endsSoon, expiryOf } from '../tokens.ts';
import type { TrueLayerConfig } from './config.ts';
import { type Problem, problemIn, sentenceOf } from './problems.ts';
import { type RequestKey, signMessage } from './signature.ts';

/** One request. */
export interface TrueLayerCall {
  method: 'GET' | 'POST';
  /** Below the address of the API, with its query. */
  path: string;
  body?: unknown;
  /**
   * Our key of an order: within 30 days, a repeat under it with the same content gets the same resource. Absent: every call is a
   * new one.
   */
  idempotencyKey?: string;
}

/**
 * Calls TrueLayer. Throws `BankUnavailable` for everything that proves nothing, `SignatureRefused`, and `TokenRefused`, after
 * which the call was not made.
 */
export type CallTrueLayer = <T>(
  call: TrueLayerCall,
  read: (json: unknown) => T,
) => Promise<Answer<T, Problem>>;

const CONNECTIONS = 32;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
const TIMEOUT_MS = 10_000;
/** How long nothing is sent after a 429 that names no time: TrueLayer documents none. */
const DEFAULT_REST_SECONDS = 30;
const IDEMPOTENCY = 'Idempotency-Key';

/** Opens the connections to TrueLayer. Throws `BankUnavailable` from `send` where no answer came. */
export function trueLayerChannel(config: TrueLayerConfig): PartnerChannel {
  const timeoutMs = config.timeoutMs ?? TIMEOUT_MS;
  const limits = { connections: CONNECTIONS, maxAnswerBytes: MAX_ANSWER_BYTES, timeoutMs };
  const channel = openChannel(limits);
  return {
    close: () => channel.close(),
    async send(question) {
      try {
        return await channel.send(question);
      } catch (cause) {
        if (!(cause instanceof NoAnswer)) throw cause;
        const { notSent } = cause;
        const what = notSent ? 'TrueLayer was not reached by' : 'no answer from TrueLayer to';
        const { method, url } = question;
        const { pathname } = new URL(url);
        throw new BankUnavailable(`${what} ${method} ${pathname}`, { cause, notSent });
      }
    },
  };
}

/** Returns a function that calls TrueLayer: with our token, signed, and with its answers told apart by what they prove. */
export function trueLayerCaller(
  config: TrueLayerConfig,
  key: RequestKey,
  channel: PartnerChannel,
): CallTrueLayer {
  const token = cached(
    () => requestToken(config, channel),
    ({ expiresAt }) => !endsSoon(expiresAt, realNow()),
  );
  const ask = async (question: Omit<Question, 'url'>, path: string) => {
    const { value } = await token.get();
    const headers = { ...question.headers, authorization: `Bearer ${value}` };
    const answer = await channel.send({ ...question, headers, url: config.hosts.api + path });
    return { value, answer };
  };
  return async (call, read) => {
    const question = questionOf(config, key, call);
    const { value, answer } = await ask(question, call.path);
    if (!asksForToken(answer)) return meaningOf(call, answer, read);
    token.forget((held) => held.value === value);
    // Nothing was read. With another token, the very same request.
    return meaningOf(call, (await ask(question, call.path)).answer, read);
  };
}

/** Returns the signed request of a call; its token is not part of what is signed. */
function questionOf(
  config: TrueLayerConfig,
  key: RequestKey,
  { method, path, body, idempotencyKey = randomUUID() }: TrueLayerCall,
): Omit<Question, 'url'> {
  if (method === 'GET') return { method, headers: {} };
  const text = body === undefined ? '' : JSON.stringify(body);
  const signed = {
    method,
    path: new URL(config.hosts.api + path).pathname,
    headers: [[IDEMPOTENCY, idempotencyKey]] as const,
    body: text,
  };
  const headers = { [IDEMPOTENCY]: idempotencyKey, 'Tl-Signature': signMessage(key, signed) };
  return text === ''
    ? { method, headers }
    : { method, headers: { ...headers, 'content-type': 'application/json' }, body: text };
}

function meaningOf<T>(
  { method, path }: TrueLayerCall,
  { status, headers, body }: HttpAnswer,
  read: (json: unknown) => T,
): Answer<T, Problem> {
  const call = `${method} ${path}`;
  if (status >= 200 && status < 300)
    try {
      return { kind: 'ok', value: read(body.trim() === '' ? null : JSON.parse(body)) };
    } catch (cause) {
      throw new BankUnavailable(`TrueLayer's answer (${status}) to ${call} cannot be read`, {
        cause,
      });
    }
  const problem = problemIn(status, body);
  if (problem?.proves === 'refused') return { kind: 'refused', refusal: problem };
  if (problem?.proves === 'unsigned')
    throw new SignatureRefused('TrueLayer did not take our signature', sentenceOf(problem));
  const what = problem === null ? body.slice(0, 200) : sentenceOf(problem);
  throw new BankUnavailable(`TrueLayer answered ${status} to ${call}: ${what}`, {
    retryAfterSeconds: status === 429 ? restOf(headers['retry-after']) : null,
  });
}

const restOf = (retryAfter: string | undefined): number =>
  Number(retryAfter) > 0 ? Math.ceil(Number(retryAfter)) : DEFAULT_REST_SECONDS;

/** Whether our token was not taken: it has ended before its time. */
const asksForToken = ({ status, body }: HttpAnswer): boolean =>
  status === 401 && problemIn(status, body)?.proves !== 'unsigned';

const Token = Type.Object({
  access_token: Type.String({ minLength: 1 }),
  expires_in: Type.Optional(Type.Number()),
});

/** Asks for a token in our own name. */
async function requestToken(
  { hosts, clientId, clientSecret, scope }: TrueLayerConfig,
  channel: PartnerChannel,
): Promise<{ value: string; expiresAt: Temporal.Instant }> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    scope,
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const question = { method: 'POST', url: hosts.token, headers, body: form.toString() } as const;
  // Whatever becomes of the question for a token, the call that needs it has not left.
  const { status, body } = await channel.send(question).catch((cause: unknown) => {
    throw new BankUnavailable('TrueLayer gave no token', { cause, notSent: true });
  });
  if (status === 200)
    try {
      const answer = Value.Parse(Token, JSON.parse(body));
      return { value: answer.access_token, expiresAt: expiryOf(answer, realNow()) };
    } catch (cause) {
      throw new BankUnavailable('the token cannot be read', { cause, notSent: true });
    }
  const error = /"error"\s*:\s*"([a-z_]{1,40})"/.exec(body)?.[1];
  if (status < 500 && status !== 429 && error !== undefined)
    throw new TokenRefused(`TrueLayer gave us no token: ${error}`, error);
  throw new BankUnavailable(`TrueLayer gave no token: ${status}`, { notSent: true });
}
