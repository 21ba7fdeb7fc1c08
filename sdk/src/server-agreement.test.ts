import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  ApiKey,
  CustomerChanges,
  CustomerDetails,
  ErrorCode,
  ImportedLine,
  Merchant,
  MerchantChanges,
  NewApiKey,
  NewPayment,
  NewRefund,
  NewSchedule,
  Occurrence,
  Payment,
  RecollectEvent,
  RecollectEventDetail,
  Refund,
  SandboxHappening,
  Schedule,
  ScheduleChanges,
  Settlement,
  SubscribedKind,
  WebhookData,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from '@recollect/sdk';
import { verifyWebhook } from '@recollect/sdk';
import type { Static } from 'typebox';
import type { FullCustomerView } from '../../server/src/customers/directory.ts';
import type { CustomerUpdate } from '../../server/src/customers/schemas.ts';
import type { MERCHANT_EVENTS } from '../../server/src/merchants/events.ts';
import type * as merchants from '../../server/src/merchants/view.ts';
import type { CollectOnceBody } from '../../server/src/payments/api/collect-once.ts';
import type { PaymentView } from '../../server/src/payments/api/view.ts';
import type { PAYMENT_EVENTS } from '../../server/src/payments/payment/events.ts';
import type { DataOf } from '../../server/src/platform/state/events.ts';
import type { ErrorCode as ServerErrorCode } from '../../server/src/platform/values/errors.ts';
import type { REFUND_EVENTS } from '../../server/src/refunds/events.ts';
import type { RefundRequest } from '../../server/src/refunds/service.ts';
import type { RefundView } from '../../server/src/refunds/view.ts';
import type { Happening } from '../../server/src/sandbox/happened.ts';
import type { ScheduleView } from '../../server/src/schedules/change/view.ts';
import type { ImportAnswer } from '../../server/src/schedules/import/view.ts';
import type { SCHEDULE_EVENTS } from '../../server/src/schedules/request/events.ts';
import type {
  CreateSchema,
  UpcomingAnswer,
  UpdateSchema,
} from '../../server/src/schedules/request/schemas.ts';
import type { SETTLEMENT_EVENTS } from '../../server/src/settlements/events.ts';
import type { SettlementView } from '../../server/src/settlements/view.ts';
import type { EventKind } from '../../server/src/webhooks/endpoint.ts';
import type { TEST_EVENT } from '../../server/src/webhooks/reference.ts';
import { secretText, signatureHeaders } from '../../server/src/webhooks/signature.ts';
import type * as webhooks from '../../server/src/webhooks/views.ts';

/** True if each type is assignable to the other. */
type Same<A, B> = [A, B] extends [B, A] ? true : false;
/** True if the server accepts what the SDK sends. */
type Fits<Sent, Taken> = Sent extends Taken ? true : false;

type Described = typeof SCHEDULE_EVENTS &
  typeof PAYMENT_EVENTS &
  typeof REFUND_EVENTS &
  typeof SETTLEMENT_EVENTS &
  typeof MERCHANT_EVENTS &
  typeof TEST_EVENT;
type ServerData = { [K in keyof Described]: DataOf<Described, K> };

/** Compilation fails here if the SDK's types differ from the server's. */
const agreement: Record<string, true> = {
  schedule: true satisfies Same<Schedule, ScheduleView>,
  newSchedule: true satisfies Fits<NewSchedule, Static<typeof CreateSchema>>,
  customer: true satisfies Same<CustomerDetails, FullCustomerView>,
  customerChanges: true satisfies Same<CustomerChanges, Static<typeof CustomerUpdate>>,
  newScheduleFields: true satisfies Same<keyof NewSchedule, keyof Static<typeof CreateSchema>>,
  scheduleChanges: true satisfies Same<ScheduleChanges, Static<typeof UpdateSchema>>,
  occurrence: true satisfies Same<{ data: Occurrence[] }, Static<typeof UpcomingAnswer>>,
  imported: true satisfies Same<{ data: ImportedLine[] }, Static<typeof ImportAnswer>>,
  newPayment: true satisfies Same<NewPayment, CollectOnceBody>,
  payment: true satisfies Same<Payment, PaymentView>,
  refund: true satisfies Same<Refund, RefundView>,
  newRefund: true satisfies Same<NewRefund, RefundRequest>,
  settlement: true satisfies Same<Settlement, SettlementView>,
  merchant: true satisfies Same<Merchant, Static<typeof merchants.MerchantView>>,
  merchantChanges: true satisfies Same<MerchantChanges, Static<typeof merchants.MerchantChanges>>,
  apiKey: true satisfies Same<ApiKey, Static<typeof merchants.KeyView>>,
  newApiKey: true satisfies Same<NewApiKey, Static<typeof merchants.NewKeyView>>,
  endpoint: true satisfies Same<WebhookEndpoint, Static<typeof webhooks.EndpointView>>,
  secret: true satisfies Same<
    WebhookEndpointWithSecret,
    Static<typeof webhooks.EndpointWithSecret>
  >,
  event: true satisfies Same<RecollectEvent, Static<typeof webhooks.EventView>>,
  eventDetail: true satisfies Same<RecollectEventDetail, Static<typeof webhooks.EventDetailView>>,
  happening: true satisfies Same<SandboxHappening, Happening>,
  webhookData: true satisfies Same<WebhookData, ServerData>,
  errorCodes: true satisfies Same<ErrorCode, ServerErrorCode>,
  eventKinds: true satisfies Same<SubscribedKind, EventKind>,
};

test('the types of the SDK are those of the server', () => {
  assert.ok(Object.values(agreement).every(Boolean));
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
