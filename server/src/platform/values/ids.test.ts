import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { validate, version } from 'uuid';
import { base62, isId, makeIds } from './ids.ts';

const AT = Temporal.Instant.from('2026-03-02T10:00:00Z');
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns the UUID behind an id. */
function uuidOf(id: string): string {
  let value = 0n;
  for (const digit of id.slice(id.indexOf('_') + 1)) {
    value = value * 62n + BigInt(DIGITS.indexOf(digit));
  }
  const hex = value.toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

test('an id is its prefix and 22 base-62 digits', () => {
  const id = makeIds().next('sch', AT);
  assert.match(id, /^sch_[0-9A-Za-z]{22}$/);
  assert.ok(isId('sch', id));
});

test('the digits are those of a UUID of version 7 that carries its time', () => {
  const ids = makeIds();
  for (let n = 0; n < 100; n++) {
    const uuid = uuidOf(ids.next('pay', AT));
    assert.ok(validate(uuid), uuid);
    assert.equal(version(uuid), 7);
    assert.equal(parseInt(uuid.replace('-', '').slice(0, 12), 16), AT.epochMilliseconds);
  }
});

test('ten thousand ids of one millisecond ascend as texts, and none comes twice', () => {
  const ids = makeIds();
  const made = Array.from({ length: 10_000 }, () => ids.next('evt', AT));
  assert.deepEqual(made, [...made].sort());
  assert.equal(new Set(made).size, made.length);
});

test('ids of a later moment are later texts, whatever the random part', () => {
  const moment = fc.integer({ min: 0, max: 2 ** 47 });
  fc.assert(
    fc.property(moment, moment, fc.integer({ min: 0, max: 255 }), (one, other, byte) => {
      const ids = makeIds((buffer) => void buffer.fill(byte));
      const [early, late] = [Math.min(one, other), Math.max(one, other) + 1];
      const first = ids.next('evt', Temporal.Instant.fromEpochMilliseconds(early));
      const second = makeIds().next('evt', Temporal.Instant.fromEpochMilliseconds(late));
      assert.ok(first < second);
    }),
  );
});

test('a seeded source makes the same ids again, as simulations need', () => {
  const make = () => {
    const ids = makeIds((buffer) => void buffer.fill(7));
    return [ids.next('cus', AT), ids.next('cus', AT), ids.random(4).toString('hex')];
  };
  assert.deepEqual(make(), make());
});

test('base 62 keeps the order of the bytes and has a fixed width', () => {
  const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      const order = Buffer.compare(a, b);
      const [x, y] = [base62(a, 22), base62(b, 22)];
      assert.equal(x.length, 22);
      assert.equal(x < y ? -1 : x > y ? 1 : 0, order);
    }),
  );
});

test('base 62 is what division by 62 makes, digit by digit, whatever the length', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 24 }), fc.nat({ max: 40 }), (bytes, width) => {
      let rest = bytes.reduce((value, byte) => value * 256n + BigInt(byte), 0n);
      let text = '';
      for (let i = 0; i < width; i++, rest /= 62n) text = DIGITS.charAt(Number(rest % 62n)) + text;
      assert.equal(base62(bytes, width), text);
    }),
  );
});

test('random bytes come in any number, and none are handed out twice', () => {
  const ids = makeIds();
  const seen = new Set<string>();
  for (const size of [32, 4080, 32, 4096, 5000, 16, 32])
    for (let at = 0, bytes = ids.random(size); at + 16 <= size; at += 16)
      seen.add(bytes.toString('hex', at, at + 16));
  assert.equal(seen.size, 2 + 255 + 2 + 256 + 312 + 1 + 2);
});

test('only the right prefix, length and digits make an id', () => {
  const id = makeIds().next('mer', AT);
  for (const wrong of [
    '',
    'mer_',
    id.slice(0, -1),
    `${id}0`,
    id.replace('mer', 'cus'),
    `${id.slice(0, -1)}-`,
    `${id.slice(0, -1)}\n`,
    ` ${id.slice(1)}`,
  ])
    assert.ok(!isId('mer', wrong), JSON.stringify(wrong));
});
