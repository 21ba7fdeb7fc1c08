import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../platform/config/config.ts';
import { kindOf, NOTICE_KINDS } from './kinds.ts';
import { SAMPLE_FACTS } from './samples.ts';
import { sentenceOf, textOf } from './text-words.ts';
import { letterOf } from './words.ts';

const SETTING = {
  baseUrl: 'https://pay.example',
  merchantName: 'Fernhill Gym',
  merchantEmail: 'hello@fernhill.example',
  timeZone: 'Europe/London',
  branding: { colour: null, logo: null },
  brand: readConfig({}).brand,
};
const URL = 'https://pay.example/consent/example';
const CHANGE = SAMPLE_FACTS.payment_changes;

test('every kind to customers is one sentence that names the merchant, and the link', () => {
  const texts = NOTICE_KINDS.filter((kind) => kindOf(kind).isForCustomers).map((kind) =>
    textOf(kind, SAMPLE_FACTS[kind], SETTING),
  );
  assert.deepEqual(texts, [
    `Fernhill Gym would like to collect payments from you. ${URL}`,
    `You agreed to payments to Fernhill Gym. ${URL}`,
    `Your payments to Fernhill Gym for "Gym membership" have ended. ${URL}`,
    `Fernhill Gym asks you to approve new terms. ${URL}`,
    `Your bank wants you to confirm your payments to Fernhill Gym for "Gym membership" again. ${URL}`,
    `Your permission for Fernhill Gym to collect for "Gym membership" is about to expire. ${URL}`,
    `On Tuesday 24 November 2026, Fernhill Gym will collect £39.99 instead of the usual £49.99 for "Gym membership". ${URL}`,
    `Fernhill Gym will collect £49.99 on Tuesday 24 November 2026, for "Gym membership". ${URL}`,
    `Your payment of £49.99 to Fernhill Gym did not go through. ${URL}`,
    `Fernhill Gym refunded you £49.99. ${URL}`,
    `Fernhill Gym has answered about a payment for "Gym membership". ${URL}`,
  ]);
});

test('a long description is cut before anything else, and the link never', () => {
  for (const description of ['Very long '.repeat(60), '“'.repeat(500), '🏋'.repeat(400)]) {
    const text = textOf('payment_changes', { ...CHANGE, description }, SETTING);
    assert.ok(text.length <= 300 && text.length > 290, `${text.length}`);
    assert.ok(text.endsWith(`...". ${URL}`), text);
    assert.match(text, /^On Tuesday 24 November 2026, Fernhill Gym will collect £39\.99 instead/);
    assert.ok(text.isWellFormed());
  }
});

test('a sentence that is too long without a description is cut too, and leaves the link whole', () => {
  const merchantName = 'Gym '.repeat(100);
  const text = textOf('consent_link', SAMPLE_FACTS.consent_link, { ...SETTING, merchantName });
  assert.ok(text.length <= 300 && text.endsWith(`... ${URL}`), text);
  const url = `https://pay.example/${'a'.repeat(400)}`;
  const long = textOf('payment_changes', { ...CHANGE, url }, SETTING);
  assert.ok(long.endsWith(`... ${url}`) && long.length - url.length === 41, long);
});

test('a long description leaves the subject of an email its end', () => {
  const facts = { ...SAMPLE_FACTS.payments_ended, description: '🏋'.repeat(120) };
  const { subject } = letterOf('payments_ended', facts, SETTING);
  assert.match(subject, /^Your payments to Fernhill Gym for “🏋+…” have ended$/u);
  assert.ok(subject.length <= 150 && subject.isWellFormed(), subject);
});

test('a line break or an invisible character in a name does not change how a message reads', () => {
  const merchantName = 'Gym\r\nYour bank:\u202e Ltd';
  const sentence = sentenceOf('refund_paid', SAMPLE_FACTS.refund_paid, {
    ...SETTING,
    merchantName,
  });
  assert.equal(sentence, 'Gym Your bank: Ltd refunded you £49.99.');
});

test('without a link the sentence stands alone', () => {
  const { url: _url, ...facts } = SAMPLE_FACTS.refund_paid;
  assert.equal(textOf('refund_paid', facts, SETTING), 'Fernhill Gym refunded you £49.99.');
});
