import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nonceOf, signedHeaders } from './signature.ts';

test('signs as Modulr’s published example does', () => {
  const key = { keyId: 'KNOWN-TOKEN', secret: 'NzAwZmIwMGQ0YTJiNDhkMzZjYzc3YjQ5OGQyYWMzOTI=' };
  const at = Temporal.Instant.from('2016-07-25T16:36:07Z');
  assert.deepEqual(signedHeaders(key, '28154b2-9c62b93cc22a-24c9e2-5536d7d', at), {
    date: 'Mon, 25 Jul 2016 16:36:07 GMT',
    'x-mod-nonce': '28154b2-9c62b93cc22a-24c9e2-5536d7d',
    authorization:
      'Signature keyId="KNOWN-TOKEN",algorithm="hmac-sha1",headers="date x-mod-nonce",' +
      'signature="WBMr%2FYdhysbmiIEkdTrf2hP7SfA%3D"',
  });
});

test('gives an order the same nonce each time, and every question a new one', () => {
  const order = (path: string, key?: string) => nonceOf('POST', path, key);
  assert.equal(order('/payments', 'pay-1'), order('/payments', 'pay-1'));
  assert.notEqual(order('/payments', 'pay-1'), order('/payments', 'pay-2'));
  assert.notEqual(order('/payments', 'pay-1'), order('/batchpayments', 'pay-1'));
  assert.notEqual(nonceOf('GET', '/payments'), nonceOf('GET', '/payments'));
});
