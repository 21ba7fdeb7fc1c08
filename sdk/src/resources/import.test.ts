import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeCsv, importPieces } from './import-file.ts';

const HEADING = 'amount,description';

test('a file is cut between lines, never inside quotes, and each piece says where it begins', () => {
  const rows = Array.from({ length: 201 }, (_, n) => `${n},"one\r\ntwo ""three"", four\n"`);
  const pieces = importPieces([HEADING, ...rows].join('\r\n'));
  assert.deepEqual(
    pieces.map(({ first_line, size }) => [first_line, size]),
    [
      [2, 200],
      [2 + 200 * 3, 1],
    ],
  );
  assert.equal(pieces[1]?.csv, `${HEADING}\r\n${rows[200]}\r\n`);
});

test('blank lines count as lines, and a quote inside a cell is a letter', () => {
  const [piece] = importPieces(`\uFEFF${HEADING}\n\n5,6" pipe\n\n\n7,"a"`);
  assert.deepEqual(piece, {
    csv: `${HEADING}\r\n5,6" pipe\r\n\r\n\r\n7,"a"\r\n`,
    first_line: 3,
    size: 2,
  });
});

test('long lines make smaller pieces', () => {
  const row = `5,${'x'.repeat(30_000)}`;
  assert.deepEqual(
    importPieces([HEADING, row, row, row].join('\n')).map(({ size }) => size),
    [2, 1],
  );
});

test('a file that is too long, too large, empty or cut off is refused with what to do', () => {
  const refuses = (file: string, why: RegExp): void => assert.throws(() => importPieces(file), why);
  refuses(`${HEADING}\n${'5,x\n'.repeat(10_001)}`, /has 10,001 lines, and an import takes 10,000/);
  refuses('x'.repeat(5_000_001), /larger than 5 MB/);
  assert.throws(() => decodeCsv(new Uint8Array(5_000_001)), /larger than 5 MB/);
  refuses(' \n', /is empty/);
  refuses(`${HEADING}\n5,"x\n6,y\n`, /quote that begins on line 2 has no end/);
});

test('files of spreadsheets are read in the letters they were saved in', () => {
  assert.equal(decodeCsv(Buffer.from('é £', 'utf8')), 'é £');
  assert.equal(decodeCsv(Buffer.from('é £', 'latin1')), 'é £');
  const wide = Buffer.from('\uFEFFé £', 'utf16le');
  assert.equal(decodeCsv(wide), 'é £');
  assert.equal(decodeCsv(Buffer.from(wide).swap16()), 'é £');
});
