import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  indexEntries,
  readingsOf,
  readSearch,
  type Searchable,
  wordsOf,
  wordsOfName,
} from './words.ts';

const KIM: Searchable = {
  phone: '+447700900123',
  account: null,
  name: 'Kim O’Brien-Fern',
  email: 'Kim.Fern@Post.example',
  reference: 'C-1042',
};

test('words are compared without case, accents and apostrophes', () => {
  assert.deepEqual(wordsOf('  Zoë O’Brien-FERN, 2nd '), ['zoe', 'obrien', 'fern', '2nd']);
  assert.deepEqual(wordsOf("O'Brien o’brien"), ['obrien']);
  assert.deepEqual(wordsOf('李 小龍'), ['李', '小龍']);
  assert.deepEqual(wordsOf(' –!? '), []);
});

test('letters that carry no mark are folded, and any apostrophe is one', () => {
  assert.deepEqual(wordsOf('Łukasz Wałęsa Søren Đorđe'), ['lukasz', 'walesa', 'soren', 'dorde']);
  for (const mark of ["'", '’', '‘', '`', '´', 'ʼ', '′', '＇', '\u200b'])
    assert.deepEqual(wordsOf(`O${mark}Brien`), ['obrien'], mark);
});

test('a customer is found by every word, the email, the reference and the last digits', () => {
  assert.deepEqual(indexEntries(KIM), [
    'word:kim',
    'word:obrien',
    'word:fern',
    'word:o',
    'word:brien',
    'word:obrienfern',
    'begins:obr',
    'begins:fer',
    'begins:bri',
    'begins:obri',
    'begins:brie',
    'begins:obrie',
    'begins:obrien',
    'begins:obrienf',
    'begins:obrienfe',
    'begins:obrienfer',
    'email:kim.fern@post.example',
    'reference:C-1042',
    'ending:0900123',
    'ending:0123',
  ]);
  const account = { ...KIM, phone: null, name: null, email: null, reference: null };
  assert.deepEqual(indexEntries({ ...account, account: '08999966374958' }), [
    'ending:6374958',
    'ending:4958',
  ]);
});

test('digits are the end of a number, however they are grouped, from four on', () => {
  for (const [typed, entry, digits] of [
    ['0123', 'ending:0123', '0123'],
    ['00 123', 'ending:0123', '00123'],
    ['090 0123', 'ending:0900123', '0900123'],
    ['7700 900 123', 'ending:0900123', '7700900123'],
    ['****4958', 'ending:4958', '4958'],
  ] as const)
    assert.deepEqual(readSearch(typed).ending, { entry, digits }, typed);
  for (const typed of ['123', 'Flat 0123', '', '1234567890123456'])
    assert.equal(readSearch(typed).ending, null, typed);
});

const named = (name: string): Set<string> => new Set(indexEntries({ ...KIM, name, email: null }));
const isFound = (entries: ReadonlySet<string>, typed: string): boolean =>
  readSearch(typed).names.some((words) => words.every((one) => one.some((e) => entries.has(e))));

test('a name is found however it is spelt, and however it is typed', () => {
  for (const [name, ...searches] of [
    ['Olivia Featherstonehaugh-Cholmondeley', 'feather', 'FEA', 'cholm oliv', 'featherstonehaughc'],
    ['Sean O’Neill', 'o neill', 'oneill', "O'NEILL", 'o’neil', 'neill', 'sean onei'],
    ['Sean O Neill', 'oneill', "o'neill", 'ONeil'],
    ['Anne-Marie Weiß', 'annemarie', 'anne‑marie', 'weiss', 'WEISS', 'weis', 'marie anne'],
    ['J.R.R. Tolkien', 'jrr tolk', 'j.r.r. tolkien', 'j r r tolkien', 'J. Tolkien'],
    ['Ewan McDonald', 'mc donald', 'mcdon', 'mcdonald'],
    ['Ewan Mc Donald', 'mcdonald', 'donald'],
    ['Pieter VanDyk', 'van dyk', 'vandyk'],
    ['Dŵr Cymru', 'dwr', 'dŵr', 'cymr'],
    ['Ægir Sørensen Łukasz Đorđe Işık', 'aeg', 'soren', 'lukas', 'dord', 'isik'],
    ['Νίκος Παπαδόπουλος', 'νικος', 'νικοσ', 'ΝΙΚΟΣ', 'παπ', 'παπαδοπουλος', 'παπαδοπουλοσ'],
    ['Ι.Σ. Παπάς', 'σ', 'ς', 'Σ παπας', 'ι.σ. παπ', 'ισ'],
    ['Κώστας-Νίκος', 'κωσταςνικος', 'κωστασνικοσ', 'κωστας νικος'],
    ['김민준', '김민', '김'],
  ] as const)
    for (const typed of searches) assert.ok(isFound(named(name), typed), `${typed}: ${name}`);
});

