import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { parseCustomer } from './customer.ts';

/** Returns the customer that the input identifies. Fails if there is none. */
function read(input: unknown): unknown {
  const parsed = parseCustomer(input);
  assert.ok('customer' in parsed, JSON.stringify(parsed));
  return parsed.customer;
}

/** Returns the names of the wrong fields. */
function wrong(input: unknown): string[] {
  const parsed = parseCustomer(input);
  return 'errors' in parsed ? Object.keys(parsed.errors).sort() : [];
}

const phone = (value: unknown) => ({ type: 'phone', value });
const account = (account_number: unknown, sort_code: unknown = '089999') => ({
  type: 'bank_account',
  account_number,
  sort_code,
});

/** Generates a string of digits. */
const digits = (least: number, most: number) =>
  fc
    .array(fc.constantFrom(...'0123456789'), { minLength: least, maxLength: most })
    .map((list) => list.join(''));

/** Inserts some of the separators at random places. */
const spread = (text: string, separators: string) =>
  fc
    .array(fc.constantFrom('', '', '', ...separators), {
      minLength: text.length + 1,
      maxLength: text.length + 1,
    })
    .map((list) => [...text].map((c, i) => `${list[i]}${c}`).join('') + list.at(-1));

test('however a British mobile number is written, it is one number, in E.164', () => {
  const number = digits(9, 9).map((rest) => `7${rest}`);
  const written = number.chain((rest) => spread(rest, ' -.').map((spelt) => ({ rest, spelt })));
  fc.assert(
    fc.property(
      written,
      fc.constantFrom('+44', ' +44 ', '+44 (0)', '+44-'),
      ({ rest, spelt }, prefix) => {
        assert.deepEqual(read(phone(`${prefix}${spelt}`)), { type: 'phone', value: `+44${rest}` });
      },
    ),
  );
});

test('a number as people paste it is the number that they see', () => {
  for (const text of [
    '\u202a+447700900300\u202c',
    '0044 7700 900300',
    '+44 7700\u2011900\u2013300',
    '＋44 7700 900300',
    "'+447700900300",
    '+44\u00a0(0)\u00a07700\u00a0900300',
  ]) {
    assert.deepEqual(read(phone(text)), { type: 'phone', value: '+447700900300' }, text);
    assert.deepEqual(read({ phone: text }), { type: 'phone', value: '+447700900300' }, text);
  }
  assert.deepEqual(wrong(phone('07700 900300')), ['customer.value']);
});

test('what came out normalised goes in again unchanged', () => {
  const input = fc.oneof(
    digits(9, 9).map((rest) => phone(`+447${rest}`)),
    fc.tuple(digits(6, 8), digits(6, 6)).map(([number, sort]) => account(number, sort)),
    fc.string({ minLength: 1 }).map((value) => ({ type: 'user_id', value })),
  );
  fc.assert(
    fc.property(input, (given) => {
      const once = read(given);
      assert.deepEqual(read(once), once);
    }),
  );
});

test('the numbers of documentation examples pass, British and foreign', () => {
  for (const value of [
    '+447700900123',
    '+442079460958',
    '+353201234567',
    '+4915123456789',
    '+12025550143',
  ])
    assert.deepEqual(read(phone(value)), { type: 'phone', value });
});

test('the shorthand of the onboarding flow is the same customer', () => {
  assert.deepEqual(read({ phone: '+44 7700 900123' }), phone('+447700900123'));
  assert.deepEqual(wrong({ phone: '07700900123' }), ['customer.phone']);
  assert.deepEqual(wrong({ phone: '+447700900123', colour: 'red' }), ['customer.colour']);
});

test('what is no possible international number is refused by field', () => {
  for (const value of [
    '07700900123',
    '447700900123',
    '+',
    '+44',
    '+4477009001',
    '+4477009001234567',
    '+999123456789',
    '+44770090012x',
    'call +447700900123',
    '+447700900123 or +447700900124',
    '',
    447700900123,
    null,
    undefined,
    ['+447700900123'],
  ])
    assert.deepEqual(wrong(phone(value)), ['customer.value'], String(value));
});

test('any text at all is read or refused, and never throws', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('+', '', '+44'),
      (text, prefix) => {
        const parsed = parseCustomer(phone(`${prefix}${text}`));
        if ('customer' in parsed && parsed.customer.type === 'phone')
          assert.match(parsed.customer.value, /^\+\d{5,15}$/);
      },
    ),
    { numRuns: 300 },
  );
  fc.assert(fc.property(fc.jsonValue(), (value) => void parseCustomer(value)));
});

