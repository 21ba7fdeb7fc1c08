import { createHash } from 'node:crypto';
import type { Tx } from '../../db/db.ts';
import { RETENTION } from '../../retention/rules.ts';
import { ApiError, type ErrorCode, invalid } from '../../values/errors.ts';
import { canonicalJson } from '../../values/normal.ts';
import type { Vault } from '../../vault/vault.ts';
import { envelope } from './errors.ts';
import type { Route } from './route.ts';

/** The response to the caller: a status and the bytes of the body. */
export interface Answer {
  status: number;
  body: string;
  /** Whether this is the response to an earlier request with the same key. */
  replayed: boolean;
  /** Whether the engine has work because of it. */
  leavesWork: boolean;
}

/** A request that takes effect once: docs/rules/api.md#idempotency. */
export interface KeyedRequest {
  merchantId: string;
  key: string;
  hash: RequestHash;
}

/** The hashes of method, path and body: the key may not be reused for a different request. */
export interface RequestHash {
  /** With the body as it was sent: older versions, which may run beside this one, compare this alone. */
  text: Buffer;
  /** With the body's names in one order: docs/rules/api.md#idempotency. */
  meaning: Buffer;
}

/** Whether an endpoint takes an `Idempotency-Key`. */
export const takesIdempotencyKey = ({ method, keyless }: Route): boolean =>
  (method === 'POST' || method === 'PUT') && keyless !== true;

/** Returns the `Idempotency-Key` of a request, or null. Throws 400 if it is malformed. */
export function idempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header;
  throw invalid({ 'Idempotency-Key': 'must be 1 to 255 visible characters' });
}

/** Returns the hashes that distinguish requests under the same key. */
export function hashRequest(method: string, url: string, body: unknown): RequestHash {
  const hash = (text: string): Buffer =>
    createHash('sha256').update(`${method} ${url}\n${text}`).digest();
  return { text: hash(JSON.stringify(body) ?? ''), meaning: hash(canonicalJson(body)) };
}

type Work = () => Promise<Pick<Answer, 'body' | 'leavesWork'>>;

interface Stored {
  requestHash: Buffer;
  meaningHash: Buffer | null;
  responseStatus: number;
  responseBody: string;
}

async function lock(tx: Tx, request: KeyedRequest): Promise<void> {
  const row = await tx.row<{ got: boolean }>(
    'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS got',
    [`idempotency ${request.merchantId} ${request.key}`],
  );
  if (row?.got !== true)
    throw new ApiError(
      'request_in_progress',
      'A request with this Idempotency-Key is still being worked on; try again shortly.',
      { 'Idempotency-Key': 'is being worked on' },
    );
}

/** Responses contain account numbers, and secrets that are shown once: they are stored sealed. */
function contextOf(request: KeyedRequest): string {
  return `idempotency:${request.merchantId}:${request.key}`;
}

/** Returns the stored response of a request with this key, or null. Throws 409 `idempotency_conflict`. */
export async function findAnswer(
  tx: Tx,
  vault: Vault,
  now: Temporal.Instant,
  request: KeyedRequest,
): Promise<Answer | null> {
  const stored = await tx.row<Stored>(
    `SELECT request_hash, meaning_hash, response_status, response_body FROM idempotency_keys
     WHERE merchant_id = $1 AND key = $2 AND created_at > $3`,
    [request.merchantId, request.key, now.subtract(RETENTION.idempotency_keys.for)],
  );
  if (stored === null) return null;
  const { text, meaning } = request.hash;
  if (!stored.requestHash.equals(text) && stored.meaningHash?.equals(meaning) !== true)
    throw new ApiError(
      'idempotency_conflict',
      'This Idempotency-Key was used for another request; use a new one.',
    );
  const body = vault.open(stored.responseBody, contextOf(request));
  return { status: stored.responseStatus, body, replayed: true, leavesWork: false };
}

/**
 * Refusals after which the caller repeats the very same request, under its key: once another moment has come, a member of the
 * team has agreed, or the caller has shown who they are. Whoever wants another try after any other refusal takes a new key.
 */
const TEMPORARY: ReadonlySet<ErrorCode> = new Set([
  'request_in_progress',
  'key_limit_exceeded',
  'proof_required',
  'second_factor_required',
  'sso_required',
]);

/** Whether an error is stored as the response: a refusal that would be the same next time is; a temporary one is not. */
function isKept(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || TEMPORARY.has(error.code)) return false;
  return error.status < 500 && error.status !== 429;
}

/** Does the work behind a savepoint, to which a refusal rolls back. */
async function attempt(tx: Tx, work: Work): Promise<Answer> {
  try {
    return { status: 200, ...(await work()), replayed: false };
  } catch (error) {
    if (!isKept(error)) throw error;
    await tx.run('ROLLBACK TO SAVEPOINT idempotent_call');
    return { status: error.status, body: envelope(error), replayed: false, leavesWork: false };
  }
}

/**
 * Does the work unless a request with this key was done before; then returns the earlier response. Lock, lookup, work and
 * response share the call's one transaction. Throws 409 `request_in_progress` or `idempotency_conflict`.
 */
export async function onlyOnce(
  tx: Tx,
  vault: Vault,
  now: Temporal.Instant,
  request: KeyedRequest,
  work: Work,
): Promise<Answer> {
  const [, before] = await Promise.all([
    lock(tx, request),
    findAnswer(tx, vault, now, request),
    tx.run('SAVEPOINT idempotent_call'),
  ]);
  if (before !== null) return before;
  const answer = await attempt(tx, work);
  const stored = tx.run(
    `INSERT INTO idempotency_keys (merchant_id, key, request_hash, response_status, response_body, created_at, meaning_hash)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (merchant_id, key) DO UPDATE SET request_hash = $3, response_status = $4, response_body = $5,
       created_at = $6, meaning_hash = $7`,
    [
      request.merchantId,
      request.key,
      request.hash.text,
      answer.status,
      vault.seal(answer.body, contextOf(request)),
      now,
      request.hash.meaning,
    ],
  );
  tx.unawaited(stored);
  return answer;
}