test('nobody is found by two letters, the middle of a word, or a word too many', () => {
  for (const typed of ['fe', 'eather', 'featherx', 'feather kim', 'featherstonehaughs', '', '-'])
    assert.ok(!isFound(named('Olivia Featherstonehaugh'), typed), typed);
});

/** Any letter, and often one whose other case depends on what stands beside it, or has another length. */
const LETTERS = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  fc.constantFrom(...'Σσςİıßẞŉǰΐﬃᾳᏸ', ...".:-’' "),
);
const NAMES = fc
  .array(fc.array(LETTERS, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 5 })
  .map((words) => words.map((letters) => letters.join('')).join(' '));

test('every beginning of three letters or more of every word finds its customer', () => {
  fc.assert(
    fc.property(NAMES, (name) => {
      const entries = named(name);
      for (const word of wordsOf(name)) {
        assert.ok(isFound(entries, word), `${word}: ${name}`);
        for (let n = 3; n <= [...word].length; n++)
          assert.ok(isFound(entries, [...word].slice(0, n).join('')), `${n} of ${word}: ${name}`);
      }
    }),
    { numRuns: 1000 },
  );
});

test('nobody is found of whom no word begins so', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'aßo-’ '), minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(letters, letters, (name, typed) => {
      if (!isFound(named(name), typed)) return;
      const has = wordsOfName(name);
      const begins = (word: string): boolean =>
        has.some((one) => one === word || (word.length > 2 && one.startsWith(word)));
      assert.ok(
        readingsOf(typed).some((words) => words.every(begins)),
        `${typed}: ${name}`,
      );
    }),
    { numRuns: 3000 },
  );
});

test('whatever beginnings of a name are typed, in any order and case, the customer is found', () => {
  const words = fc.array(fc.stringMatching(/^[A-Za-zéÖß]{3,8}$/), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(words, fc.nat(), fc.nat(5), (name, n, length) => {
      const typed = name.toReversed().slice(n % name.length);
      const begun = typed.map((word) => word.slice(0, 3 + length)).join(' - ');
      assert.ok(isFound(named(name.join(' ')), begun.toUpperCase()), begun);
    }),
  );
});

test('a name has at most 256 beginnings, and its shortest ones among them', () => {
  const name = Array.from(
    { length: 20 },
    (_, n) => `${String.fromCodePoint(97 + n)}${'xyz'.repeat(20)}`,
  );
  const begun = [...named(name.join(' '))].filter((entry) => entry.startsWith('begins:'));
  assert.equal(begun.length, 256);
  for (const word of name) assert.ok(begun.includes(`begins:${word.slice(0, 3)}`), word);
});

test('an email and a reference are found whole, the email in any case', () => {
  const entries = indexEntries(KIM);
  const isFound = (typed: string) => readSearch(typed).anyOf.some((one) => entries.includes(one));
  for (const typed of [' KIM.FERN@post.example ', 'C-1042']) assert.ok(isFound(typed), typed);
  for (const typed of ['c-1042', 'C-10', 'fern@post.example', '', 'post'])
    assert.ok(!isFound(typed), typed);
});
