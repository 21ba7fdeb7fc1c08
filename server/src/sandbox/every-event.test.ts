// Slow: makes every kind of event happen.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Recollect } from '@recollect/sdk';
import { startTestService, type TestService } from '../../test-support/service.ts';
import { TRIGGERED_EVENTS, trigger } from '../app/cli/sandbox/trigger.ts';
import { EVENT_KINDS, TEST_EVENT_KIND } from '../webhooks/endpoint.ts';

/** Its payment stays open, and its bank would be asked about it every half hour while other events move the clock by days. */
const LEAVES_OPEN = 'payment.unexpected_money';

let service: TestService;
let client: Recollect;

before(async () => {
  service = await startTestService({ env: { ROLES: 'api,portal,engine' } });
  client = new Recollect({ apiKey: service.apiKey, baseUrl: service.baseUrl });
});
after(() => service.close());

test('every event that can be triggered happens', async () => {
  // The settlement account is changed by an owner with password and second factor, and by no key.
  const byHand = ['merchant.settlement_account_changed'];
  const triggered = new Set<string>(TRIGGERED_EVENTS);
  const kinds = [...EVENT_KINDS, TEST_EVENT_KIND];
  assert.deepEqual(
    kinds.filter((kind) => !triggered.has(kind)),
    byHand,
  );
  const others = TRIGGERED_EVENTS.filter((event) => event !== LEAVES_OPEN);
  for (const event of [...others, LEAVES_OPEN] as const) {
    const { eventId } = await trigger(client, event);
    assert.match(eventId ?? 'none', /^evt_/, event);
  }
});
