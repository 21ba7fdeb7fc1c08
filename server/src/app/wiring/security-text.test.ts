import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { readConfig } from '../../platform/config/config.ts';
import { addSecurityText } from './security-text.ts';

const NOW = Temporal.Instant.from('2026-03-02T10:00:00Z');

async function visit(env: Record<string, string>) {
  const app = Fastify();
  addSecurityText(app, readConfig(env), () => NOW);
  const text = await app.inject({ url: '/.well-known/security.txt' });
  await app.close();
  return text;
}

test('security.txt says where to report a weakness, and never expires while it is served', async () => {
  const { statusCode, headers, body } = await visit({ SECURITY_CONTACT: 'security@fern.example' });
  assert.equal(statusCode, 200);
  assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
  assert.equal(
    body,
    'Contact: mailto:security@fern.example\nExpires: 2026-08-29T00:00:00Z\nPreferred-Languages: en\n',
  );
});

test('without a contact there is no security.txt', async () => {
  assert.equal((await visit({})).statusCode, 404);
});
