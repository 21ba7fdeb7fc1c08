import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { plainCell, toCsv } from './csv.ts';

const FORMULAS = ['=1+1', '+1', '-1', '@SUM(1)', '＝1', '＋1', '－1', '＠A', '﹢1', '﹦1', '−1'];
const BEFORE = [
  '', '\n', '\r', '\t', '\r\n', ' ', '\u{a0}', '\u{200b}', '\u{200d}', '\u{2060}', '\u{feff}', '\u{202e}',
  '\u{ad}', '\u{2028}', '\u{3000}', '\u{3164}', '\u{2800}', '\u{34f}', '\u{fe0f}', '\u{e0020}', '\0', '\u{1}', '\u{85}',
]; // biome-ignore format: one list

for (const before of BEFORE)
  test(`a formula behind ${JSON.stringify(before)} is no formula`, () => {
    for (const formula of FORMULAS)
      assert.equal(plainCell(`${before}${formula}`), `'${before}${formula}`);
    assert.equal(plainCell(`${before}${before} \n\u{200b}=1`)[0], "'");
  });

test('other texts stay as they are', () => {
  for (const text of [
    '',
    'Alex',
    'a=b',
    "'-Bar Club",
    '1-2',
    'O’Brien',
    '\u{200b}Kim',
    '£5',
    '#1',
    'é',
  ])
    assert.equal(plainCell(text), text);
});

test('what begins with a tab or a line is a text, whatever follows', () => {
  for (const text of ['\tAlex', '\nAlex', '\r\nAlex']) assert.equal(plainCell(text), `'${text}`);
});

test('whatever stands before it, a cell never begins like a formula', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(...FORMULAS), (before, formula) => {
      const cell = plainCell(`${before}${formula}`);
      const visible = cell.replace(/^[\s\p{C}\p{Z}]+/u, '')[0] ?? '';
      assert.ok(!'=+-@'.includes(visible.normalize('NFKC')[0] ?? 'x') || visible === '');
    }),
  );
});

test('numbers are no formulas, and names of columns are texts', () => {
  const rows = [{ '=a': -5, b: '-5' }];
  assert.equal(toCsv(rows), "'=a,b\r\n-5,'-5\r\n");
  const form = {
    number: (value: number, column: string) => `${column}${value}`,
    lines: 'unix',
  } as const;
  assert.equal(toCsv([{ n: 1 }], { ...form, header: false }), 'n1\n');
  assert.equal(toCsv([{ n: 1, m: 2 }], { columns: ['m'] }), 'm\r\n2\r\n');
});
