import assert from 'node:assert/strict';
import { type Engine, makeEngine } from '../../src/platform/engine/engine.ts';
import type { Platform } from '../../src/platform/platform.ts';
import { appendEvents } from '../../src/platform/state/events.ts';
import { makeFanOut } from '../../src/webhooks/fan-out.ts';
import { webhookRoutes } from '../../src/webhooks/routes.ts';
import { makeSender, type Sender } from '../../src/webhooks/sender.ts';
import { webhookStages } from '../../src/webhooks/stages.ts';
import {
  bareMerchant,
  bareSchedules,
  ownPlatform,
  type TestPlatform,
  testServer,
} from './platform.ts';

/** How long a receiver may take in these tests. */
export const TIMEOUT_MS = 30_000;

/** An endpoint as the API returns it. */
export interface EndpointBody {
  id: string;
  secret: string;
  status: string;
  held: number;
  undelivered: number;
  url: string;
  event_kinds: string[];
  next_secret_activates_at: string | null;
}

/** An event as the API returns it. */
export interface EventBody {
  id: string;
  kind: string;
  sequence: number | null;
  deliveries: {
    endpoint_id: string;
    status: string;
    attempt_count: number;
    next_attempt_at: string | null;
    finished_at: string | null;
    attempts: {
      number: number;
      manual: boolean;
      response_status: number | null;
      response_body: string | null;
      error: string | null;
    }[];
  }[];
}

/** One merchant's calls of the API. */
export interface Merchant {
  id: string;
  /** Calls the API and asserts the status. */
  call<T>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: object,
    status?: number,
  ): Promise<T>;
  endpoint(url: string, body?: object): Promise<EndpointBody>;
  /** Makes events occur now; returns their ids in order. */
  occur(count: number, kind?: string, scheduleId?: string | null): Promise<string[]>;
  event(id: string): Promise<EventBody>;
}

/** Webhooks over a test's own database, clock and receivers. */
export interface TestWebhooks {
  platform: TestPlatform;
  sender: Sender;
  engine: Engine;
  /** Another process on the same database, with these changes to its platform. */
  anotherEngine(change?: Partial<Platform>): Engine;
  merchant(): Promise<Merchant>;
  pass(duration: Temporal.DurationLike): void;
  close(): Promise<void>;
}

/** Starts everything; `close` ends it. A receiver may take up to `timeoutMs` milliseconds. */
export async function startTestWebhooks(timeoutMs = TIMEOUT_MS): Promise<TestWebhooks> {
  const own = await ownPlatform({ webhookTimeoutMs: timeoutMs });
  const platform = Object.assign(own, { fanOut: makeFanOut(own.ids) });
  const app = await testServer(platform, { routes: webhookRoutes(platform) });
  const sender = makeSender({ mode: 'sandbox', timeoutMs });
  const engineOf = (p: Platform): Engine =>
    makeEngine(p.db, p.clock, p.log, webhookStages(p, sender));

  const merchant = async (): Promise<Merchant> => {
    const id = await bareMerchant(platform);
    const call: Merchant['call'] = async (method, path, body, status = 200) => {
      const answer = await app.inject({
        method,
        url: `/api/v1${path}`,
        headers: { authorization: `Bearer ${id}` },
        ...(body === undefined ? {} : { payload: body }),
      });
      assert.equal(answer.statusCode, status, answer.body);
      return answer.json();
    };
    return {
      id,
      call,
      endpoint: (url, body = {}) => call('POST', '/webhook_endpoints', { url, ...body }),
      event: (eventId) => call('GET', `/events/${eventId}`),
      occur: (count, kind = 'collection.success', scheduleId = 'sch_1') =>
        occur(platform, id, { count, kind, scheduleId }),
    };
  };

  return {
    platform,
    sender,
    engine: engineOf(platform),
    anotherEngine: (change = {}) => engineOf({ ...platform, ...change }),
    merchant,
    pass(duration) {
      platform.clock.at = platform.clock.at.add(duration);
    },
    async close() {
      await app.close();
      await sender.close();
      await platform.drop();
    },
  };
}

async function occur(
  platform: Platform,
  merchantId: string,
  what: { count: number; kind: string; scheduleId: string | null },
): Promise<string[]> {
  const { kind, scheduleId } = what;
  if (scheduleId !== null) await bareSchedules(platform, merchantId, [scheduleId]);
  const events = Array.from({ length: what.count }, (_, i) => ({
    merchantId,
    kind,
    scheduleId,
    subjectId: 'pay_1',
    data: { number: i + 1 },
  }));
  return platform.db.transaction((tx) =>
    appendEvents({ platform, tx, now: platform.clock.now() }, events),
  );
}
