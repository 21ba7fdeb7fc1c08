import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Redis } from 'ioredis';
import type { Platform } from '../../platform.ts';
import { addressOf, setLimitHeaders } from '../admission/limits.ts';
import { type LookUp, makeLookUps } from '../admission/look-ups.ts';
import { type Authenticate, identify, refuseStrangers } from './auth.ts';

/**
 * How a route's requests are counted. `address`: by the visitor's address, the default of every route. `health`: the same,
 * counted separately. `dashboard`: by the address with room for an office, then by the member. `caller`: by the API key,
 * strangers by their address. `failures`: by the address, only messages that were not genuine.
 */
export type LimitedBy = 'address' | 'health' | 'dashboard' | 'caller' | 'failures';

/** Counts a request; throws 429 `rate_limit_exceeded` beyond the limit. Writes the `RateLimit-*` headers. */
export type Count = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** The limits that routes apply themselves; the others are counted before any route is reached. */
export interface RateLimits {
  /** Counts a request of the caller, or of a stranger's address. One count for all routes that use it. */
  caller: Count;
  /** Counts a message from this address that was not genuine. */
  failure: Count;
  /** Returns the permission to query the database for the holder of the request's key. */
  lookUp(request: FastifyRequest, reply: FastifyReply): LookUp;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Default: `address`. */
    limitedBy?: LimitedBy;
  }
  interface FastifyInstance {
    rateLimits: RateLimits;
  }
}

const MINUTE_MS = 60_000;
const KEYS_REMEMBERED = 50_000;
const REDIS_CONNECT_MS = 500;
/** Many members may sit behind one address. */
const OFFICE = 10;

/** Counts across processes if there is a Redis; while it does not respond, nobody is limited. */
function connect(app: FastifyInstance, platform: Platform, url: string): Redis {
  const redis = new Redis(url, {
    connectTimeout: REDIS_CONNECT_MS,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false, // no request waits for a connection
  });
  redis.on('error', (error) => platform.log.report('http.rate_limit_unavailable', { err: error }));
  app.addHook('onClose', async () => redis.disconnect());
  return redis;
}

function counter(
  app: FastifyInstance,
  max: number,
  key: (request: FastifyRequest) => string,
): Count {
  const count = app.createRateLimit({ max, keyGenerator: key });
  return async (request, reply) => {
    const counted = await count(request);
    if (counted.isAllowed) return;
    // The store returns only what remains, never by how much a limit was exceeded.
    const used = counted.isExceeded ? max + 1 : max - counted.remaining;
    setLimitHeaders(reply, { max, used, seconds: Math.max(1, counted.ttlInSeconds) });
  };
}

/**
 * Limits every route added after it: by the visitor's address, before anything else, unless the route's `config.limitedBy`
 * says otherwise. `app.rateLimits` has the limits that routes apply themselves.
 */
export async function addRateLimits(app: FastifyInstance, platform: Platform): Promise<void> {
  const { redisUrl, rateLimitPerMinute: most } = platform.config;
  await app.register(rateLimit, {
    global: false,
    timeWindow: MINUTE_MS,
    cache: KEYS_REMEMBERED,
    skipOnError: true,
    nameSpace: 'recollect:rate:',
    ...(redisUrl === null ? {} : { redis: connect(app, platform, redisUrl) }),
  });
  const byAddress = (what: string, max: number): Count =>
    counter(app, max, (request) => `${what}:${addressOf(request)}`);
  const first: Partial<Record<LimitedBy, Count>> = {
    address: byAddress('visitor', most),
    health: byAddress('health', most),
    dashboard: byAddress('office', most * OFFICE),
  };
  app.decorate('rateLimits', {
    caller: counter(app, most, (request) =>
      request.caller === null
        ? `stranger:${addressOf(request)}`
        : `actor:${request.caller.actorId}`,
    ),
    failure: byAddress('failure', most),
    lookUp: makeLookUps(most),
  });
  app.addHook('onRequest', async (request, reply) => {
    await first[request.routeOptions.config?.limitedBy ?? 'address']?.(request, reply);
  });
}

/** A hook that counts a request for its caller: runs after `identify`. */
export async function limitCaller(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await request.server.rateLimits.caller(request, reply);
}

/** Returns the checks of every request with a key: who calls, how often, and that strangers are refused. */
export const keyGuards = (authenticate: Authenticate): readonly Count[] => [
  identify(authenticate),
  limitCaller,
  refuseStrangers,
];
