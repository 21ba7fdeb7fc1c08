import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SEALED_COLUMNS } from '../../vault/sealed-columns.ts';
import { redactBody } from './redaction.ts';

/** A request or a response in which the text of a sealed column stands, as `TEXT`. */
interface Seen {
  url: string;
  body: object;
}

const TEXT = 'Kim Fernsby 089999 66374958';
const TOKEN = 'a-text-that-nobody-may-read';

const account = (url: string, body: object): Seen[] =>
  ['name', 'sort_code', 'account_number'].map((field) => {
    const whole = { name: 'x', sort_code: 'x', account_number: 'x' };
    return { url, body: { ...body, ...whole, [field]: TEXT } };
  });

const ACCOUNTS = '/dashboard/api/settlement_account';
const CUSTOMER = '/api/v1/customers/cus_1';
const SCHEDULE = '/api/v1/schedules';

/**
 * Where merchants send or are sent the plain text of each sealed column, in bodies that the request log keeps; a text: why
 * nowhere. Whoever adds a sealed column says here where else its text stands.
 */
const SEEN: Readonly<Record<string, readonly Seen[] | string>> = {
  'prepared_acts.inputs': [
    { url: '/api/v1/prepared_acts', body: { body: { customer: { phone: TEXT } } } },
    { url: '/api/v1/prepared_acts', body: { body: { customer: { name: TEXT, email: TEXT } } } },
    { url: '/api/v1/prepared_acts', body: { body: { customer: { type: 'phone', value: TEXT } } } },
  ],
  'identity_providers.client_secret': [
    { url: '/dashboard/api/sso', body: { client_secret: TEXT } },
  ],
  'merchants.settlement_account': [
    ...account(ACCOUNTS, {}),
    ...account('/api/v1/merchant', {}).map(({ url, body }) => ({
      url,
      body: { settlement_account: body },
    })),
  ],
  'settlement_account_changes.old_account': account(ACCOUNTS, { status: 'waiting' }),
  'settlement_account_changes.new_account': account(ACCOUNTS, { status: 'waiting' }),
  'payee_checks.account': account(`${ACCOUNTS}/checks`, {}),
  'payee_checks.bank_name': [{ url: `${ACCOUNTS}/checks`, body: { bank_name: TEXT } }],
  'customers.phone': [{ url: SCHEDULE, body: { customer: { type: 'phone', value: TEXT } } }],
  'customers.bank_account': account(SCHEDULE, { type: 'bank_account' }).map(({ url, body }) => ({
    url,
    body: { customer: body },
  })),
  'customers.name': [
    { url: CUSTOMER, body: { name: TEXT } },
    { url: SCHEDULE, body: { customer: { name: TEXT } } },
  ],
  'customers.email': [
    { url: CUSTOMER, body: { email: TEXT } },
    { url: SCHEDULE, body: { customer: { email: TEXT } } },
  ],
  'customers.notes': [{ url: CUSTOMER, body: { notes: TEXT } }],
  'wallets.account': account('/sandbox/api/accounts', {}),
  'consents.link': [
    { url: SCHEDULE, body: { consent_url: `https://pay.example/consent/${TOKEN}` } },
    { url: SCHEDULE, body: { portal_url: `https://pay.example/consent/${TOKEN}` } },
  ],
  'consents.initiation': 'only the bank is sent it',
  'consents.nonce': 'only the bank is sent it',
  'consents.confirm_nonce': 'only the bank is sent it',
  'consents.paying_account': account(SCHEDULE, {}),
  'bank_grants.bank_grant': 'only the bank is sent it',
  'settlements.destination': account('/api/v1/settlements/set_1/retry', {}),
  'refunds.destination': 'only the issuer is sent it',
  'disputes.note': [
    { url: '/api/v1/payments/pay_1/disputes', body: { reason: 'other', note: TEXT } },
    { url: '/dashboard/api/v1/disputes/dsp_1/withdraw', body: { id: 'dsp_1', note: TEXT } },
  ],
  'disputes.answer': [{ url: '/api/v1/disputes/dsp_1/reject', body: { answer: TEXT } }],
  'inbox.body': 'only operators are shown it',
  'unallocated_items.payer': 'only operators are shown it',
  'webhook_endpoints.secret': [
    { url: '/api/v1/webhook_endpoints', body: { secret: TEXT, next_secret: TEXT } },
  ],
  'webhook_endpoints.next_secret': [
    { url: '/api/v1/webhook_endpoints', body: { next_secret: TEXT } },
  ],
  'notices.content': 'it goes by email and text message',
  'saved_views.query': [
    { url: '/dashboard/api/views', body: { list: 'customers', query: `q=${TEXT}` } },
  ],
  'idempotency_keys.response_body': 'it is the response, which is redacted as one',
  'events.body': [{ url: '/api/v1/events/evt_1/resend', body: { subject_id: 'x', body: TEXT } }],
  'operator_requests.wish': 'only operators are shown it',
  'operator_notices.content': 'it goes by email',
};

test('the text of no sealed column stands in a logged request or response, wherever it is sent', () => {
  const sealed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  assert.deepEqual(Object.keys(SEEN).toSorted(), sealed.toSorted());
  for (const [column, seen] of Object.entries(SEEN))
    for (const { url, body } of typeof seen === 'string' ? [] : seen) {
      const kept = JSON.stringify(redactBody(url, body));
      for (const text of [TEXT, TOKEN])
        assert.ok(!kept.includes(text), `${column} in ${url}: ${kept}`);
      assert.deepEqual(
        Object.keys(JSON.parse(kept)),
        Object.keys(body),
        `${column}: the shape stays`,
      );
    }
});
