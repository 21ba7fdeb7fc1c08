import type { ExampleChapter } from '../../../server/src/platform/http/openapi/examples.ts';

const id = (variable: string) => ({ id: `{{${variable}}}` });

/** What comes after it: payments, refunds, settlements, events, and the end. */
export const LATER: readonly ExampleChapter[] = [
  {
    name: 'An hour passes',
    about:
      'Moves the clock, and changes a bank and an account, for everybody in the sandbox: skipped unless `sandbox_is_mine` is `yes`. What follows needs payments.',
    onlyIf: 'sandbox_is_mine',
    steps: [
      { operationId: 'advanceSandboxClock', body: { by: 'PT1H' } },
      { operationId: 'readSandboxMove' },
      {
        operationId: 'changeSandboxBank',
        path: { bank_id: 'harbour' },
        body: { next_calls: [{ call: 'GET /domestic-vrp-consents/:id', fault: 503, times: 2 }] },
      },
      {
        operationId: 'changeSandboxAccount',
        path: { bank_id: 'northbank', account: 'nina' },
        body: { balance: 100_000 },
      },
    ],
  },
  {
    name: 'Payments and refunds',
    about: 'What was collected, what failed, and what is given back.',
    steps: [
      {
        operationId: 'listPayments',
        query: { status: 'success', limit: 1, sum: true },
        saves: { paid_payment_id: 'data.0.id' },
      },
      { operationId: 'getPayment', path: id('paid_payment_id') },
      {
        operationId: 'listPaymentsOfSchedule',
        path: id('schedule_id'),
        query: { limit: 1 },
      },
      {
        operationId: 'listPayments',
        name: 'List failed payments',
        query: { status: 'failed', limit: 1 },
        saves: { failed_payment_id: 'data.0.id' },
      },
      { operationId: 'retryPayment', path: id('failed_payment_id') },
      {
        operationId: 'createRefund',
        path: id('paid_payment_id'),
        body: { amount: { value: 500, currency: 'GBP' }, reason: 'Late delivery' },
        saves: { refund_id: 'id' },
      },
      { operationId: 'getRefund', path: id('refund_id') },
      { operationId: 'listRefundsOfPayment', path: id('paid_payment_id'), query: { limit: 1 } },
      { operationId: 'listRefunds', query: { limit: 1, sum: true } },
    ],
  },
  {
    name: 'Disputes',
    about: 'A customer does not recognise a payment, or does not agree with it.',
    steps: [
      {
        operationId: 'createDispute',
        path: id('paid_payment_id'),
        body: { reason: 'wrong_amount', note: 'It was £5 more than we had agreed.' },
        saves: { dispute_id: 'id' },
      },
      { operationId: 'listDisputes', query: { status: 'open', limit: 1, sum: true } },
      { operationId: 'getDispute', path: id('dispute_id') },
      { operationId: 'getCaseFile', path: id('dispute_id') },
      {
        operationId: 'rejectDispute',
        path: id('dispute_id'),
        body: { answer: 'The amount is the one that you agreed to in March.' },
      },
      {
        operationId: 'createDispute',
        name: 'Dispute the payment again',
        path: id('paid_payment_id'),
        body: { reason: 'duplicate' },
        saves: { mistaken_dispute_id: 'id' },
      },
      { operationId: 'withdrawDispute', path: id('mistaken_dispute_id') },
      {
        operationId: 'createDispute',
        name: 'Dispute a part of the payment',
        path: id('paid_payment_id'),
        body: { reason: 'unauthorised', amount: { value: 200, currency: 'GBP' } },
        saves: { unauthorised_dispute_id: 'id' },
      },
      { operationId: 'refundDispute', path: id('unauthorised_dispute_id'), body: {} },
    ],
  },
  {
    name: 'Prepared acts',
    about: 'What a program prepares for somebody and does once, however often it asks.',
    steps: [
      { operationId: 'getOwnApiKey' },
      {
        operationId: 'prepareAct',
        body: {
          operation: 'createRefund',
          params: { id: '{{paid_payment_id}}' },
          body: { amount: { value: 100, currency: 'GBP' }, reason: 'Ticket 4711' },
          purpose: 'Ticket 4711',
        },
        saves: { act_id: 'id' },
      },
      { operationId: 'commitAct', path: id('act_id') },
      { operationId: 'getPreparedAct', path: id('act_id') },
      { operationId: 'listPreparedActs', query: { status: 'done', limit: 1 } },
    ],
  },
  {
    name: 'Days pass',
    about:
      'Moves the clock by days, for everybody in the sandbox: skipped unless `sandbox_is_mine` is `yes`. What follows needs settlements.',
    onlyIf: 'sandbox_is_mine',
    steps: [
      {
        operationId: 'advanceSandboxClock',
        name: 'Move the sandbox clock past the refund',
        body: { by: 'PT1H' },
      },
      { operationId: 'changeSandboxIssuer', body: { modes: ['returned_payouts'] } },
      {
        operationId: 'advanceSandboxClock',
        name: 'Move the sandbox clock past a settlement and its return',
        body: { by: 'P9D' },
      },
      {
        operationId: 'changeSandboxIssuer',
        name: 'Let the issuer behave as it should',
        body: { modes: [] },
      },
      {
        operationId: 'changeSandboxAccount',
        name: 'Leave the customer without money again',
        path: { bank_id: 'northbank', account: 'nina' },
        body: { balance: 0 },
      },
      { operationId: 'stopSandboxClock', saves: { now: 'now' } },
    ],
  },
  {
    name: 'Settlements',
    about: 'What was paid out to you, and what came back.',
    steps: [
      {
        operationId: 'listSettlements',
        query: { status: 'failed', limit: 1 },
        saves: { settlement_id: 'data.0.id' },
      },
      { operationId: 'getSettlement', path: id('settlement_id') },
      { operationId: 'listPaymentsOfSettlement', path: id('settlement_id'), query: { limit: 1 } },
      { operationId: 'retrySettlement', path: id('settlement_id') },
      { operationId: 'listWallets', query: { limit: 1 } },
    ],
  },
  {
    name: 'Events',
    about: 'What you were told, and what is sent again.',
    steps: [
      {
        operationId: 'listEvents',
        query: { kind: 'schedule.setup_success', limit: 1 },
        saves: { event_id: 'data.0.id', event_at: 'data.0.created_at' },
      },
      { operationId: 'followEvents', query: { limit: 1 } },
      { operationId: 'getEvent', path: id('event_id') },
      {
        operationId: 'resendEvent',
        path: id('event_id'),
        body: { endpoint_id: '{{webhook_endpoint_id}}' },
      },
      {
        operationId: 'readSandboxClock',
        name: 'Read the clock before a replay',
        saves: { now: 'now' },
      },
      {
        operationId: 'replayEvents',
        body: {
          endpoint_id: '{{webhook_endpoint_id}}',
          from: '{{started_at}}',
          to: '{{now}}',
          only_undelivered: false,
        },
      },
    ],
  },
  {
    name: 'API keys',
    about: 'Skipped unless `key_has_keys` is `yes`: the key needs the scope `keys`.',
    onlyIf: 'key_has_keys',
    steps: [
      {
        operationId: 'createApiKey',
        body: { name: 'Reports', scopes: ['payments', 'settlements'] },
        saves: { api_key_id: 'id' },
      },
      {
        operationId: 'updateApiKey',
        path: id('api_key_id'),
        body: { allowed_ips: ['203.0.113.0/24'] },
      },
      { operationId: 'rotateApiKey', path: id('api_key_id'), body: { overlap_hours: 1 } },
      { operationId: 'listApiKeys', query: { limit: 1 } },
      { operationId: 'revokeApiKey', path: id('api_key_id') },
    ],
  },
  {
    name: 'The end',
    about: 'Cancels what was created, and erases a customer.',
    steps: [
      {
        operationId: 'updateSchedule',
        name: 'Cancel the imported schedule',
        path: id('imported_schedule_id'),
        body: { status: 'cancelled' },
        saves: { imported_customer_id: 'customer.id' },
      },
      {
        operationId: 'exportCustomer',
        path: id('imported_customer_id'),
        query: { reason: 'Asked by letter' },
      },
      {
        operationId: 'eraseCustomer',
        path: id('imported_customer_id'),
        body: { reason: 'Asked by letter' },
      },
      {
        operationId: 'updateSchedule',
        name: 'Cancel the schedule without retries',
        path: id('other_schedule_id'),
        body: { status: 'cancelled' },
      },
      {
        operationId: 'updateSchedule',
        name: 'Cancel the first schedule',
        path: id('schedule_id'),
        body: { status: 'cancelled' },
      },
      { operationId: 'deleteWebhookEndpoint', path: id('webhook_endpoint_id') },
    ],
  },
  {
    name: 'Start again',
    about:
      'Deletes everything in the sandbox but merchants, teams, API keys and webhook endpoints, for everybody: skipped unless `sandbox_is_mine` is `yes`.',
    onlyIf: 'sandbox_is_mine',
    steps: [{ operationId: 'resetSandbox' }],
  },
];
