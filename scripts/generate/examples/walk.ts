import { Recollect } from '@recollect/sdk';
import { TRIGGERED_EVENTS, trigger } from '../../../server/src/app/cli/sandbox/trigger.ts';
import type { Running } from '../../../server/src/app/wiring/assemble.ts';
import { createKey } from '../../../server/src/merchants/keys/key-service.ts';
import { SCOPES } from '../../../server/src/platform/http/calls/access.ts';
import {
  type ExampleChapter,
  type ExampleStep,
  filled,
  isGood,
} from '../../../server/src/platform/http/openapi/examples.ts';
import { EVENT_KINDS, TEST_EVENT_KIND } from '../../../server/src/webhooks/endpoint.ts';
import {
  newMerchant,
  startTestService,
  type TestService,
} from '../../../server/test-support/service.ts';
import { setAccount } from '../../../server/test-support/settlement-account.ts';
import type { ApiDocument } from '../sdk-types.ts';
import { GIVEN } from './life.ts';
import type { Passing } from './settle.ts';

/** A Monday, far away, so that no example looks out of date. */
const START = '2031-03-03T09:30:00Z';

/** Before it, every kind of event is made to happen. */
const ENDS_ALL = 'resetSandbox';

const MERCHANT = {
  name: 'Fernhill Broadband',
  legalName: 'Fernhill Broadband Ltd',
  settlementAccount: {
    sortCode: '089999',
    accountNumber: '66374958',
    name: 'Fernhill Broadband Ltd',
  },
};

/** What a walk has recorded, as it was sent and received. */
export interface Walked {
  /** The first response of each operation. */
  readonly responses: Readonly<Record<string, unknown>>;
  readonly variables: Readonly<Record<string, string>>;
  /** The body of a delivery of each kind of event. */
  readonly webhooks: Readonly<Record<string, unknown>>;
  readonly passing: Passing;
}

/** Returns what stands at a place of a response: `data.0.id`. */
const valueAt = (body: unknown, place: string): unknown =>
  place
    .split('.')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], body);

/** Finds each operation of a document by its id. */
function routesOf({ paths }: ApiDocument): Map<string, { verb: string; path: string }> {
  return new Map(
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(
        ([verb, { operationId }]) => [operationId, { verb: verb.toUpperCase(), path }] as const,
      ),
    ),
  );
}

/** Returns the address of a step's request, below the service's. */
export function addressOf(path: string, step: ExampleStep, variables: Walked['variables']): string {
  const places = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(filled(step.path?.[name] ?? '', variables)),
  );
  const query = Object.entries(step.query ?? {}).map(([name, value]) => [name, String(value)]);
  return query.length === 0 ? places : `${places}?${new URLSearchParams(query)}`;
}

/** Sends the requests of a life, one after the other, and returns what came back. Throws for the first refusal. */
async function live(
  service: TestService,
  authorization: string,
  document: ApiDocument,
  life: readonly ExampleChapter[],
): Promise<Walked> {
  const routes = routesOf(document);
  const variables: Record<string, string> = { ...GIVEN, webhook_url: service.receiver.url };
  const responses: Record<string, unknown> = {};
  let webhooks: Walked['webhooks'] = {};
  for (const step of life.flatMap(({ steps }) => steps)) {
    const route = routes.get(step.operationId);
    if (route === undefined) throw new Error(`There is no operation ${step.operationId}`);
    if (step.operationId === ENDS_ALL) webhooks = await hear(service);
    const address = addressOf(route.path, step, variables);
    const body = filled(step.body, variables);
    const answer = await service.api(route.verb as 'GET', address, body, { authorization });
    if (!isGood(String(answer.status)))
      throw new Error(`${step.operationId}: ${answer.status} ${JSON.stringify(answer.body)}`);
    responses[step.operationId] ??= answer.body;
    for (const [name, place] of Object.entries(step.saves ?? {})) {
      const value = valueAt(answer.body, place);
      if (typeof value !== 'string')
        throw new Error(`${step.operationId}: nothing at ${place} for {{${name}}}`);
      variables[name] = value;
    }
  }
  const { baseUrl, receiver } = service;
  const passing = { baseUrl, webhookUrl: receiver.url, from: Temporal.Instant.from(START) };
  return { responses, variables, webhooks, passing };
}

async function keyWithEveryScope({ platform }: Running, merchantId: string): Promise<string> {
  const grant = { scopes: SCOPES, madeBy: null, allowedIps: null };
  const { secret } = await platform.db.transaction((tx) =>
    createKey(platform, { tx, now: platform.clock.now(), merchantId }, 'Office', 'the walk', grant),
  );
  return secret;
}

/** Its payment stays open, and its bank would be asked about it while other events move the clock by days. */
const LEAVES_OPEN = 'payment.unexpected_money';

/** Makes every kind of event happen to another merchant, and returns the first delivery of each. */
async function hear(service: TestService): Promise<Record<string, unknown>> {
  const { apiKey, baseUrl, endpointId, running, receiver, merchantId } = service;
  const client = new Recollect({ apiKey, baseUrl });
  await client.webhookEndpoints.update(endpointId, { event_kinds: [...EVENT_KINDS] });
  const before = receiver.received.length;
  await setAccount(running.platform, merchantId, {
    sortCode: '089999',
    accountNumber: '66374959',
    name: 'Fernhill Broadband Ltd',
  });
  const others = TRIGGERED_EVENTS.filter((kind) => kind !== LEAVES_OPEN);
  for (const kind of [...others, LEAVES_OPEN] as const) await trigger(client, kind);
  const heard = receiver.received.slice(before);
  return Object.fromEntries(
    [...EVENT_KINDS, TEST_EVENT_KIND].map((kind) => {
      const first = heard.find(({ event }) => event === kind);
      if (first === undefined) throw new Error(`No delivery of ${kind}`);
      return [kind, JSON.parse(first.raw)];
    }),
  );
}

/** Walks a life through the sandbox of a service of this code, and makes every kind of event happen. */
export async function walk(
  document: ApiDocument,
  life: readonly ExampleChapter[],
): Promise<Walked> {
  const service = await startTestService({ start: START, merchant: MERCHANT });
  try {
    const { merchantId } = await newMerchant(service.running, MERCHANT);
    const key = await keyWithEveryScope(service.running, merchantId);
    return await live(service, `Bearer ${key}`, document, life);
  } finally {
    await service.close();
  }
}
