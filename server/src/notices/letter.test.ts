import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOTICE_KINDS } from './kinds.ts';
import { render } from './letter.ts';
import { SAMPLE_FACTS } from './samples.ts';
import { letterOf } from './words.ts';

const SETTING = {
  baseUrl: 'https://pay.example',
  merchantName: 'Fernhill Gym',
  merchantEmail: 'hello@fernhill.example',
  timeZone: 'Europe/London',
};

test('every kind has its sentences, in both formats, with nothing left open', () => {
  for (const kind of NOTICE_KINDS) {
    const letter = letterOf(kind, SAMPLE_FACTS[kind], SETTING);
    const { subject, text, html } = render(letter, SETTING);
    assert.ok(subject.length > 10, kind);
    for (const format of [subject, text, html]) assert.doesNotMatch(format, /undefined|null/, kind);
    assert.match(letter.button?.url ?? '', /^https:\/\/pay\.example\//, kind);
    assert.ok(text.includes(letter.button?.url ?? 'a link'), kind);
    assert.ok(text.includes(letter.footer) && html.includes('</html>'), kind);
  }
});

test('an instant is in the time of the merchant', () => {
  const facts = {
    ...SAMPLE_FACTS.settlement_account_change_requested,
    takes_effect_at: '2026-07-01T09:00:00.000Z',
  };
  const { lines } = letterOf('settlement_account_change_requested', facts, SETTING);
  assert.match(lines.join(' '), /on 1 July 2026 at 10:00, unless/);
});

test('a name with markup stays text, and a line break in it begins no header', () => {
  const facts = {
    ...SAMPLE_FACTS.api_key_created,
    name: '<img src=x>\r\nBcc: everybody@example.com',
  };
  const { subject, html } = render(letterOf('api_key_created', facts, SETTING), {
    merchantName: '<b>Gym</b>',
  });
  assert.doesNotMatch(subject, /[\r\n]/);
  assert.doesNotMatch(html, /<img|<b>Gym/);
  assert.match(html, /&#60;img/);
});
