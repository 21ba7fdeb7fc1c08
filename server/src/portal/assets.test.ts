import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ASSETS } from './assets.ts';

const WEIGHTS = [0.2126, 0.7152, 0.0722];
const AA_TEXT = 4.5;
const AA_CONTROL = 3;

/** Returns a scheme's colours by name, `#rrggbb`. */
function palette(text: string): Map<string, string> {
  return new Map(
    [...text.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name = '', colour = '']) => [
      name,
      colour,
    ]),
  );
}

function luminance(colour: string): number {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
  const linear = parts.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return linear.reduce((sum, c, i) => sum + c * (WEIGHTS[i] ?? 0), 0);
}

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

const [light = '', dark = ''] = ASSETS.style.body.split('@media (prefers-color-scheme: dark)');
const TEXT_ON: [string, string][] = [
  ...['ground', 'card', 'raised'].flatMap((ground): [string, string][] => [
    ['ink', ground],
    ['quiet', ground],
    ['accent', ground],
  ]),
  ['accent', 'accent-soft'],
  ['quiet', 'accent-soft'],
  ['ink', 'accent-soft'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-deep'],
  ['bad', 'card'],
  ['bad', 'bad-soft'],
  ['card', 'bad'],
  ['ink', 'bad-soft'],
  ['ink', 'warn-soft'],
  ['warn', 'warn-soft'],
];

for (const [scheme, colours] of [
  ['light', palette(light)],
  ['dark', palette(dark)],
] as const)
  test(`every text of the ${scheme} scheme can be read (WCAG AA), and every control be seen`, () => {
    const of = (name: string): string => {
      const colour = colours.get(name);
      assert.ok(colour, `the ${scheme} scheme has no ${name}`);
      return colour;
    };
    for (const [text, ground] of TEXT_ON)
      assert.ok(
        contrast(of(text), of(ground)) >= AA_TEXT,
        `${text} on ${ground}: ${contrast(of(text), of(ground))}`,
      );
    assert.ok(contrast(of('control'), of('card')) >= AA_CONTROL);
  });

test('nothing that is served here asks another host for anything', () => {
  for (const { body, file } of Object.values(ASSETS)) {
    const addresses = [...body.matchAll(/(?:https?:)?\/\/[a-z0-9.-]+\.[a-z]+|@import|url\(/g)].map(
      String,
    );
    assert.deepEqual(
      addresses.filter((address) => !address.endsWith('//www.w3.org')),
      [],
      file,
    );
  }
});
