import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signWebhook, verifyWebhook } from '@recollect/sdk';
import { SECRET, signedHeaders } from '../../test-support/signing.ts';

const DATA = { endpoint_id: 'end_1', url: 'https://a.example', message: '☕' };

test('what is signed for a test is what the service would send', async () => {
  const now = new Date('2026-11-29T09:00:00Z');
  const { payload, headers } = await signWebhook({
    event: 'endpoint.test',
    data: DATA,
    secret: SECRET,
    id: 'evt_1',
    sequence: 3,
    now,
  });
  assert.equal(payload, JSON.stringify({ event: 'endpoint.test', data: DATA }));
  assert.deepEqual(headers, signedHeaders(payload, now.getTime() / 1000));
});

test('what is signed for a test is verified, under an id of its own', async () => {
  const webhook = { event: 'endpoint.test', data: DATA, secret: SECRET } as const;
  const one = await signWebhook(webhook);
  const verified = await verifyWebhook({ ...one, secret: SECRET });
  assert.deepEqual(
    [verified.event, verified.data, verified.sequence],
    ['endpoint.test', DATA, null],
  );
  assert.notEqual((await signWebhook(webhook)).headers['webhook-id'], verified.id);
});

test('what is no secret of an endpoint signs nothing', async () => {
  for (const secret of ['', 'secret', 'whsec_', 'whsec_!'])
    await assert.rejects(signWebhook({ event: 'endpoint.test', data: DATA, secret }), TypeError);
});
