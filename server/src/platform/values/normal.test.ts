import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  canonicalJson,
  foldText,
  parseAccountNumber,
  parseSortCode,
  plainPhone,
  plainText,
} from './normal.ts';

test('a text is read as it looks, whatever marks nobody sees are in it', () => {
  assert.equal(plainText('\u202a+447700900300\u202c'), '+447700900300');
  assert.equal(plainText('07700\u2011900\u2013300'), '07700-900-300');
  assert.equal(plainText('＋４４\u00a07700\u3000900300\ufeff'), '+44 7700 900300');
  assert.equal(plainText('\u200b 20−00\u00ad−00 '), '20-00-00');
});

test('a phone number begins with + for 00, and keeps no 0 in brackets', () => {
  assert.equal(plainPhone('0044 7700 900123'), '+44 7700 900123');
  assert.equal(plainPhone('+44 (0)7700 900123'), '+44 7700 900123');
  assert.equal(plainPhone('00353 (0)87 123 4567'), '+353 87 123 4567');
  assert.equal(plainPhone("'07700 900123"), '07700 900123');
  assert.equal(plainPhone('07700 900123'), '07700 900123');
});

test('sort codes and account numbers are the same digits however they are written', () => {
  for (const text of ['200000', '20-00-00', '20 00 00', '20–00–00', '２０００００', '\u200e200000'])
    assert.equal(parseSortCode(text), '200000', text);
  for (const text of ['01234567', '1234567', '0123 4567', '0123-4567'])
    assert.equal(parseAccountNumber(text), '01234567', text);
  assert.equal(parseAccountNumber('123456'), '00123456');
  for (const text of ['12345', '123456789', '1234567a', '', '+1234567', '٠١٢٣٤٥٦٧'])
    assert.equal(parseAccountNumber(text), null, text);
});

test('letters that no mark can be dropped from are folded too', () => {
  for (const [name, folded] of [
    ['Łukasz Wałęsa', 'lukasz walesa'],
    ['Søren Ærø', 'soren aero'],
    ['Đorđe Ðóra Þór', 'dorde dora thor'],
    ['Œuvre Ħal', 'oeuvre hal'],
    ['Straße STRAẞE', 'strasse strasse'],
    ['Işık İpek ISIK', 'isik ipek isik'],
    [
      "O’Neill O‘Neill O`Neill O´Neill O'Neill Oʼneill",
      'oneill oneill oneill oneill oneill oneill',
    ],
    ['ﬁne Ｆｕｌｌ', 'fine full'],
  ] as const)
    assert.equal(foldText(name), folded, name);
});

test('a letter is folded in the same way wherever it stands', () => {
  const unit = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(...'Σσςİıßŉ.: -’'));
  fc.assert(
    fc.property(fc.array(unit), (letters) => {
      assert.equal(foldText(letters.join('')), letters.map(foldText).join(''));
    }),
  );
});

test('what is folded or made plain once stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      assert.equal(foldText(foldText(text)), foldText(text));
      assert.equal(plainText(plainText(text)), plainText(text));
    }),
  );
});

test('equal values of JSON are written the same, and others never are', () => {
  assert.equal(
    canonicalJson({ b: 1, a: [{ d: 1, c: 2 }] }),
    canonicalJson({ a: [{ c: 2, d: 1 }], b: 1 }),
  );
  assert.equal(canonicalJson(JSON.parse('{"a":1.0}')), canonicalJson({ a: 1 }));
  assert.notEqual(canonicalJson([1, 2]), canonicalJson([2, 1]));
  assert.notEqual(canonicalJson({ a: 1 }), canonicalJson([['a', 1]]));
  assert.equal(canonicalJson(undefined), '');
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const same = JSON.parse(JSON.stringify(one));
      assert.equal(canonicalJson(one), canonicalJson(same));
      const equal = (() => {
        try {
          assert.deepEqual(same, JSON.parse(JSON.stringify(other)));
          return true;
        } catch {
          return false;
        }
      })();
      assert.equal(canonicalJson(one) === canonicalJson(other), equal);
    }),
  );
});
