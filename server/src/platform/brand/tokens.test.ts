import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { readConfig } from '../config/config.ts';
import { colourError, contrastBetween, isLegible } from './colour.ts';
import { tokenSheet } from './tokens.ts';

const ROOT = new URL('../../../../', import.meta.url).pathname;

/** Reads the variables of a sheet, light and dark. */
function readSheet(sheet: string): [light: Map<string, string>, dark: Map<string, string>] {
  const [light = '', dark = ''] = sheet.split('data-theme="dark"');
  const read = (text: string) =>
    new Map(
      [...text.matchAll(/--([\w-]+): (.+);/g)].map(([, name = '', value = '']) => [name, value]),
    );
  return [read(light), read(dark)];
}

const TEXT_ON: readonly (readonly [string, readonly string[]])[] = [
  ['ink', ['ground', 'card', 'raised', 'hover', 'accent-soft', 'neutral-soft', 'danger-soft']],
  ['quiet', ['ground', 'card', 'raised', 'hover', 'accent-soft']],
  ['accent-ink', ['ground', 'card', 'raised', 'hover', 'accent-soft']],
  ['on-accent', ['accent', 'accent-hover']],
  ['info', ['info-soft', 'card']],
  ['success', ['success-soft', 'card']],
  ['warning', ['warning-soft', 'card']],
  ['danger', ['danger-soft', 'card', 'ground']],
  ['card', ['danger']],
  ['on-danger', ['danger', 'danger-hover']],
];

test('whatever colour is taken for a brand, text can be read on every ground, light and dark', () => {
  const colour = fc
    .integer({ min: 0, max: 0xffffff })
    .map((value) => `#${value.toString(16).padStart(6, '0')}`)
    .filter((one) => colourError(one) === null);
  fc.assert(
    fc.property(fc.option(colour, { nil: '' }), (chosen) => {
      const sheets = readSheet(tokenSheet(readConfig({ BRAND_COLOUR: chosen }).brand));
      for (const [at, sheet] of sheets.entries())
        for (const [text, grounds] of TEXT_ON)
          for (const ground of grounds) {
            const [own = '', below = ''] = [sheet.get(text), sheet.get(ground)];
            assert.ok(isLegible(own, below), `${['light', 'dark'][at]}: ${text} on ${ground}`);
          }
      for (const sheet of sheets) {
        const [control = '', card = ''] = [sheet.get('control'), sheet.get('card')];
        assert.ok(contrastBetween(control, card) >= EDGE);
      }
    }),
  );
});

/** Set by React Aria. */
const OTHERS = ['--trigger-width'];
/** What WCAG 2 asks of the edge of a control (level AA). */
const EDGE = 3;

test('every variable that a sheet of style uses is a token, or is set beside it', () => {
  const [tokens] = readSheet(tokenSheet(readConfig({}).brand));
  const sheets = globSync(['server/src/portal/assets/*.css', 'dashboard/src/**/*.css'], {
    cwd: ROOT,
  });
  assert.ok(sheets.length > 20, 'the sheets are found');
  const texts = sheets.map((file) => readFileSync(`${ROOT}${file}`, 'utf8'));
  const set = new Set(
    texts.flatMap((text) => [...text.matchAll(/(--[\w-]+):/g)].map(([, name]) => name)),
  );
  for (const [at, text] of texts.entries())
    for (const [, name = ''] of text.matchAll(/var\((--[\w-]+)\)/g))
      assert.ok(
        OTHERS.includes(name) || tokens.has(name.slice(2)) || set.has(name),
        `${sheets[at]}: ${name}`,
      );
});
