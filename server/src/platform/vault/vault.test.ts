import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hashSecret, makeVault } from './vault.ts';

const OLD = Buffer.alloc(32, 1);
const NEW = Buffer.alloc(32, 2);
const INDEX = Buffer.alloc(32, 3);
const vault = makeVault(new Map([['k1', OLD]]), INDEX);

/** Returns sealed text with its bytes changed. */
function withBytes(sealed: string, change: (bytes: Buffer) => Buffer): string {
  const [version, id, text = ''] = sealed.split('.');
  return `${version}.${id}.${change(Buffer.from(text, 'base64url')).toString('base64url')}`;
}

test('what is sealed opens in its own context, and never looks the same twice', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plain, context) => {
      const sealed = vault.seal(plain, context);
      assert.equal(vault.open(sealed, context), plain);
      assert.notEqual(vault.seal(plain, context), sealed);
      assert.match(sealed, /^v1\.k1\.[\w-]+$/);
    }),
  );
});

test('one changed bit anywhere is noticed', () => {
  const sealed = vault.seal('+447700900123', 'customer');
  const size = Buffer.from(sealed.split('.')[2] ?? '', 'base64url').length;
  for (let bit = 0; bit < size * 8; bit++) {
    const tampered = withBytes(sealed, (bytes) => {
      bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      return bytes;
    });
    assert.throws(() => vault.open(tampered, 'customer'), `bit ${bit}`);
  }
});

test('a text cut off anywhere is noticed, also where hardly anything is left', () => {
  const sealed = vault.seal('', 'customer');
  const size = Buffer.from(sealed.split('.')[2] ?? '', 'base64url').length;
  assert.equal(size, 28);
  for (let length = 0; length < size; length++)
    assert.throws(
      () =>
        vault.open(
          withBytes(sealed, (b) => b.subarray(0, length)),
          'customer',
        ),
      /not sealed text/,
    );
});

test('a sealed text that was moved to another place does not open', () => {
  const sealed = vault.seal('66374958', 'customer:mer_a:bank_account');
  assert.throws(() => vault.open(sealed, 'customer:mer_b:bank_account'));
  assert.throws(() => vault.open(sealed, ''));
});

test('what is no sealed text at all is refused', () => {
  for (const text of ['', 'plain', 'v2.k1.AAAA', 'v1.k1', `${vault.seal('x', 'c')}.more`])
    assert.throws(() => vault.open(text, 'c'), /not sealed text/);
});

test('after a rotation the new key seals and the old one still opens', () => {
  const before = vault.seal('old secret', 'c');
  const rotated = makeVault(
    new Map([
      ['k2', NEW],
      ['k1', OLD],
    ]),
    INDEX,
  );
  assert.equal(rotated.open(before, 'c'), 'old secret');
  const after = rotated.seal('new secret', 'c');
  assert.match(after, /^v1\.k2\./);
  assert.equal(rotated.open(after, 'c'), 'new secret');
  assert.deepEqual(rotated.index('+44', 'c'), vault.index('+44', 'c'));
});

test('a key that we do not hold is named, and the same id with another key does not open', () => {
  const sealed = vault.seal('secret', 'c');
  const without = makeVault(new Map([['k2', NEW]]), INDEX);
  assert.throws(() => without.open(sealed, 'c'), /unknown key k1/);
  const wrong = makeVault(new Map([['k1', NEW]]), INDEX);
  assert.throws(() => wrong.open(sealed, 'c'));
  assert.throws(() => makeVault(new Map(), INDEX), /needs a key/);
});

test('equal values have equal blind indexes in one context, and in no other or under another key', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      const same = vault.index(one, 'c').equals(vault.index(other, 'c'));
      assert.equal(same, one === other);
      assert.ok(!vault.index(one, 'c').equals(vault.index(one, 'd')));
      assert.ok(
        !vault.index(one, 'c').equals(makeVault(new Map([['k1', OLD]]), NEW).index(one, 'c')),
      );
    }),
    { numRuns: 50 },
  );
  assert.equal(vault.index('x', 'c').length, 32);
});

test('the hash of a secret is SHA-256: known in advance, so that it can be found again for ever', () => {
  assert.equal(
    hashSecret('abc').toString('hex'),
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});

test('a signature holds under every key of the ring, and a new one is made with the first', () => {
  const ring = new Map([['k1', OLD]]);
  const before = makeVault(ring, INDEX);
  const rolling = makeVault(
    ring,
    INDEX,
    new Map([
      ['s1', NEW],
      ['derived', null],
    ]),
  );
  const later = makeVault(ring, INDEX, new Map([['s1', NEW]]));
  const [old, fresh] = [before.sign('v', 'c'), rolling.sign('v', 'c')];
  assert.deepEqual(old, before.index('v', 'c'), 'as it was signed before there was a ring');
  assert.deepEqual(
    [rolling, later, before].map((one) => [
      one.isSigned(old, 'v', 'c'),
      one.isSigned(fresh, 'v', 'c'),
    ]),
    [
      [true, true],
      [false, true],
      [true, false],
    ],
  );
  for (const [value, context] of [
    ['w', 'c'],
    ['v', 'd'],
  ] as const)
    assert.equal(rolling.isSigned(fresh, value, context), false);
  assert.equal(rolling.isSigned(Buffer.alloc(0), 'v', 'c'), false);
  assert.throws(() => makeVault(ring, INDEX, new Map()), /needs a signing key/);
});

test('a secret for a library keeps its number and its value wherever its key stands in the ring', () => {
  const ring = new Map([['k1', OLD]]);
  const secrets = (signing: Map<string, Buffer | null>) =>
    makeVault(ring, INDEX, signing).secrets('l');
  const [s1, derived] = secrets(
    new Map([
      ['s1', NEW],
      ['derived', null],
    ]),
  );
  assert.equal(derived?.version, 1);
  assert.deepEqual(secrets(new Map([['derived', null]])), [derived]);
  assert.deepEqual(
    secrets(
      new Map([
        ['derived', null],
        ['s1', NEW],
      ]),
    ),
    [derived, s1],
  );
  assert.notEqual(s1?.value, derived?.value);
  assert.ok(Number.isSafeInteger(s1?.version));
});
