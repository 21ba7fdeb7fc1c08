import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTimeZone, wrongTimeZone } from './time-zone.ts';

test('time zones are places of the tz database, in its own spelling, or UTC', () => {
  for (const [text, zone] of [
    ['europe/london', 'Europe/London'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['Europe/Kyiv', 'Europe/Kyiv'],
    ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['utc', 'UTC'],
  ] as const) {
    assert.equal(parseTimeZone(text), zone);
    assert.equal(wrongTimeZone(text), null);
  }
  for (const text of [
    '',
    'Europe/Londres',
    '+01:00',
    'local',
    'Europe/London ',
    '../etc',
    'Factory',
  ])
    assert.equal(parseTimeZone(text), null, text);
});

test('what the library guesses a place for is refused with the right name', () => {
  assert.equal(
    wrongTimeZone('BST'),
    'is no time zone: British Summer Time is part of Europe/London, write Europe/London',
  );
  for (const [text, right] of [
    ['bst', /Europe\/London/],
    ['GMT', /Europe\/London.*UTC/],
    ['GMT0', /UTC/],
    ['GMT+0', /UTC/],
    ['Etc/GMT', /Greenwich/],
    ['Etc/UTC', /UTC/],
    ['Zulu', /UTC/],
    ['GB', /Europe\/London/],
    ['Eire', /Europe\/Dublin/],
    ['IST', /Europe\/Dublin, Asia\/Kolkata/],
    ['EST', /America\/New_York/],
    ['EST5EDT', /America\/New_York/],
    ['CET', /Europe\/Paris/],
    ['NZ', /Pacific\/Auckland/],
    ['US/Eastern', /America\/New_York/],
    ['PRC', /Asia\/Shanghai/],
    ['Etc/GMT+5', /must be a time zone/],
    ['SystemV/EST5', /must be a time zone/],
    ['+01:00', /must be a time zone/],
    ['constructor', /must be a time zone/],
  ] as const) {
    assert.equal(parseTimeZone(text), null, text);
    assert.match(wrongTimeZone(text) ?? '', right, text);
  }
});

test('every place that a browser offers is taken', () => {
  for (const zone of Intl.supportedValuesOf('timeZone'))
    if (zone.includes('/') && !zone.startsWith('Etc/'))
      assert.equal(parseTimeZone(zone), zone, zone);
});
