import { randomUUID } from 'node:crypto';
import type { Answer, Question } from '../../platform/network/partner-channel.ts';
import { BankDefect, BankUnavailable, SignatureRefused } from '../bank.ts';
import type { FindKey } from '../bank-keys.ts';
import type { BackChannel } from './back-channel.ts';
import { errorCodes } from './bodies.ts';
import type { Now, OAuthClient } from './client.ts';
import type { OpenBankingConfig } from './config.ts';
import {
  type MessageSigner,
  SignatureInvalid,
  signMessage,
  verifyMessage,
} from './message-signature.ts';
import { answerClass, SIGNATURE_CODES } from './outcomes.ts';
import type { RateLimit } from './rate-limit.ts';

/** One call of a payment resource. */
export interface ResourceCall {
  method: Question['method'];
  /** Below the resource base, with a leading slash; ids are already encoded. */
  path: string;
  /** The customer's token, or null for our own. */
  accessToken: string | null;
  /** The exact text that is signed and sent. */
  body?: string;
  idempotencyKey?: string;
  /** Only while the customer is present. */
  customer?: { ip?: string | undefined; userAgent?: string | undefined };
}

/**
 * The result of a call. Anything else is thrown: `BankUnavailable` (outcome unknown) and `BankDefect`. `refused` has a documented
 * code; `unexplained` is an HTTP error without one, which proves nothing unless the bank signed it.
 */
export type ResourceAnswer =
  | { kind: 'ok'; httpStatus: number; body: string; signature: string | null }
  | {
      kind: 'refused' | 'unexplained';
      httpStatus: number;
      codes: string[];
      isSigned: boolean;
      /** How long the bank asked us to wait, in seconds. */
      retryAfterSeconds: number | null;
    };

export const paymentPath = (bankPaymentId: string): string =>
  `/domestic-vrps/${encodeURIComponent(bankPaymentId)}`;

export type CallResource = (call: ResourceCall) => Promise<ResourceAnswer>;

/** Everything that a call needs besides itself. */
export interface Connection {
  config: OpenBankingConfig;
  channel: BackChannel;
  oauth: OAuthClient;
  bankKeys: FindKey;
  rateLimit: RateLimit;
  now: Now;
}

/**
 * Returns the only function that calls the bank's resources: it adds token, headers and signature, verifies the response's
 * signature, and classifies the response. With our own token, it retries once with a new one after a 401, since the bank may have
 * dropped the token early.
 */
export function resourceCaller(connection: Connection): CallResource {
  const { config, oauth } = connection;
  const signer: MessageSigner = {
    ...oauth.signing,
    issuer: `${config.orgId}/${config.softwareId}`,
  };
  return async (call) => {
    if (call.accessToken !== null) {
      return interpret(connection, await sendSigned(connection, signer, call, call.accessToken));
    }
    const token = await oauth.ownToken();
    const first = await sendSigned(connection, signer, call, token);
    if (first.status !== 401) return interpret(connection, first);
    oauth.forgetOwnToken(token);
    return interpret(
      connection,
      await sendSigned(connection, signer, call, await oauth.ownToken()),
    );
  };
}

/** Some banks refuse a longer one. */
const LONGEST_USER_AGENT = 500;

async function sendSigned(
  connection: Connection,
  signer: MessageSigner,
  call: ResourceCall,
  token: string,
): Promise<Answer> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    'x-fapi-interaction-id': randomUUID(),
  };
  if (call.idempotencyKey) headers['x-idempotency-key'] = call.idempotencyKey;
  if (call.customer?.ip) headers['x-fapi-customer-ip-address'] = call.customer.ip;
  if (call.customer?.userAgent)
    headers['x-customer-user-agent'] = call.customer.userAgent.slice(0, LONGEST_USER_AGENT);
  if (call.body !== undefined) {
    headers['content-type'] = 'application/json';
    headers['x-jws-signature'] = await signMessage(call.body, signer, connection.now());
  }
  const url = connection.config.resourceBase + call.path;
  const answer = await connection.channel.send({
    method: call.method,
    url,
    headers,
    body: call.body,
  });
  connection.rateLimit.note(answer.headers);
  await checkSignature(connection, answer);
  return answer;
}

/**
 * Verifies a response's signature. A success must be signed. An error may come from a gateway in front of the bank, which signs
 * nothing; but if it has a signature, that must be valid.
 */
async function checkSignature(connection: Connection, answer: Answer): Promise<void> {
  const signature = answer.headers['x-jws-signature'];
  if (signature === undefined && (answer.status >= 400 || answer.body === '')) return;
  const expected = { keys: connection.bankKeys, issuer: connection.config.bankOrgId };
  try {
    await verifyMessage(answer.body, String(signature ?? ''), expected, connection.now());
  } catch (cause) {
    if (!(cause instanceof SignatureInvalid)) throw cause;
    throw new BankUnavailable(`${connection.config.bankId}: the answer is not the bank's`, {
      cause,
    });
  }
}

function interpret(connection: Connection, answer: Answer): ResourceAnswer {
  const { status: httpStatus, body } = answer;
  // An invalid signature was rejected above: here its presence is enough.
  const signature = answer.headers['x-jws-signature'];
  if ([200, 201, 204].includes(httpStatus))
    return { kind: 'ok', httpStatus, body, signature: signature?.toString() ?? null };
  const codes = errorCodes(answer.body);
  const said = `${connection.config.bankId} answered ${answer.status} ${codes.join(' ')}`.trim();
  const isSigned = signature !== undefined;
  const kind = answerClass(httpStatus, codes);
  switch (kind) {
    case 'refused':
    case 'unexplained':
      return { kind, httpStatus, codes, isSigned, retryAfterSeconds: retryAfter(answer) };
    case 'defect': {
      const isUnread = codes.some((code) => SIGNATURE_CODES.has(code));
      throw new (isUnread ? SignatureRefused : BankDefect)(said, codes[0] ?? String(httpStatus));
    }
    case 'outcome_unknown':
      throw new BankUnavailable(said, { retryAfterSeconds: retryAfter(answer) });
  }
}

function retryAfter(answer: Answer): number | null {
  const seconds = Number(answer.headers['retry-after']);
  return Number.isSafeInteger(seconds) && seconds >= 0 ? seconds : null;
}
