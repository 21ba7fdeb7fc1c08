import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import { archive, type Entry } from './archive.ts';

const SECONDS = 1_796_000_000;
const ENTRIES: readonly Entry[] = [
  { path: 'b/program', content: '#!/bin/sh\n', isExecutable: true },
  { path: `a/${'long/'.repeat(60)}name.js`, content: 'long' },
  { path: 'link', link: 'b/program' },
  { path: 'a/text', content: 'héllo' },
];

async function read(bytes: Buffer): Promise<Map<string, Header & { text: string }>> {
  const found = new Map<string, Header & { text: string }>();
  const tar = extract();
  tar.end(gunzipSync(bytes));
  for await (const entry of tar) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    found.set(entry.header.name, { ...entry.header, text: Buffer.concat(chunks).toString() });
  }
  return found;
}

test('the same entries in another order are the same bytes, which name no machine', async () => {
  const first = await archive('top', ENTRIES, SECONDS);
  assert.deepEqual(first, await archive('top', ENTRIES.toReversed(), SECONDS));
  assert.notDeepEqual(first, await archive('top', ENTRIES, SECONDS + 1));
  assert.deepEqual([...first.subarray(4, 10)], [0, 0, 0, 0, 2, 255]);
});

test('every file stands below the folder, sorted, owned by root, with the time of the commit and one of two modes', async () => {
  const found = await read(await archive('top', ENTRIES, SECONDS));
  assert.deepEqual([...found.keys()], ENTRIES.map(({ path }) => `top/${path}`).sort());
  for (const { uid, gid, mtime, mode, type } of found.values()) {
    assert.deepEqual([uid, gid, mtime?.getTime()], [0, 0, SECONDS * 1000]);
    assert.ok(type === 'symlink' || mode === 0o644 || mode === 0o755);
  }
  assert.equal(found.get('top/b/program')?.mode, 0o755);
  assert.equal(found.get('top/link')?.linkname, 'b/program');
  assert.equal(found.get('top/a/text')?.text, 'héllo');
});
