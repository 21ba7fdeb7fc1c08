import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { test } from 'node:test';
import { guardedLookup, rangeOf, refuseEndpoint, refuseUrl } from './address.ts';

const answering =
  (...addresses: string[]): LookupFunction =>
  (_name, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    );

const NOT_PUBLIC = [
  '0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.127.255.254 127.0.0.1 127.8.8.8 169.254.169.254 172.16.0.1',
  '172.31.255.255 192.0.0.8 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.51.100.7 203.0.113.7 224.0.0.1',
  '239.255.255.255 240.0.0.1 255.255.255.255 168.63.129.16 :: ::1 ::127.0.0.1 ::ffff:10.0.0.1 ::ffff:8.8.8.8',
  '64:ff9b::a00:1 64:ff9b:1::1 100::1 2001::1 2001:db8::1 2002:a00:1::1 3fff::1 5f00::1 fc00::1 fd12::1 fe80::1',
  'fec0::1 ff02::1 4000::1 1::1 not-an-address',
].flatMap((line) => line.split(' '));

for (const address of NOT_PUBLIC)
  test(`${address} is not a public address`, () => assert.notEqual(rangeOf(address), 'public'));

for (const address of ['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '2a00::1'])
  test(`${address} is a public address`, () => assert.equal(rangeOf(address), 'public'));

test('live, an endpoint is https to a public place', () => {
  const refused = (url: string): boolean => refuseUrl(url, 'live') !== null;
  assert.equal(refuseUrl('https://example.com:8443/hook?a=1', 'live'), null);
  assert.equal(refuseUrl('https://8.8.8.8/', 'live'), null);
  for (const url of [
    'http://example.com/',
    'http://127.0.0.1/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'example.com',
    'https://user:secret@example.com/',
    'https://example.com/#part',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://169.254.169.254/latest/meta-data',
    `https://example.com/${'a'.repeat(2048)}`,
  ])
    assert.ok(refused(url), url);
});

test('in sandbox mode http leads to loopback and nowhere else', async () => {
  assert.equal(refuseUrl('http://127.0.0.1:3000/hook', 'sandbox'), null);
  assert.equal(refuseUrl('http://[::1]:3000/hook', 'sandbox'), null);
  assert.equal(refuseUrl('https://127.0.0.1/hook', 'sandbox'), null);
  assert.notEqual(refuseUrl('http://8.8.8.8/', 'sandbox'), null);
  assert.notEqual(refuseUrl('http://10.0.0.1/', 'sandbox'), null);
  assert.notEqual(refuseUrl('https://10.0.0.1/', 'sandbox'), null);
  assert.equal(await refuseEndpoint('http://localhost/', 'sandbox', answering('127.0.0.1')), null);
  assert.match(
    (await refuseEndpoint('http://example.com/', 'sandbox', answering('8.8.8.8'))) ?? '',
    /http:\/\/ to loopback/,
  );
});

test('a name that leads inside is refused when the endpoint is saved', async () => {
  const save = (...addresses: string[]) =>
    refuseEndpoint('https://hooks.example.com/', 'live', answering(...addresses));
  assert.equal(await save('8.8.8.8', '2606:4700:4700::1111'), null);
  assert.match((await save('10.0.0.1')) ?? '', /10\.0\.0\.1 is private/);
  assert.match((await save('8.8.8.8', '::1')) ?? '', /::1 is loopback/);
});

test('a name that has no answer yet can be saved: each connection checks again', async () => {
  const failing: LookupFunction = (_name, _options, callback) =>
    callback(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), '');
  const silent: LookupFunction = () => undefined;
  assert.equal(await refuseEndpoint('https://soon.example.com/', 'live', failing), null);
  assert.equal(await refuseEndpoint('https://soon.example.com/', 'live', silent), null);
});

test('the look-up answers in the form it was asked for, and only what it checked', async () => {
  const ask = (all: boolean, ...addresses: string[]) =>
    new Promise<{ error: Error | null; found: string | LookupAddress[] }>((resolve) =>
      guardedLookup(['public'], answering(...addresses))('x', { all }, (error, found) =>
        resolve({ error, found }),
      ),
    );
  assert.deepEqual((await ask(false, '8.8.8.8', '9.9.9.9')).found, '8.8.8.8');
  assert.deepEqual((await ask(true, '8.8.8.8')).found, [{ address: '8.8.8.8', family: 4 }]);
  assert.match((await ask(true, '8.8.8.8', '100.64.0.1')).error?.message ?? '', /carrierGradeNat/);
  assert.match((await ask(true)).error?.message ?? '', /no address/);
});
