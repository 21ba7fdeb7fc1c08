import { createHash } from 'node:crypto';
import { isoInstant } from '../../clock.ts';
import type { Store } from '../../store.ts';
import { ApiProblem, refused } from './problem.ts';

/** Idempotency keys are kept for 24 hours of the sandbox clock. */
const KEPT_FOR = { hours: 24 };
const KEY_PATTERN = /^(?!\s)(.*)(\S)$/;

/** A request with an idempotency key: the key, the operation, and a digest of the exact body. */
export interface KeyedRequest {
  key: string;
  operation: string;
  bodyHash: string;
}

/** Reads the key of a request; throws U007 if it is missing and U006 if it is invalid. */
export function keyedRequest(
  header: string | undefined,
  operation: string,
  body: Uint8Array,
): KeyedRequest {
  if (!header) throw refused('U007', 'x-idempotency-key is missing', 'x-idempotency-key');
  if (header.length > 40 || !KEY_PATTERN.test(header)) {
    throw refused('U006', 'x-idempotency-key is not valid', 'x-idempotency-key');
  }
  return { key: header, operation, bodyHash: createHash('sha256').update(body).digest('hex') };
}

/**
 * Returns the resource that this request created before, or null; throws U029, with the bank's status for it, if the key was used
 * with another body.
 */
export function findReplay(
  store: Store,
  bank: string,
  keyed: KeyedRequest,
  now: Temporal.Instant,
  duplicateStatus: number,
): string | null {
  const before = isoInstant(now.subtract(KEPT_FOR));
  store.run(
    'DELETE FROM idempotency_keys WHERE bank = :bank AND key = :key AND created_at <= :before',
    {
      bank,
      key: keyed.key,
      before,
    },
  );
  const row = store.get<{ operation: string; body_hash: string; resource_id: string }>(
    'SELECT * FROM idempotency_keys WHERE bank = :bank AND key = :key',
    { bank, key: keyed.key },
  );
  if (!row) return null;
  if (row.operation !== keyed.operation || row.body_hash !== keyed.bodyHash) {
    throw new ApiProblem(
      duplicateStatus,
      'U029',
      'Duplicate Idempotency key: it was used with another body',
      'x-idempotency-key',
    );
  }
  return row.resource_id;
}

/** Records the resource that a keyed request created. */
export function rememberKey(
  store: Store,
  bank: string,
  keyed: KeyedRequest,
  resourceId: string,
  now: Temporal.Instant,
): void {
  store.run(
    `INSERT INTO idempotency_keys (bank, key, operation, body_hash, resource_id, created_at)
     VALUES (:bank, :key, :operation, :bodyHash, :resourceId, :now)`,
    { bank, ...keyed, resourceId, now: isoInstant(now) },
  );
}
