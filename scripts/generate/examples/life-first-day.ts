import type { ExampleChapter } from '../../../server/src/platform/http/openapi/examples.ts';

const pounds = (value: number) => ({ value: value * 100, currency: 'GBP' });
const id = (variable: string) => ({ id: `{{${variable}}}` });

/** What needs no time to pass: an account, a schedule and its consent, and how the sandbox behaves. */
export const FIRST_DAY: readonly ExampleChapter[] = [
  {
    name: 'Your account',
    about: 'Who you are, and the banks that your customers choose from.',
    steps: [
      {
        operationId: 'getMerchant',
        saves: { merchant_name: 'name', merchant_email: 'email' },
      },
      {
        operationId: 'updateMerchant',
        body: { name: '{{merchant_name}}', email: '{{merchant_email}}' },
      },
      { operationId: 'listBanks' },
    ],
  },
  {
    name: 'A webhook endpoint',
    about: 'Where you hear what happened. Set `webhook_url` to your receiver.',
    steps: [
      {
        operationId: 'createWebhookEndpoint',
        body: {
          url: '{{webhook_url}}',
          event_kinds: ['schedule.setup_success', 'collection.success', 'collection.failed'],
        },
        saves: { webhook_endpoint_id: 'id' },
      },
      { operationId: 'getWebhookEndpoint', path: id('webhook_endpoint_id') },
      {
        operationId: 'updateWebhookEndpoint',
        path: id('webhook_endpoint_id'),
        body: {
          event_kinds: [
            'schedule.setup_success',
            'schedule.cancelled',
            'consent.revoked',
            'collection.success',
            'collection.failed',
          ],
        },
      },
      { operationId: 'rotateWebhookSecret', path: id('webhook_endpoint_id') },
      { operationId: 'activateWebhookSecret', path: id('webhook_endpoint_id') },
      { operationId: 'testWebhookEndpoint', path: id('webhook_endpoint_id') },
      { operationId: 'listWebhookEndpoints', query: { limit: 1 } },
    ],
  },
  {
    name: 'A schedule and its consent',
    about: 'What is collected, and the customer who agrees to it.',
    steps: [
      {
        operationId: 'createSchedule',
        body: {
          amount: { value: 4999, currency: 'GBP' },
          frequency: { type: 'monthly', day: 1 },
          customer: {
            type: 'phone',
            value: '+447700900123',
            name: 'Kim Fern',
            email: 'kim@fern.example',
            reference: 'C-1042',
          },
          description: 'Broadband',
          metadata: { contract: 'C-1042' },
          first_payment: {
            amount: { value: 2900, currency: 'GBP' },
            description: 'Joining fee',
          },
          limits: {
            per_payment: { value: 6000, currency: 'GBP' },
            per_period: { value: 15000, currency: 'GBP' },
          },
        },
        saves: { schedule_id: 'id', customer_id: 'customer.id', started_at: 'created_at' },
      },
      {
        operationId: 'decideSandboxConsent',
        path: id('schedule_id'),
        body: { decision: 'grant', account: 'alex', bank_id: 'northbank' },
      },
      { operationId: 'getSchedule', path: id('schedule_id') },
      {
        operationId: 'updateSchedule',
        path: id('schedule_id'),
        body: { amount: { value: 4599, currency: 'GBP' } },
      },
      {
        operationId: 'listUpcoming',
        path: id('schedule_id'),
        query: { limit: 2 },
        saves: { due_date: 'data.1.due_date' },
      },
      {
        operationId: 'changeUpcoming',
        path: { ...id('schedule_id'), due_date: '{{due_date}}' },
        body: { amount: { value: 2500, currency: 'GBP' } },
      },
      {
        operationId: 'restoreUpcoming',
        path: { ...id('schedule_id'), due_date: '{{due_date}}' },
      },
      {
        operationId: 'createPayment',
        path: id('schedule_id'),
        body: { amount: { value: 1999, currency: 'GBP' }, description: 'Router' },
        saves: { payment_id: 'id' },
      },
      { operationId: 'requestAnotherAccount', path: id('schedule_id') },
      {
        operationId: 'importSchedules',
        body: {
          csv: 'customer_phone,amount,frequency,day,description\r\n+447700900125,49.99,monthly,10,Broadband\r\n',
        },
        saves: { imported_schedule_id: 'data.0.schedule_id' },
      },
      { operationId: 'listSchedules', query: { limit: 1, sum: true } },
    ],
  },
  {
    name: 'Customers',
    about: 'Who pays you.',
    steps: [
      { operationId: 'listCustomers', query: { q: 'Kim Fern', limit: 1 } },
      { operationId: 'getCustomer', path: id('customer_id') },
      {
        operationId: 'updateCustomer',
        path: id('customer_id'),
        body: { email: 'kim.fern@example.com', notes: 'Prefers to be called in the morning.' },
      },
      {
        operationId: 'listSchedulesOfCustomer',
        path: { customer_id: '{{customer_id}}' },
        query: { limit: 1 },
      },
    ],
  },
  {
    name: 'A customer without money',
    about: 'Another schedule, whose payment will fail.',
    steps: [
      {
        operationId: 'createSchedule',
        name: 'Create a schedule without retries',
        body: {
          amount: pounds(12),
          frequency: { type: 'yearly' },
          customer: { type: 'phone', value: '+447700900124', name: 'Nina Moss' },
          description: 'Backup',
          first_payment: { amount: pounds(12) },
          max_retries: 0,
        },
        saves: { other_schedule_id: 'id' },
      },
      {
        operationId: 'decideSandboxConsent',
        name: 'Agree as a customer without money',
        path: id('other_schedule_id'),
        body: { decision: 'grant', account: 'nina', bank_id: 'northbank' },
      },
    ],
  },
  {
    name: 'Many schedules at once',
    about: 'One change of many schedules: first what would become of each, then carried out.',
    steps: [
      {
        operationId: 'createScheduleChange',
        body: {
          schedule_ids: ['{{schedule_id}}'],
          change: { amount: { percent: -5, round_to: 10 } },
          preview: true,
        },
        saves: { schedule_change_id: 'id' },
      },
      {
        operationId: 'listScheduleChangeLines',
        path: id('schedule_change_id'),
        query: { limit: 1 },
      },
      { operationId: 'runScheduleChange', path: id('schedule_change_id') },
      { operationId: 'getScheduleChange', path: id('schedule_change_id') },
      { operationId: 'listScheduleChanges', query: { limit: 1 } },
    ],
  },
  {
    name: 'The bank and the issuer of the sandbox',
    about: 'How the sandbox behaves: its accounts, its banks and its e-money issuer.',
    steps: [
      { operationId: 'listSandboxAccounts' },
      { operationId: 'readSandboxIssuer' },
      { operationId: 'readSandboxClock' },
    ],
  },
];
