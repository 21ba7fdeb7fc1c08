import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { CustomerDetails, NewSchedule, Schedule } from '@recollect/sdk';
import { verifyWebhook } from '@recollect/sdk';
import type { Static } from 'typebox';
import { apiDocument, sdkTypes } from '../../scripts/generate/sdk-types.ts';
import type { FullCustomerView } from '../../server/src/customers/directory.ts';
import type { ScheduleView } from '../../server/src/schedules/change/view.ts';
import type { CreateSchema } from '../../server/src/schedules/request/schemas.ts';
import { secretText, signatureHeaders } from '../../server/src/webhooks/signature.ts';

/** True if each type is assignable to the other. */
type Same<A, B> = [A, B] extends [B, A] ? true : false;
/** True if the server accepts what the SDK sends. */
type Fits<Sent, Taken> = Sent extends Taken ? true : false;

/** Where the document tells forms apart that are one type in the server. */
type Forms = 'frequency' | 'consented';

/** What the server writes beside the schemas of its document. Compilation fails here if the SDK's types differ. */
const agreement: Record<string, true> = {
  schedule: true satisfies Same<Omit<Schedule, Forms>, Omit<ScheduleView, Forms>>,
  frequency: true satisfies Fits<Pick<Schedule, Forms>, Pick<ScheduleView, Forms>>,
  newSchedule: true satisfies Fits<NewSchedule, Static<typeof CreateSchema>>,
  customer: true satisfies Same<CustomerDetails, FullCustomerView>,
};

test('the types of the SDK are those of the document that the service serves', async () => {
  assert.ok(Object.values(agreement).every(Boolean));
  const written = readFileSync(new URL('types.ts', import.meta.url), 'utf8');
  assert.equal(written, sdkTypes(await apiDocument()), 'npm run generate -- sdk-types');
});

test('what the server signs, the verifier accepts', async () => {
  const secret = secretText(Buffer.alloc(32, 1));
  const nextSecret = secretText(Buffer.alloc(32, 2));
  const body = '{"event":"endpoint.test","data":{"endpoint_id":"end_1","url":"","message":"☕"}}';
  const at = Temporal.Now.instant();
  for (const next of [null, nextSecret]) {
    const headers = signatureHeaders({ eventId: 'evt_9', body, at, secret, nextSecret: next });
    const webhook = await verifyWebhook({ payload: body, headers, secret: [nextSecret, secret] });
    assert.equal(webhook.id, 'evt_9');
    assert.equal(webhook.event, 'endpoint.test');
  }
});
