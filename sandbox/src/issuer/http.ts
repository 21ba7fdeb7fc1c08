import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { IssuerError } from './errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The bytes of the body as received; undefined if there was none. */
    rawBody: Buffer | undefined;
  }
}

const BODY_LIMIT_BYTES = 4 * 1024 * 1024;

/**
 * Creates a server that keeps the bytes of JSON bodies for signatures, parses them only after the caller is authenticated (see
 * `parseBody`), and returns every error as `{error: {code, message}}`.
 */
export function createHttpServer(): FastifyInstance {
  const server = Fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    forceCloseConnections: true,
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false, useDefaults: false } },
  });
  server.decorateRequest('rawBody', undefined);
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    request.rawBody = body as Buffer;
    done(null, undefined);
  });
  server.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({ error: { code: 'not_found', message: 'There is no such path' } }),
  );
  server.setErrorHandler(
    (error: Error & { statusCode?: number; validation?: unknown }, _, reply) => {
      const { status, code, message } = describe(error);
      if (status >= 500) console.error(error);
      return reply.code(status).send({ error: { code, message } });
    },
  );
  return server;
}

function describe(
  error: Error & { statusCode?: number },
): Pick<IssuerError, 'status' | 'code' | 'message'> {
  if (error instanceof IssuerError) return error;
  const status = error.statusCode ?? 500;
  if (status >= 500) {
    return { status: 500, code: 'internal_error', message: 'Something went wrong here' };
  }
  return { status, code: 'invalid_request', message: error.message };
}

/** Parses the kept bytes into `request.body`, for a `preValidation` hook. Throws 400 `invalid_json`. */
export async function parseBody(request: FastifyRequest): Promise<void> {
  if (!request.rawBody || request.rawBody.length === 0) return;
  try {
    request.body = JSON.parse(request.rawBody.toString('utf8'));
  } catch {
    throw new IssuerError(400, 'invalid_json', 'The body is not valid JSON');
  }
}

/** Returns an object schema with every property required and no others allowed. */
export function exactly(properties: Record<string, unknown>) {
  const required = Object.keys(properties);
  return { type: 'object', properties, required, additionalProperties: false };
}

/** Schemas that several routes share. Amounts are whole pence. */
export const SCHEMAS = {
  shortText: { type: 'string', minLength: 1, maxLength: 255 },
  reference: { type: 'string', maxLength: 140 },
  /** Faster Payments carries 18 characters. */
  bankReference: { type: 'string', minLength: 1, maxLength: 18 },
  amount: exactly({
    value: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    currency: { const: 'GBP' },
  }),
  bankAccount: exactly({
    sort_code: { type: 'string', pattern: '^[0-9]{6}$' },
    account_number: { type: 'string', pattern: '^[0-9]{8}$' },
    name: { type: 'string', minLength: 1, maxLength: 140 },
  }),
};
