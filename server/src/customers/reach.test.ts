import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMobile } from './mobile.ts';
import { chooseReader } from './reach.ts';

const MOBILE = '+447700900123';
const LANDLINE = '+442079460958';
const both = { hasEmail: true, hasTexts: true };
const known = (email: string | null, phone: string | null) => ({ name: null, email, phone });

test('a customer is reached by email where they have an address, otherwise by text', () => {
  const email = { name: '', email: 'a@b.example' };
  const text = { name: '', phone: MOBILE };
  const textsAlone = { hasEmail: false, hasTexts: true };
  const emailAlone = { hasEmail: true, hasTexts: false };
  const nothing = { hasEmail: false, hasTexts: false };
  for (const [channels, to, reader] of [
    [both, known('a@b.example', MOBILE), email],
    [both, known(null, MOBILE), text],
    [both, known(null, LANDLINE), null],
    [both, known(null, null), null],
    [textsAlone, known('a@b.example', MOBILE), text],
    [textsAlone, known('a@b.example', LANDLINE), email],
    [emailAlone, known(null, MOBILE), null],
    [nothing, known('a@b.example', MOBILE), email],
    [nothing, known(null, MOBILE), null],
  ] as const)
    assert.deepEqual(chooseReader(channels, to), reader);
});

test('only numbers that take text messages are texted', () => {
  for (const phone of [MOBILE, '+447911123456', '+353871234567', '+33612345678', '+12025550123'])
    assert.equal(isMobile(phone), true, phone);
  // A landline, a premium number, a free one, a pager, a personal number, landlines abroad, and no number at all.
  for (const phone of [
    LANDLINE,
    '+449098790000',
    '+448001111111',
    '+447640123456',
    '+447000123456',
    '+35315551234',
    '+33142685300',
    '+6834002',
    '',
  ])
    assert.equal(isMobile(phone), false, phone);
});
