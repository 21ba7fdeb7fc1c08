import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { indexEntries, readSearch, type Searchable, wordsOf } from './words.ts';

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

test('whatever words of a name are typed, in any order and case, the customer has each of them', () => {
  const name = fc.array(fc.stringMatching(/^[A-Za-zéÖß]{1,8}$/), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(name, fc.nat(), (words, n) => {
      const entries = indexEntries({ ...KIM, name: words.join(' ') });
      const typed = words.toReversed().slice(n % words.length);
      for (const entry of readSearch(typed.join(' - ').toUpperCase()).allOf)
        assert.ok(entries.includes(entry), entry);
    }),
  );
});

test('an email and a reference are found whole, the email in any case', () => {
  const entries = indexEntries(KIM);
  const isFound = (typed: string) => readSearch(typed).anyOf.some((one) => entries.includes(one));
  for (const typed of [' KIM.FERN@post.example ', 'C-1042']) assert.ok(isFound(typed), typed);
  for (const typed of ['c-1042', 'C-10', 'fern@post.example', '', 'post'])
    assert.ok(!isFound(typed), typed);
});
