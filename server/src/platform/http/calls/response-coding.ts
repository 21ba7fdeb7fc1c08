import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const compress = promisify(gzip);
/** Shorter bodies gain nothing. */
const SHORTEST_BYTES = 1024;
/** Of nine: the next ones cost twice the time for a tenth of the size. */
const LEVEL = 4;
const OK = 200;
const NOT_MODIFIED = 304;
const TEXT = /^(text\/|image\/svg|application\/(json|javascript|yaml))/;
const TAKES_GZIP = /(^|,)\s*gzip\s*(;\s*q=(1(\.0*)?|0\.\d*[1-9]))?\s*(,|$)/i;

/** Returns the weak tag of a body: it stands for its compressed form too. */
const tagOf = (body: string | Buffer): string =>
  `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;

/** Whether an `If-None-Match` names the tag. */
function isNamed(header: string | undefined, tag: string): boolean {
  const strong = (one: string): string => one.trim().replace(/^W\//, '');
  return header?.split(',').some((one) => strong(one) === strong(tag)) ?? false;
}

async function coded(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  const isRead = (method === 'GET' || method === 'HEAD') && reply.statusCode === OK;
  if (!isRead || !(typeof payload === 'string' || Buffer.isBuffer(payload))) return payload;
  const tag = tagOf(payload);
  reply.headers({ etag: tag, vary: 'accept-encoding' });
  if (isNamed(headers['if-none-match'], tag)) {
    reply.code(NOT_MODIFIED);
    return '';
  }
  const isWorthIt =
    Buffer.byteLength(payload) >= SHORTEST_BYTES &&
    TEXT.test(String(reply.getHeader('content-type')));
  if (!isWorthIt || !TAKES_GZIP.test(String(headers['accept-encoding'] ?? ''))) return payload;
  const short = await compress(payload, { level: LEVEL });
  reply.headers({ 'content-encoding': 'gzip', 'content-length': short.length });
  return short;
}

/**
 * Compresses what the routes of a scope return to GET, tags it, and answers 304 without a body to whoever has it already. Only
 * for answers to keys, and for what everybody may read: what a browser asks for with a session's cookie may hold a secret beside
 * somebody else's text (docs/decisions/0058-a-feed-without-loss.md).
 */
export function addResponseCoding(scope: FastifyInstance): void {
  scope.addHook('onSend', coded);
}

/** Adds routes of public documents: compressed, and sent again only if they have changed. */
export function addDocuments(app: FastifyInstance, add: (scope: FastifyInstance) => void): void {
  app.register((scope, _options, done) => {
    addResponseCoding(scope);
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-cache'); // it may be kept, and is asked for again by its tag
    });
    add(scope);
    done();
  });
}
