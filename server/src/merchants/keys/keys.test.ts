import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatKey, isLive, parseKey } from './keys.ts';

const merchant = `mer_${'0351OWECkNEmgRiqX75Geg'}`;
const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((b) => Buffer.from(b));

test('a key names its mode and its merchant, and is of one length', () => {
  fc.assert(
    fc.property(bytes, fc.constantFrom('test' as const, 'live' as const), (random, mode) => {
      const key = formatKey(mode, merchant, random);
      assert.match(key, /^rk_(test|live)_[0-9A-Za-z]{71}$/);
      assert.deepEqual(parseKey(key), { mode, merchantId: merchant });
    }),
  );
});

test('two keys differ wherever their randomness differs', () => {
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      assert.equal(formatKey('test', merchant, a) === formatKey('test', merchant, b), a.equals(b));
    }),
  );
});

test('a key with any one character mistyped is refused without asking anybody', () => {
  const key = formatKey('test', merchant, Buffer.alloc(32, 7));
  for (let i = 0; i < key.length; i++) {
    const typed = key[i] === 'x' ? 'y' : 'x';
    assert.equal(parseKey(key.slice(0, i) + typed + key.slice(i + 1)), null, `at ${i}`);
  }
  for (const text of ['', key.slice(1), `${key}0`, key.slice(0, -1), ` ${key}`, `${key}\n`])
    assert.equal(parseKey(text), null);
});

test('the checksum is the CRC-32 of all that stands before it, in six base-62 digits', () => {
  const key = formatKey('live', `mer_${'0'.repeat(22)}`, Buffer.alloc(32));
  assert.equal(key, `rk_live_${'0'.repeat(65)}${key.slice(-6)}`);
  assert.equal(key.slice(-6), '32wXUr');
});

test('a key ends at its end, and at once when revoked', () => {
  const now = Temporal.Instant.from('2026-03-02T10:00:00Z');
  const later = now.add({ seconds: 1 });
  assert.ok(isLive({ expiresAt: null, revokedAt: null }, now));
  assert.ok(isLive({ expiresAt: later, revokedAt: null }, now));
  assert.ok(!isLive({ expiresAt: now, revokedAt: null }, now));
  assert.ok(!isLive({ expiresAt: null, revokedAt: now }, now));
});
