import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Harness, openHarness } from '../../../test-support/harness.ts';
import { MONEY_ACTS, NOT_FOR_LIMITED } from '../../agents/acts/money-act.ts';

/** What a key with limits changes freely: it moves no money, and decides of none that a customer’s consent does not bound. */
const FREE: Readonly<Record<string, string>> = {
  requestAnotherAccount: 'makes a link, which the customer follows or not',
  retrySettlement: 'pays the merchant’s own money to the merchant’s own account',
  prepareAct: 'changes nothing',
  commitAct: 'has the limits in its own transaction',
  eraseCustomer: 'is about personal data',
  updateCustomer: 'is about personal data',
  updateMerchant: 'never the settlement account',
  createWebhookEndpoint: 'tells, and moves nothing',
  updateWebhookEndpoint: 'tells, and moves nothing',
  deleteWebhookEndpoint: 'tells, and moves nothing',
  rotateWebhookSecret: 'tells, and moves nothing',
  activateWebhookSecret: 'tells, and moves nothing',
  testWebhookEndpoint: 'tells, and moves nothing',
  resendEvent: 'tells, and moves nothing',
  replayEvents: 'tells, and moves nothing',
  createApiKey: 'needs the scope keys, which no key with limits has',
  rotateApiKey: 'needs the scope keys, which no key with limits has',
  updateApiKey: 'needs the scope keys, which no key with limits has',
  revokeApiKey: 'needs the scope keys, which no key with limits has',
};

let h: Harness;
before(async () => {
  h = await openHarness();
});
after(() => h.close());

test('every change that an API key makes counts against its limits, is refused to a key with limits, or says why not', () => {
  const changes = h.service.routes
    .filter(({ method, scope }) => method !== 'GET' && scope !== null)
    .map(({ operationId }) => operationId);
  const named = [...Object.keys(MONEY_ACTS), ...Object.keys(NOT_FOR_LIMITED), ...Object.keys(FREE)];
  assert.deepEqual(changes.toSorted(), named.toSorted());
});
