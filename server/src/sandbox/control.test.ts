import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { makePartnerControl } from './control.ts';

/** Starts a partner whose next work is due at a moment; `whenSet` runs before it answers that its clock is set. */
async function partner(t: TestContext, due: string, whenSet: () => Promise<void>): Promise<string> {
  const server: Server = createServer(async (_request, response) => {
    await whenSet();
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ next_due: due }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('the issuer is asked once more after the bank, whose payments it may still be telling us of', async (t) => {
  const asked: string[] = [];
  const bankUrl = await partner(t, '2026-03-02T09:00:00Z', async () => void asked.push('bank'));
  const issuerUrl = await partner(t, '2026-03-01T09:00:00Z', async () => void asked.push('issuer'));
  const control = makePartnerControl({ bankUrl, issuerUrl, secret: 'x' });
  t.after(() => control.close());
  const now = Temporal.Instant.from('2026-02-01T09:00:00Z');
  assert.equal((await control.setClock(now, false))?.toString(), '2026-03-01T09:00:00Z');
  assert.deepEqual(asked, ['issuer', 'bank', 'issuer']);
});
