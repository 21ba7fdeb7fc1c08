import type { FastifyError, FastifyRequest } from 'fastify';
import { isUnavailable } from '../../connection/unavailable.ts';
import type { Platform } from '../../platform.ts';
import { ApiError, invalid } from '../../values/errors.ts';
import { errorCode } from '../../values/thrown.ts';
import { Overloaded } from '../admission/work-queue.ts';

/** Fastify's own errors, in our words. */
const FASTIFY_ERRORS: Readonly<Record<string, (bodyLimit?: number) => ApiError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: (bodyLimit) =>
    new ApiError('payload_too_large', `The body is larger than ${describeSize(bodyLimit)}.`),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new ApiError('unsupported_media_type', 'Send the body as application/json.'),
  FST_ERR_MAX_PARAM_LENGTH: () => new ApiError('not_found', 'There is nothing at this path.'),
  FST_ERR_BAD_URL: () => new ApiError('invalid_request', 'The path is not a valid URL.'),
};

const KB = 1024;

function describeSize(bytes: number | undefined): string {
  if (bytes === undefined) return 'allowed';
  return bytes < KB * KB ? `${bytes / KB} KB` : `${bytes / KB / KB} MB`;
}

/**
 * Turns anything thrown into the error that the caller gets. Internals never show: what is not an error of ours becomes
 * `service_unavailable` if the database is unavailable, otherwise `internal_error`. `bodyLimit`: the most bytes of a body of the
 * route that was called.
 */
export function toApiError(error: unknown, bodyLimit?: number): ApiError {
  if (error instanceof ApiError) return error;
  const known = FASTIFY_ERRORS[errorCode(error)];
  if (known !== undefined) return known(bodyLimit);
  const status = error instanceof Error ? (error as Partial<FastifyError>).statusCode : undefined;
  if (status !== undefined && status >= 400 && status < 500)
    return invalid({ body: 'is not valid JSON' });
  if (isUnavailable(error))
    return new ApiError('service_unavailable', 'The service is not available just now; try again.');
  return new ApiError('internal_error', 'Something went wrong on our side.');
}

/**
 * Logs a request that failed on our side, by the pattern of its route: the URL itself may contain a secret. Refusals under load
 * are counted, not logged one by one.
 */
export function reportFailure({ log }: Platform, request: FastifyRequest, err: unknown): void {
  if (err instanceof Overloaded) return;
  log.report('http.request_failed', {
    reqId: request.id,
    route: request.routeOptions.url,
    err,
  });
}

/** Returns the error envelope as it goes over the wire: docs/rules/api.md#errors. */
export function envelope(error: ApiError): string {
  const { code, message, details } = error;
  return JSON.stringify({
    error: details === undefined ? { code, message } : { code, message, details },
  });
}

/** Returns the headers that an error response has besides the envelope. */
export function headersOf(error: ApiError): Readonly<Record<string, string>> {
  if (error.code === 'unauthorized') return { 'www-authenticate': 'Bearer realm="recollect"' };
  if (error instanceof Overloaded) return { 'retry-after': String(error.retryAfter) };
  if (error.code === 'service_unavailable' || error.code === 'request_in_progress')
    return { 'retry-after': '1' };
  return {};
}
