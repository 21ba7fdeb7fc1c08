import assert from 'node:assert/strict';
import { test } from 'node:test';
import { merchantErrors, parseAccountNumber, parseSortCode, parseTimeZone } from './rules.ts';

test('sort codes are six digits, with dashes and blanks or without', () => {
  for (const text of ['123456', '12-34-56', '12 34 56', ' 123456 '])
    assert.equal(parseSortCode(text), '123456');
  for (const text of ['', '12345', '1234567', '12345a', '１２３４５６', '12.34.56'])
    assert.equal(parseSortCode(text), null);
});

test('account numbers are eight digits; six and seven are padded on the left', () => {
  assert.equal(parseAccountNumber('12345678'), '12345678');
  assert.equal(parseAccountNumber('1234567'), '01234567');
  assert.equal(parseAccountNumber('123 456'), '00123456');
  for (const text of ['', '12345', '123456789', '1234567x'])
    assert.equal(parseAccountNumber(text), null);
});

test('time zones are names of the IANA database, in its own spelling', () => {
  assert.equal(parseTimeZone('europe/london'), 'Europe/London');
  assert.equal(parseTimeZone('UTC'), 'UTC');
  for (const text of ['', 'Europe/Londres', '+01:00', 'local', 'Europe/London ', '../etc'])
    assert.equal(parseTimeZone(text), null, text);
});

test('a return URL is https; the sandbox also takes http on this machine', () => {
  const wrong = (returnUrl: string, mode: 'sandbox' | 'live') =>
    merchantErrors({ returnUrl }, mode).return_url;
  for (const mode of ['sandbox', 'live'] as const) {
    assert.equal(wrong('https://shop.example/done?x=1', mode), undefined);
    for (const text of [
      '',
      'shop.example',
      'javascript:alert(1)',
      'http://shop.example',
      'ftp://a.b',
    ])
      assert.ok(wrong(text, mode), text);
    assert.ok(wrong('https://user:pass@shop.example/', mode));
    assert.ok(wrong('http://localhost.evil.example/', mode));
  }
  for (const text of ['http://localhost:3000/done', 'http://127.0.0.1/', 'http://[::1]:8080/x']) {
    assert.equal(wrong(text, 'sandbox'), undefined);
    assert.ok(wrong(text, 'live'));
  }
});

test('every wrong field is named as the API names it, and only what was given is looked at', () => {
  assert.deepEqual(merchantErrors({}, 'live'), {});
  const errors = merchantErrors(
    {
      name: ' ',
      email: 'nobody',
      website: 'mailto:a@b.c',
      timeZone: 'Mars',
      settlementAccount: { name: ' ', sortCode: '1', accountNumber: '2' },
    },
    'live',
  );
  assert.deepEqual(Object.keys(errors).sort(), [
    'email',
    'name',
    'settlement_account.account_number',
    'settlement_account.name',
    'settlement_account.sort_code',
    'time_zone',
    'website',
  ]);
});

test('a very long email address is refused in no time', () => {
  const started = performance.now();
  assert.ok(merchantErrors({ email: `a@${'.'.repeat(250_000)}` }, 'live').email);
  assert.ok(performance.now() - started < 100);
});
