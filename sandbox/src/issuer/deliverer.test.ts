import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openClock } from '../clock.ts';
import { openStore } from '../store.ts';
import { createDeliverer } from './deliverer.ts';
import { addNotification } from './notifications.ts';
import { ISSUER_SCHEMA } from './schema.ts';

const FULL = `CREATE TRIGGER IF NOT EXISTS full BEFORE UPDATE ON notifications
  BEGIN SELECT RAISE(ABORT, 'the disk is full'); END;`;

it('survives a store that cannot be written, and does not send the same again and again', async () => {
  let received = 0;
  const partner = createServer((_, response) => {
    received += 1;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(partner, 'listening');
  const { port } = partner.address() as AddressInfo;
  const store = openStore(':memory:', ISSUER_SCHEMA + FULL);
  const deliverer = createDeliverer(store, openClock(store), {
    notification_url: `http://127.0.0.1:${port}/notices`,
    notification_secret: 'a secret',
  });
  const wallet = { wallet_id: 'wal_1', external_reference: 'mer_1/wal_1' };
  addNotification(store, 'wallet.changed', wallet, {}, '2026-01-01T00:00:00.000Z');
  deliverer.wake(); // as a request does, without waiting
  while (received === 0) await sleep(5);
  await sleep(100);
  assert.equal(received, 1);
  await assert.rejects(deliverer.deliverDue(), /the disk is full/);
  await deliverer.close();
  partner.close();
});
