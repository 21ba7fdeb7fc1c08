import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../platform/config/config.ts';
import { assetsOf } from './assets.ts';

test('nothing that is served here asks another host for anything', () => {
  const assets = Object.values(assetsOf(readConfig({}).brand)).filter((asset) => asset !== null);
  for (const { body, file } of assets) {
    const addresses = [
      ...String(body).matchAll(/(?:https?:)?\/\/[a-z0-9.-]+\.[a-z]+|@import|url\(/g),
    ].map(String);
    assert.deepEqual(
      addresses.filter((address) => !address.endsWith('//www.w3.org')),
      [],
      file,
    );
  }
});
