import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CookieJar } from './cookie-jar.ts';

const url = (path: string): URL => new URL(path, 'http://localhost:4002');

test('A cookie goes back to its host and path only, the most particular first', () => {
  const jar = new CookieJar();
  jar.keep(url('/a'), ['a=1; Path=/', 'b=2; path=/bank/one; HttpOnly', 'c=x=y']);
  assert.equal(jar.header(url('/bank/one/two')), 'b=2; a=1; c=x=y');
  assert.equal(jar.header(url('/bank/onetwo')), 'a=1; c=x=y');
  assert.equal(jar.header(new URL('http://127.0.0.1/bank/one')), '');
});

test('A cookie of the same name and path is replaced, and one that has ended is dropped', () => {
  const jar = new CookieJar();
  jar.keep(url('/'), 'a=1');
  jar.keep(url('/'), 'a=2');
  assert.equal(jar.header(url('/')), 'a=2');
  jar.keep(url('/'), 'a=; expires=Thu, 01 Jan 1970 00:00:00 GMT');
  assert.equal(jar.header(url('/')), '');
  jar.keep(url('/'), ['b=1', 'b=1; Max-Age=0']);
  assert.equal(jar.header(url('/')), '');
});
