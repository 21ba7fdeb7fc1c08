import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overSocket } from './folder.ts';
import { lastError } from './programs.ts';
import { parsePidFile } from './server.ts';

test('a pid file that is half written names no server, and one that is whole says when it is ready', () => {
  assert.equal(parsePidFile(''), undefined);
  const half = { pid: 12, port: 0, hasSocket: false, ready: false };
  assert.deepEqual(parsePidFile('12\n/data\n'), half);
  const whole = (folder: string) => `12\n/data\n1700000000\n40001\n${folder}\n127.0.0.1\n  1 2\n`;
  const starting = { pid: 12, port: 40001, hasSocket: true, ready: false };
  assert.deepEqual(parsePidFile(`${whole('.')}starting\n`), starting);
  const ready = { pid: 12, port: 40001, hasSocket: false, ready: true };
  assert.deepEqual(parsePidFile(`${whole('')}ready   \n`), ready);
});

test('a socket whose path is longer than a system takes is not used', () => {
  const url = 'postgresql://recollect:secret@127.0.0.1:40001/recollect';
  assert.equal(overSocket(url, '/data/cluster'), `${url}?host=%2Fdata%2Fcluster`);
  assert.equal(overSocket(`${url}?a=b`, '/data'), `${url}?a=b&host=%2Fdata`);
  const longest = `/${'x'.repeat(103 - '//.s.PGSQL.40001'.length)}`;
  assert.notEqual(overSocket(url, longest), url);
  assert.equal(overSocket(url, `${longest}x`), url);
});

test('of PostgreSQL’s output the line that says what is wrong is kept', () => {
  const output =
    '2026-01-01 UTC [1] LOG:  starting\n2026-01-01 UTC [1] FATAL:  out of room\nchild gone\n';
  assert.equal(lastError(output), 'out of room');
  assert.equal(lastError('initdb: error: no such locale\n'), 'no such locale');
  assert.equal(lastError('\n'), undefined);
});
