import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cut, REDACTED, redact, redactError, redactPath } from './redaction.ts';

const SECRET_FIELDS = [
  'key',
  'api_key',
  'secret',
  'next_secret',
  'password',
  'newPassword',
  'token',
  'access_token',
  'account_number',
  'accountNumber',
  'sort_code',
  'phone',
  'Phone-Number',
  'consent_url',
  'portal_url',
  'csv',
  'Authorization',
  'cookie',
  'otp',
  'email',
];

/** Values that cannot be confused with anything else in a body. */
const secretValue = fc.stringMatching(/^q[A-Z]{12}[0-9]{8}$/);
const fieldName = fc.stringMatching(/^[a-z]{1,6}$/);
const plainValue = fc.oneof(fc.stringMatching(/^[a-z ]{0,12}$/), fc.integer(), fc.boolean());

/** Any JSON around a secret, which is below a secret field, directly or deeper. */
const body = fc.letrec<{ holder: unknown; anything: unknown; hidden: unknown }>((tie) => ({
  hidden: fc.oneof(
    secretValue,
    fc.array(secretValue, { minLength: 1, maxLength: 2 }),
    fc.dictionary(fieldName, secretValue, { minKeys: 1, maxKeys: 2 }),
  ),
  anything: fc.oneof({ maxDepth: 3 }, plainValue, fc.array(tie('holder'), { maxLength: 2 })),
  holder: fc
    .tuple(
      fc.constantFrom(...SECRET_FIELDS),
      tie('hidden'),
      fc.dictionary(fieldName, tie('anything'), { maxKeys: 3 }),
    )
    .map(([name, hidden, others]) => ({ ...others, [name]: hidden })),
})).holder;

const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
};

test('no value of a secret field survives, however deep, and the shape stays', () => {
  fc.assert(
    fc.property(body, (given) => {
      const kept = redact(given);
      assert.doesNotMatch(JSON.stringify(kept), /q[A-Z]{12}/);
      assert.deepEqual(shapeOf(kept), shapeOf(given));
    }),
  );
});

test('keys, webhook secrets and phone numbers do not survive in any field or name', () => {
  const secret = fc.oneof(
    fc.stringMatching(/^rk_(test|live)_[0-9A-Za-z]{40}$/),
    fc.stringMatching(/^whsec_[0-9A-Za-z+/]{32}$/),
    fc.stringMatching(/^\+44[0-9]{10}$/),
    fc.stringMatching(/^https:\/\/pay\.example\/consent\/[\w-]{43}$/),
  );
  fc.assert(
    fc.property(secret, fc.stringMatching(/^[a-z ]{0,9}$/), fieldName, (hidden, text, name) => {
      const said = `${text} ${hidden} ${text}`;
      const error = {
        error: { code: 'x', message: said, details: { [name]: said, [said]: text } },
      };
      for (const kept of [redact({ note: said }), redact([{ [said]: 1 }]), redactError(error)]) {
        const random = hidden.startsWith('https:') ? hidden.slice(-43) : hidden;
        assert.ok(!JSON.stringify(kept).includes(random), JSON.stringify(kept));
      }
    }),
  );
});

test('a customer loses phone and account in every form in which one can be sent', () => {
  for (const customer of [
    { type: 'phone', value: '07700 900123' },
    { phone: '07700900123' },
    { type: 'bank_account', account_number: '66374958', sort_code: '08-99-99' },
    { type: 'telephone', value: '07700900123' },
    { value: '07700900123' },
    '07700900123',
  ])
    assert.doesNotMatch(JSON.stringify(redact({ customer })), /\d{2}/);
});

test('what a merchant knows about a customer is not kept, whether below `customer` or in a body of its own', () => {
  const kim = { name: 'Kim Fern', email: 'kim@fern.example', reference: 'C-1042' };
  const kept = { name: REDACTED, email: REDACTED, reference: 'C-1042' };
  assert.deepEqual(redact({ customer: kim, name: 'Key' }), { customer: kept, name: 'Key' });
  const page = { data: [{ ...kim, notes: 'Pays late' }] };
  assert.deepEqual(redact(page, 0, true), { data: [{ ...kept, notes: REDACTED }] });
});

test('what is no secret can be read: amounts, ids, ends, and which key it was', () => {
  const fine = {
    amount: { value: 4999, currency: 'GBP' },
    customer: { type: 'user_id', value: 'cus_0123456789012345678901' },
    url: 'https://shop.example/hooks/recollect',
    key_id: 'key_1',
    hint: 'a1b2',
    created_at: '2026-03-02T10:00:00.000Z',
    description: 'Broadband, 12 months',
    list: [null, true, 1.5],
  };
  assert.deepEqual(redact(fine), fine);
});

test('an address shows where it leads, and nothing that lets anybody in', () => {
  assert.deepEqual(
    redact({ url: 'https://ada:pass@hooks.example/services/AbCdEfGhIjKlMnOpQrStUvWx?sig=1#top' }),
    { url: `https://hooks.example/services/${REDACTED}?${REDACTED}` },
  );
  assert.deepEqual(redact({ url: 'https://recollect.example/join', expires_at: 'x' }), {
    url: REDACTED,
    expires_at: 'x',
  });
});

test('a path keeps its ids and loses its query and whatever may be a secret', () => {
  const path = '/api/v1/schedules/sch_0123456789012345678901/payments';
  assert.equal(redactPath(`${path}?limit=1`), path);
  assert.equal(redactPath(`/consent/${'x'.repeat(43)}`), `/consent/${REDACTED}`);
  assert.equal(redactPath(`/consent/${'x'.repeat(65)}/progress`), `/consent/${REDACTED}/progress`);
  assert.equal(redactPath('/api/v1/customers/%2B447700900123'), `/api/v1/customers/${REDACTED}`);
  assert.equal(redactPath('/a/rk_test_abc'), `/a/${REDACTED}`);
});

test('an error keeps the sentences about its fields', () => {
  const error = {
    error: {
      code: 'invalid_request',
      message: 'customer.sort_code: must be 6 digits',
      details: { 'customer.sort_code': 'must be 6 digits', phone: 'must start with +' },
    },
  };
  assert.deepEqual(redactError(error), error);
  assert.deepEqual(redactError({ error: {} }), { error: {} });
});

test('a body that is nested without end is cut off, and nothing overflows', () => {
  let deep: unknown = 'end';
  for (let i = 0; i < 50_000; i++) deep = { a: deep };
  assert.match(JSON.stringify(redact(deep)), /redacted/);
  assert.match(JSON.stringify(redact({ secret: deep })), /redacted/);
});

test('a text is cut between characters', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.integer({ min: 8, max: 64 }),
      (text, bytes) => {
        const kept = cut(text, bytes);
        assert.ok(Buffer.byteLength(kept) <= bytes);
        assert.ok(kept === text || (kept.endsWith('…') && kept.isWellFormed()));
        if (kept !== text) assert.ok(text.startsWith(kept.slice(0, -1)));
      },
    ),
  );
});
