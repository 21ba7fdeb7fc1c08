import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../../values/errors.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';

const TYPES = ['instant', 'text', 'integer'] as const;

const isRefused = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status === 400 &&
  error.message.startsWith('after: ') &&
  Object.keys(error.details ?? {}).join() === 'after';

test('a cursor brings back its keyset, to the microsecond and with every letter', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -62_000_000_000_000_000n, max: 253_000_000_000_000_000n }),
      fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\u0000')),
      fc.maxSafeInteger(),
      (microseconds, text, count) => {
        const at = Temporal.Instant.fromEpochNanoseconds(microseconds * 1000n);
        const cursor = encodeCursor('newest', [at, text, count]);
        assert.match(cursor, /^[A-Za-z0-9_-]+$/);
        const [gotAt, gotText, gotCount] = decodeCursor(cursor, 'newest', TYPES) ?? [];
        assert.ok(gotAt?.equals(at));
        assert.deepEqual([gotText, gotCount], [text, count]);
      },
    ),
  );
});

test('a list begins where no cursor is given, or its beginning is', () => {
  for (const none of [undefined, 'start']) assert.equal(decodeCursor(none, 'newest', TYPES), null);
});

test('a cursor that is broken, of another order or of another shape is refused, and named', () => {
  const good = encodeCursor('newest', ['2026-01-01T00:00:00Z', 'a', 1]);
  const encode = (value: unknown): string =>
    Buffer.from(JSON.stringify(value)).toString('base64url');
  for (const cursor of [
    '',
    '!',
    good.slice(1),
    encodeCursor('text', ['2026-01-01T00:00:00Z', 'a', 1]),
    encodeCursor('newest', ['2026-01-01T00:00:00Z', 'a']),
    encodeCursor('newest', ['2026-01-01T00:00:00Z', 'a', 1, 2]),
    encodeCursor('newest', ['yesterday', 'a', 1]),
    encodeCursor('newest', ['2026-13-01T00:00:00Z', 'a', 1]),
    encodeCursor('newest', ['2026-01-01T00:00:00Z', 'a\u0000', 1]),
    encodeCursor('newest', ['2026-01-01T00:00:00Z', 'a', 1.5]),
    encode({ order: 'newest' }),
    encode(['newest', '2026-01-01T00:00:00Z', null, 1]),
    encode(['newest', '2026-01-01T00:00:00Z', 'a\ud800', 1]),
    encode(null),
  ])
    assert.throws(() => decodeCursor(cursor, 'newest', TYPES), isRefused, cursor);
});

test('whatever is sent as a cursor is read or refused, and nothing else happens', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String(), fc.json()), (cursor) => {
      try {
        decodeCursor(cursor, 'newest', TYPES);
      } catch (error) {
        assert.ok(isRefused(error));
      }
    }),
  );
});
