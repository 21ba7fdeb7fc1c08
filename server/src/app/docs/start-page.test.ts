import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { readConfig } from '../../platform/config/config.ts';
import { addStartPage } from './start-page.ts';

async function visit(baseUrl: string) {
  const app = Fastify();
  addStartPage(app, { ...readConfig({}), baseUrl });
  const page = await app.inject({ url: '/' });
  await app.close();
  return page;
}

test('the service’s address shows where to go on, and loads nothing', async () => {
  const { statusCode, body, headers } = await visit('https://pay.example/recollect/');
  assert.equal(statusCode, 200);
  const links = Array.from(body.matchAll(/href="([^"]+)"/g), ([, link]) => link);
  assert.deepEqual(links, [
    'https://pay.example/recollect/dashboard',
    'https://pay.example/recollect/docs/guides',
    'https://pay.example/recollect/docs',
    'https://pay.example/recollect/openapi.json',
    'https://pay.example/recollect/postman.json',
  ]);
  assert.match(String(headers['content-security-policy']), /default-src 'none'/);
  assert.doesNotMatch(body, /<script|src=/);
  assert.match(body, /This is a sandbox/);
});
