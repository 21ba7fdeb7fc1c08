import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isWithin, parseRange, rangeErrors, rangesOf } from './address-range.ts';

test('an address and a range are kept in their shortest form', () => {
  for (const [text, range] of [
    ['203.0.113.7', '203.0.113.7'],
    [' 203.0.113.7/32 ', '203.0.113.7'],
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8::/32', '2001:db8::/32'],
  ] as const)
    assert.deepEqual(parseRange(text), { range }, text);
});

test('what is no range is refused with what it should be', () => {
  for (const text of [
    '',
    'localhost',
    '203.0.113',
    '203.0.113.256',
    '0203.0.113.7',
    '203.0.113.7/',
    '203.0.113.7/-1',
    '203.0.113.7/24/24',
    'fe80::1%eth0',
    '::ffff:203.0.113.7',
    '203.0.113.7 or so',
    `${'0'.repeat(50)}1`,
  ])
    assert.ok('problem' in parseRange(text), text);
  assert.deepEqual(parseRange('203.0.113.7/24'), { problem: 'must begin at 203.0.113.0/24' });
  assert.match(JSON.stringify(parseRange('203.0.113.0/33')), /at most 32 bits/);
  for (const everywhere of ['0.0.0.0/0', '::/0'])
    assert.match(JSON.stringify(parseRange(everywhere)), /covers every address/);
  assert.deepEqual(Object.keys(rangeErrors(['203.0.113.7', 'x', '::/0'])), [
    'allowed_ips.1',
    'allowed_ips.2',
  ]);
});

test('an address is within a range of its own kind, also in the clothes of IPv6', () => {
  const ranges = ['203.0.113.0/24', '2001:db8::/32', '198.51.100.9'];
  for (const address of ['203.0.113.255', '::ffff:203.0.113.1', '2001:db8:1::9', '198.51.100.9'])
    assert.equal(isWithin(address, ranges), true, address);
  for (const address of ['203.0.114.0', '2001:db9::', '198.51.100.8', '::1', 'unknown', ''])
    assert.equal(isWithin(address, ranges), false, address);
});

test('every address is within the ranges around it, and a range is read back as it was kept', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
      const parsed = parseRange(address);
      if ('problem' in parsed) return;
      assert.equal(isWithin(address, [parsed.range]), true);
      assert.deepEqual(parseRange(parsed.range), parsed);
    }),
  );
});

test('no ranges mean anywhere, and each is kept once', () => {
  assert.equal(rangesOf([]), null);
  assert.equal(rangesOf(null), null);
  assert.deepEqual(rangesOf(['203.0.113.7', '203.0.113.7/32']), ['203.0.113.7']);
});