test('sort codes are 6 digits and account numbers 8, however they are spaced; 6 and 7 are padded', () => {
  const written = fc
    .tuple(digits(6, 8), digits(6, 6))
    .chain(([number, sort]) =>
      fc.tuple(fc.constant({ number, sort }), spread(number, ' -'), spread(sort, ' -')),
    );
  fc.assert(
    fc.property(written, ([{ number, sort }, spelt, spaced]) => {
      assert.deepEqual(read(account(spelt, spaced)), account(number.padStart(8, '0'), sort));
    }),
  );
});

test('any other number of digits is refused, and both fields are named at once', () => {
  const unfit = fc.oneof(digits(0, 5), digits(9, 12));
  fc.assert(
    fc.property(unfit, fc.oneof(digits(0, 5), digits(7, 12)), (number, sort) => {
      const fields = ['customer.account_number', 'customer.sort_code'];
      assert.deepEqual(wrong(account(number, sort)), fields);
    }),
  );
  for (const value of [66374958, null, [], '6637495a', '٦٦٣٧٤٩٥٨', '12.34.56'])
    assert.deepEqual(wrong(account(value, value)), [
      'customer.account_number',
      'customer.sort_code',
    ]);
});

test('a user id is taken as it is; an empty one is refused', () => {
  assert.deepEqual(read({ type: 'user_id', value: 'cus_1' }), { type: 'user_id', value: 'cus_1' });
  for (const value of ['', null, undefined, 7])
    assert.deepEqual(wrong({ type: 'user_id', value }), ['customer.value']);
});

test('an unknown form, and a field of another form, are named', () => {
  for (const type of ['email', '', null, 7, 'constructor', '__proto__'])
    assert.deepEqual(wrong({ type, value: 'x' }), ['customer.type']);
  for (const input of [{}, { value: '+447700900123' }])
    assert.deepEqual(wrong(input), ['customer.type']);
  for (const input of ['+447700900123', 7, null, undefined, [], true])
    assert.deepEqual(wrong(input), ['customer']);
  assert.deepEqual(wrong({ ...phone('+447700900123'), sort_code: '089999' }), [
    'customer.sort_code',
  ]);
  assert.deepEqual(wrong({ ...account('66374958'), value: 'x', id: 'y' }), [
    'customer.id',
    'customer.value',
  ]);
  assert.deepEqual(wrong({ ...phone('07700'), id: 'y' }), ['customer.id', 'customer.value']);
});

test('name, email and reference may stand beside every form, and are checked with it', () => {
  const kim = { name: ' Kim Fern ', email: 'kim@fern.example', reference: null };
  for (const input of [
    phone('+447700900123'),
    { phone: '+447700900123' },
    account('66374958'),
    { type: 'user_id', value: 'cus_1' },
  ]) {
    const parsed = parseCustomer({ ...input, ...kim });
    assert.ok('profile' in parsed, JSON.stringify(parsed));
    assert.deepEqual(parsed.profile, { ...kim, name: 'Kim Fern' });
    assert.deepEqual(wrong({ ...input, email: 'kim', notes: 'x' }), [
      'customer.email',
      'customer.notes',
    ]);
  }
  assert.deepEqual(wrong({ ...phone('07700'), name: 7 }), ['customer.name', 'customer.value']);
});

test('each refusal says in words what the field must be', () => {
  const NO_PHONE = 'must be a phone number in international format, starting with +';
  const IMPOSSIBLE = 'is not a possible phone number of its country';
  const STRANGE = 'is not a field of this type of customer';
  for (const [input, errors] of [
    ['+447700900123', { customer: 'must be an object' }],
    [{ type: 'iban' }, { 'customer.type': 'must be phone, bank_account or user_id' }],
    [phone('07700900123'), { 'customer.value': NO_PHONE }],
    [phone('tel:+447700900123'), { 'customer.value': NO_PHONE }],
    [phone('+4477009001'), { 'customer.value': IMPOSSIBLE }],
    [phone('+44 20 7946 0958 ext. 12'), { 'customer.value': IMPOSSIBLE }],
    [{ type: 'user_id', value: 'cus_1', phone: '+447700900123' }, { 'customer.phone': STRANGE }],
    [{ type: 'user_id', value: '' }, { 'customer.value': 'must be the id of a customer' }],
    [
      account('1', '2'),
      {
        'customer.sort_code': 'must be 6 digits',
        'customer.account_number': 'must be 8 digits (6 and 7 are padded with zeros on the left)',
      },
    ],
  ])
    assert.deepEqual(parseCustomer(input), { errors });
});

test('a British mobile number, which is taken as it is, is what the library makes of it', () => {
  fc.assert(
    fc.property(digits(9, 9), (rest) => {
      const number = parsePhoneNumberFromString(`+447${rest}`, { extract: false });
      assert.ok(number);
      assert.ok(number.isPossible() && number.ext === undefined);
      assert.deepEqual(read(phone(`+447${rest}`)), phone(number.number));
    }),
  );
});
