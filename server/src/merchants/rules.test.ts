import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertQuick, elapsed } from '../../test-support/quick.ts';
import { merchantErrors, normalisedAccount } from './rules.ts';

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

test('a very long email address is refused in no time', () =>
  assertQuick(100, () =>
    elapsed(() => {
      assert.ok(merchantErrors({ email: `a@${'.'.repeat(250_000)}` }, 'live').email);
    }),
  ));

const ACCOUNT = { sortCode: '12-34-56', accountNumber: '1234567', name: ' Fernhill Ltd ' };

test('a field is refused with its reason, and nothing is said of one that is right or not given', () => {
  const good = {
    name: 'Fernhill',
    email: 'help.desk@mail.fernhill.example',
    website: 'http://fernhill.example',
    timeZone: 'Europe/London',
    returnUrl: 'https://fernhill.example/back',
    settlementAccount: ACCOUNT,
  };
  assert.deepEqual(merchantErrors(good, 'live'), {});
  assert.deepEqual(merchantErrors({}, 'live'), {});
  const wrong = {
    name: ' ',
    email: 'nobody',
    website: 'ftp://fernhill.example',
    timeZone: '+01:00',
    returnUrl: 'nowhere',
    settlementAccount: { sortCode: '12345', accountNumber: '12345', name: ' ' },
  };
  assert.deepEqual(merchantErrors(wrong, 'live'), {
    name: 'must not be empty',
    email: 'must be an email address',
    website: 'must be a URL starting with https:// or http://',
    time_zone: 'must be a time zone such as Europe/London',
    return_url: 'must be a URL',
    'settlement_account.sort_code': 'must be 6 digits',
    'settlement_account.account_number':
      'must be 8 digits (6 and 7 are padded with zeros on the left)',
    'settlement_account.name': 'must not be empty',
  });
});

test('an email address has one @, no blanks and a dot in its domain, and fits where mail is sent', () => {
  const isFine = (email: string): boolean =>
    Object.keys(merchantErrors({ email }, 'live')).length === 0;
  const longest = `${'a'.repeat(242)}@mail.example`;
  for (const email of ['a@b.c', 'ab.cd@ef.gh.ij', longest.slice(1)])
    assert.ok(isFine(email), email);
  assert.equal(longest.length, 255);
  for (const email of [
    longest,
    '@b.c',
    'a@b',
    'a@.c',
    'a@b.',
    'a b@c.d',
    'x a@b.c',
    'a@b.c x',
    'a@@b.c',
  ])
    assert.ok(!isFine(email), email);
});

test('a return URL carries neither name nor password, and http only leads to this machine in the sandbox', () => {
  const said = (returnUrl: string, mode: 'live' | 'sandbox'): string | undefined =>
    merchantErrors({ returnUrl }, mode).return_url;
  for (const url of ['https://me@shop.example', 'https://:secret@shop.example'])
    assert.equal(said(url, 'live'), 'must not carry a user name or password');
  assert.equal(said('http://localhost/back', 'live'), 'must start with https://');
  assert.equal(said('http://localhost/back', 'sandbox'), undefined);
  for (const url of ['http://shop.example', 'ws://localhost'])
    assert.match(said(url, 'sandbox') ?? '', /^must start with https:.*this machine/);
});

test('an account is stored with its numbers in one form, and only after it was checked', () => {
  assert.deepEqual(normalisedAccount(ACCOUNT), {
    sortCode: '123456',
    accountNumber: '01234567',
    name: 'Fernhill Ltd',
  });
  for (const wrong of [{ sortCode: '1' }, { accountNumber: '1' }])
    assert.throws(() => normalisedAccount({ ...ACCOUNT, ...wrong }), /the account was not checked/);
});
