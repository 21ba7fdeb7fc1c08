import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PaperDocument, renderPdf } from './pdf.ts';

const paper: PaperDocument = {
  title: 'Statement of Dŵr Öst',
  author: 'Fernhill Broadband',
  madeAt: Temporal.Instant.from('2026-11-30T09:00:00Z'),
  parts: [
    { kind: 'text', text: 'What was paid, for Łukasz and Ζωή.' },
    { kind: 'heading', text: 'In short' },
    { kind: 'facts', facts: [['Paid out', '£49.99']] },
    {
      kind: 'table',
      columns: [{ header: 'Day' }, { header: 'Amount', isNumber: true }],
      rows: Array.from({ length: 80 }, (_, n) => [`Day ${n}`, '£1.00']),
    },
  ],
};

/** Counts the structure elements of a kind; the objects of the structure are not compressed. */
const countOf = (pdf: string, tag: string): number => pdf.split(`/S /${tag}\n`).length - 1;

test('a PDF tells a screen reader its language, title, headings, paragraphs and header cells', async () => {
  const pdf = (await renderPdf(paper)).toString('latin1');
  assert.match(pdf, /^%PDF-1\.7/);
  for (const mark of ['/Lang (en-GB)', '/DisplayDocTitle true', '/Marked true'])
    assert.ok(pdf.includes(mark), mark);
  const counted = ['H1', 'H2', 'P', 'Table', 'TH', 'TD'].map((tag) => countOf(pdf, tag));
  assert.deepEqual(counted, [1, 1, 1, 2, 1 + 2, 1 + 160]);
});

test('the same document is the same bytes', async () => {
  assert.ok((await renderPdf(paper)).equals(await renderPdf(paper)));
});
