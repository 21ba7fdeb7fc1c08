import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeIds } from './ids.ts';
import { merchantOfToken, newLinkToken } from './link-token.ts';

const ids = makeIds();
const merchantId = ids.next('mer', Temporal.Instant.from('2026-03-02T10:00:00Z'));

test('a link carries its merchant and 256 bits of randomness, in characters that fit a URL', () => {
  const token = newLinkToken(ids, merchantId);
  assert.equal(merchantOfToken(token), merchantId);
  assert.equal(encodeURIComponent(token), token);
  assert.equal(Buffer.from(token.slice(22), 'base64url').length, 32);
  const many = Array.from({ length: 1000 }, () => newLinkToken(ids, merchantId));
  assert.equal(new Set(many).size, 1000);
});

test('a text that is no such secret belongs to nobody', () => {
  const token = newLinkToken(ids, merchantId);
  for (const wrong of [
    '',
    token.slice(1),
    `${token}A`,
    `${token}\n`,
    `-${token.slice(1)}`,
    `${token.slice(0, -1)}/`,
    `${token.slice(0, -1)}é`,
    merchantId,
  ])
    assert.equal(merchantOfToken(wrong), null, JSON.stringify(wrong));
});
