import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LARCH_PAY } from '../../test-support/settings/brand.ts';
import { tokenSheet } from '../platform/brand/tokens.ts';
import { readConfig } from '../platform/config/config.ts';
import { kindOf, NOTICE_KINDS } from './kinds.ts';
import { render, serviceBranding } from './letter.ts';
import { SAMPLE_FACTS } from './samples.ts';
import { textOf } from './text-words.ts';
import { brandingOf, letterOf } from './words.ts';

const LOGO = { url: 'https://pay.example/consent/logos/a/b', hash: 'b', width: 88, height: 88 };
const SETTING = {
  baseUrl: 'https://pay.example',
  merchantName: 'Fernhill Gym',
  merchantEmail: 'hello@fernhill.example',
  timeZone: 'Europe/London',
  branding: { colour: '#aa0000', logo: LOGO },
  brand: readConfig({}).brand,
};

test('every kind has its sentences, in both formats, with nothing left open', () => {
  for (const kind of NOTICE_KINDS) {
    const letter = letterOf(kind, SAMPLE_FACTS[kind], SETTING);
    const { subject, text, html } = render(letter, brandingOf(kind, SETTING));
    assert.ok(subject.length > 10, kind);
    for (const format of [subject, text, html]) assert.doesNotMatch(format, /undefined|null/, kind);
    assert.match(letter.button?.url ?? '', /^https:\/\/pay\.example\//, kind);
    assert.ok(text.includes(letter.button?.url ?? 'a link'), kind);
    const isForCustomers =
      /logos\/a\/b" alt="Fernhill Gym" width="44" height="44".*background:#aa0000/s.test(html);
    assert.equal(isForCustomers, kindOf(kind).isForCustomers, kind);
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

test('the end of single sign-on is told in other words than a change of it', () => {
  const issuer = 'https://login.example.com';
  const [set, ended] = [SAMPLE_FACTS.sso_changed, { by: 'Kim Fern', ended: issuer }].map((facts) =>
    letterOf('sso_changed', facts, SETTING),
  );
  assert.match(
    set?.lines[0] ?? '',
    /^Kim Fern set up sign-in with https:\/\/login\.example\.com, as/,
  );
  assert.equal(ended?.subject, 'Single sign-on of Fernhill Gym is off');
  assert.match(ended?.lines[0] ?? '', /^Kim Fern turned off sign-in with https:\/\/login\.example/);
});

test('a name with markup stays text, and a line break in it begins no header', () => {
  const facts = {
    ...SAMPLE_FACTS.api_key_created,
    name: '<img src=x>\r\nBcc: everybody@example.com',
  };
  const { subject, html } = render(letterOf('api_key_created', facts, SETTING), {
    ...serviceBranding(SETTING.brand, SETTING.baseUrl),
    name: '<b>Gym</b>',
  });
  assert.doesNotMatch(subject, /[\r\n]/);
  assert.doesNotMatch(html, /<img|<b>Gym/);
  assert.match(html, /&#60;img/);
});

test('every email and text of a service with a brand has its name, and another name nowhere', () => {
  const { brand } = readConfig(LARCH_PAY);
  const setting = { ...SETTING, brand, branding: { colour: null, logo: null } };
  for (const kind of NOTICE_KINDS) {
    const letter = letterOf(kind, SAMPLE_FACTS[kind], setting);
    const { subject, text, html } = render(letter, brandingOf(kind, setting));
    assert.match(text, /Sent by Larch Pay\. Help: help@larch\.example\n$/, kind);
    assert.match(html, /background:#5b21b6">[^<]+<\/a>/, kind);
    const isHeaded = /consent\/assets\/logo-\w+\.png" alt="Larch Pay" width="120"/.test(html);
    assert.equal(isHeaded, !kindOf(kind).isForCustomers, kind);
    for (const said of [subject, text, html, textOf(kind, SAMPLE_FACTS[kind], setting)])
      assert.doesNotMatch(said, /recollect/i, kind);
  }
});

test('a letter to a customer of a merchant without a colour has the button of the portal', () => {
  const setting = { ...SETTING, branding: { colour: null, logo: null } };
  const letter = letterOf('consent_link', SAMPLE_FACTS.consent_link, setting);
  const { html } = render(letter, brandingOf('consent_link', setting));
  const [, accent] = /--accent: (#\w+);/.exec(tokenSheet(setting.brand)) ?? [];
  assert.match(html, new RegExp(`background:${accent}">`));
});
