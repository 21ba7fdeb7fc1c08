import { AddressRefused } from '../platform/network/address.ts';
import { errorCode } from '../platform/values/thrown.ts';

const ACKNOWLEDGES = 200;

/** Returns why a status does not acknowledge; null: it does. Only 200 does: docs/rules/webhooks.md#delivery. */
export function whyNot(status: number): string | null {
  if (status === ACKNOWLEDGES) return null;
  if (status >= 300 && status < 400) return `${status}: redirects are not followed`;
  return `${status}: only ${ACKNOWLEDGES} acknowledges`;
}

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was closed before an answer',
  EPIPE: 'the connection was closed before an answer',
  UND_ERR_SOCKET: 'the connection was closed before an answer',
  ENOTFOUND: 'the host name has no address',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  CERT_HAS_EXPIRED: 'the TLS certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the TLS certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the TLS certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the TLS certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the TLS certificate cannot be verified',
  UND_ERR_HEADERS_OVERFLOW: 'the answer has too many headers',
};

const TIMED_OUT = new Set(['TimeoutError', 'ConnectTimeoutError', 'HeadersTimeoutError']);

/** Whether a request got no answer within its time. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (TIMED_OUT.has(error.name) || errorCode(error) === 'ETIMEDOUT');

/** Describes, for the merchant, why there was no response. Reveals nothing about our own network. */
export function sentenceOf(error: unknown, timeoutMs: number): string {
  if (error instanceof AddressRefused) return error.message;
  if (!(error instanceof Error)) return 'no answer';
  const code = errorCode(error);
  if (isTimeout(error)) return `time-out after ${timeoutMs / 1000} s`;
  if (error.name === 'HTTPParserError') return 'the answer is not HTTP';
  if (/SSL|TLS/.test(code)) return SENTENCES[code] ?? 'the TLS connection failed';
  return SENTENCES[code] ?? `no answer${code === '' ? '' : ` (${code})`}`;
}
