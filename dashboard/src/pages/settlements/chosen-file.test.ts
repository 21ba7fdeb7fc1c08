import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readChosen } from './chosen-file.ts';

const SIGNED = 'Date,Amount\r\n30/03/2026,-£50.00';

test('a file of a bank is read in the letters it was saved in, so that a sign before a pound stays one', async () => {
  const wide = Buffer.from(`\uFEFF${SIGNED}`, 'utf16le');
  const files = [
    Buffer.from(SIGNED),
    Buffer.from(SIGNED, 'latin1'),
    wide,
    Buffer.from(wide).swap16(),
  ];
  for (const bytes of files)
    assert.deepEqual(await readChosen(new File([bytes], 'march.csv')), {
      name: 'march.csv',
      text: SIGNED,
      isTooLarge: false,
    });
});

test('a file that is too large is not read', async () => {
  const { text, isTooLarge } = await readChosen(new File(['x'.repeat(900_001)], 'year.csv'));
  assert.deepEqual([text, isTooLarge], ['', true]);
});
