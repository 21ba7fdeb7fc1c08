import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../platform/config/config.ts';
import { makePaths, returnAddress } from './paths.ts';

test('the merchant gets the outcome in the query of its own address, which keeps the rest', () => {
  assert.equal(
    returnAddress('https://shop.example/thanks?order=7&status=old#top', 'sch_1', 'active'),
    'https://shop.example/thanks?order=7&status=active&schedule_id=sch_1#top',
  );
  assert.equal(
    returnAddress('https://shop.example', 'sch_1', 'cancelled'),
    'https://shop.example/?schedule_id=sch_1&status=cancelled',
  );
});

test('addresses stand below the path of the public address', () => {
  const paths = makePaths(readConfig({ BASE_URL: 'https://pay.example/recollect' }));
  assert.equal(paths.link('abc'), '/recollect/consent/abc');
  assert.equal(paths.link('abc', 'decline'), '/recollect/consent/abc/decline');
  assert.equal(paths.callback, '/recollect/consent/callback');
  assert.equal(
    makePaths(readConfig({ BASE_URL: 'http://localhost:4000' })).callback,
    '/consent/callback',
  );
});

test('a file is served under a name that changes with its content', () => {
  const { asset } = makePaths(readConfig({ BASE_URL: 'http://localhost:4000' }));
  assert.match(asset('style'), /^\/consent\/assets\/portal-[0-9a-f]{12}\.css$/);
  assert.match(asset('callback'), /^\/consent\/assets\/callback-[0-9a-f]{12}\.js$/);
});
