import { columns } from '../../db/columns.ts';
import type { Tx } from '../../db/db.ts';

/** A request as the log keeps it, without any secret. */
export interface LoggedRequest {
  merchantId: string;
  /** Our own id; unique. */
  requestId: string;
  /** The `X-Request-Id` that the caller sent, if any; it may repeat. */
  sentId: string | null;
  /** Real time. */
  at: Temporal.Instant;
  method: string;
  path: string;
  status: number;
  durationMs: number;
  errorCode: string | null;
  callerType: 'api_key' | 'user';
  callerId: string;
  idempotencyKey: string | null;
  userAgent: string | null;
  requestBody: string | null;
  responseBody: string | null;
}

/** Inserts requests of any merchants in one statement. */
export async function insertRequests(tx: Tx, requests: readonly LoggedRequest[]): Promise<void> {
  await tx.run(
    `INSERT INTO request_log (merchant_id, request_id, sent_id, at, method, path, status, duration_ms, error_code,
       caller_type, caller_id, idempotency_key, user_agent, request_body, response_body)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::int[],
       $8::int[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[])
     ON CONFLICT (merchant_id, request_id) DO NOTHING -- written before, and its answer was lost`,
    columns(
      requests,
      'merchantId',
      'requestId',
      'sentId',
      'at',
      'method',
      'path',
      'status',
      'durationMs',
      'errorCode',
      'callerType',
      'callerId',
      'idempotencyKey',
      'userAgent',
      'requestBody',
      'responseBody',
    ),
  );
}
