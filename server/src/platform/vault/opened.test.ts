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

test('it is forgotten after each minute, and when ten thousand are kept', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { vault, opened } = counting();
  const sealed = vault.seal('text', 'place');
  for (let minute = 1; minute <= 3; minute++) {
    for (let n = 0; n < 2; n++) openKept(vault, sealed, 'place');
    assert.equal(opened(), minute);
    t.mock.timers.tick(60_000);
  }
  openKept(vault, sealed, 'place');
  for (let n = 0; n < 10_000; n++) openKept(vault, vault.seal(String(n), 'place'), 'place');
  openKept(vault, sealed, 'place');
  assert.equal(opened(), 10_005);
});
