import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { html } from './html.ts';

const SPECIAL = /[<>"'=`]|&(?!#\d+;)/;

test('whatever a value holds, the bank’s pages show it as text', () => {
  const unit = fc.oneof(fc.constantFrom(...'<>"\'&=`!$'), fc.string({ maxLength: 2 }));
  fc.assert(
    fc.property(fc.string({ unit }), fc.string({ unit }), (first, second) => {
      assert.doesNotMatch(html`${first}${second}`, SPECIAL);
    }),
  );
});

test('what is marked by ! is taken as it is, and a value that ends in ! marks nothing', () => {
  assert.equal(html`<p>!${html`<b>${'<'}</b>`}</p>`, '<p><b>&#60;</b></p>');
  assert.equal(html`${'hello!'}${'<b>'}`, 'hello!&#60;b&#62;');
  assert.equal(html`!${['<i>', '</i>']}${null}`, '<i></i>');
});
