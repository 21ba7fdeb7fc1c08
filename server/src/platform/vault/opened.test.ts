import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openKept } from './opened.ts';
import { makeVault } from './vault.ts';

/** Returns a vault that counts how often it opens something. */
function counting() {
  const real = makeVault(new Map([['k1', Buffer.alloc(32, 1)]]), Buffer.alloc(32, 3));
  let opened = 0;
  const open = (sealed: string, context: string): string => {
    opened++;
    return real.open(sealed, context);
  };
  return { vault: { ...real, open }, opened: () => opened };
}

test('what is shown again is opened once, and in no other context', () => {
  const { vault, opened } = counting();
  const sealed = vault.seal('+447700900123', 'customer');
  for (let n = 0; n < 3; n++) assert.equal(openKept(vault, sealed, 'customer'), '+447700900123');
  assert.equal(opened(), 1);
  assert.throws(() => openKept(vault, sealed, 'another'));
  assert.equal(openKept(counting().vault, sealed, 'customer'), '+447700900123');
});

test('it is forgotten after a minute, and when ten thousand are kept', (t) => {
  const { vault, opened } = counting();
  const start = performance.now();
  const clock = t.mock.method(performance, 'now', () => start);
  const sealed = vault.seal('text', 'place');
  openKept(vault, sealed, 'place');
  clock.mock.mockImplementation(() => start + 60_000);
  openKept(vault, sealed, 'place');
  assert.equal(opened(), 2);
  for (let n = 0; n < 10_000; n++) openKept(vault, vault.seal(String(n), 'place'), 'place');
  openKept(vault, sealed, 'place');
  assert.equal(opened(), 10_003);
});
