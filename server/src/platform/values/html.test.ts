import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parse } from 'node-html-parser';
import { html } from './html.ts';

/** Texts in which what could end an attribute or begin an element is frequent. */
const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      ...'<>"\'&=`!/ \n',
      '$',
      '{',
      '}',
      'script',
      '&lt;',
      '&#60;',
      '</p>',
      '"onload=',
    ),
    fc.string({ unit: 'binary', maxLength: 2 }),
  ),
});
const SPECIAL = /[<>"'=`]|&(?!#\d+;)/;

test('no character of a value that means something in HTML survives as it is', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const made = html`<p>${text}</p>`;
      assert.doesNotMatch(made.slice('<p>'.length, -'</p>'.length), SPECIAL);
    }),
  );
});

test('a parser reads back the value that was put in, as text and as an attribute, and no element besides', () => {
  const readable = hostile.map((text) => text.replace(/[\0\r]/g, '').trim());
  fc.assert(
    fc.property(readable, (text) => {
      const page = parse(html`<p title="${text}">${text}</p>`);
      const [paragraph] = page.querySelectorAll('*');
      assert.equal(page.querySelectorAll('*').length, 1);
      assert.equal(paragraph?.getAttribute('title'), text);
      assert.equal(paragraph?.text, text);
    }),
  );
});

test('what is marked by ! is taken as it is, the mark is not shown, and what follows is escaped again', () => {
  fc.assert(
    fc.property(hostile, hostile, (inner, text) => {
      const part = html`<b>${inner}</b>`;
      assert.equal(html`<p>!${part}${text}</p>`, `<p>${part}${html`${text}`}</p>`);
    }),
  );
});

test('a value that ends in ! marks nothing: the value behind it is escaped', () => {
  assert.equal(html`${'hello!'}${'<b>'}`, 'hello!&#60;b&#62;');
  assert.equal(html`${'hello'} !${'<b>'}`, 'hello <b>');
});

test('lists stand one after the other, also as they are; null and undefined are nothing, false and 0 are shown', () => {
  const rows = ['a', '<'].map((cell) => html`<li>${cell}</li>`);
  assert.equal(html`<ul>!${rows}</ul>`, '<ul><li>a</li><li>&#60;</li></ul>');
  assert.equal(html`${['<', '>']}`, '&#60;&#62;');
  assert.equal(html`${null}${undefined}${0}${false}`, '0false');
});

test('a template is HTML to the letter: backslashes, and ! where no value follows', () => {
  assert.equal(html`<p>\n Great! </p>`, '<p>\\n Great! </p>');
  assert.equal(html``, '');
});
