import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import { Redis } from 'ioredis';
import { ApiError } from '../errors.ts';
import type { Platform } from '../platform.ts';

const MINUTE_MS = 60_000;
const KEYS_REMEMBERED = 50_000;
const REDIS_CONNECT_MS = 500;
const IPV6_SUBNET = 64;

/** Callers are counted by their key, strangers by their address. */
function countedAs(request: FastifyRequest): string {
  return request.caller === null
    ? `ip:${normalizeIP(request.ip, IPV6_SUBNET)}`
    : `actor:${request.caller.actorId}`;
}

/** Counts across processes where there is a Redis; without an answer from it nobody is refused. */
function connect(app: FastifyInstance, platform: Platform, url: string): Redis {
  const redis = new Redis(url, {
    connectTimeout: REDIS_CONNECT_MS,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false, // without a connection no request waits for one
  });
  redis.on('error', (error) => platform.log.warn({ err: error }, 'the rate limit has no Redis'));
  app.addHook('onClose', async () => redis.disconnect());
  return redis;
}

/**
 * A hook that counts a request against the minute's limit, writes the `RateLimit-*` headers and throws 429
 * `rate_limit_exceeded` beyond it. One count for all routes that use it.
 */
export async function makeRateLimit(
  app: FastifyInstance,
  platform: Platform,
): Promise<preHandlerAsyncHookHandler> {
  const { redisUrl, rateLimitPerMinute } = platform.config;
  await app.register(rateLimit, {
    global: false,
    max: rateLimitPerMinute,
    timeWindow: MINUTE_MS,
    enableDraftSpec: true,
    cache: KEYS_REMEMBERED,
    skipOnError: true,
    nameSpace: 'recollect:rate:',
    keyGenerator: countedAs,
    errorResponseBuilder: (_request, { after }) =>
      new ApiError('rate_limit_exceeded', `Too many requests; try again in ${after}.`),
    ...(redisUrl === null ? {} : { redis: connect(app, platform, redisUrl) }),
  });
  return app.rateLimit();
}
