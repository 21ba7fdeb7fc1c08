import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hasWireText, wireName, wireText } from './wire-text.ts';

/** What the strictest bank that we know of takes for a name or reference. */
const STRICTEST = /^(?!\s)[A-Za-z0-9 .-]*$/;

const NAMES: [name: string, atTheBank: string][] = [
  ['Marks & Spencer', 'Marks and Spencer'],
  ['Dŵr Cymru', 'Dwr Cymru'],
  ['Café Zoë', 'Cafe Zoe'],
  ['O’Brien’s “Best” Gym', 'OBriens Best Gym'],
  ['Łódź Straße', 'Lodz Strasse'],
  ['Bed+Breakfast', 'Bed plus Breakfast'],
  ['A/B: Supplies (UK), Ltd.', 'A-B Supplies UK Ltd.'],
  ['Fish – Chips — Peas', 'Fish - Chips - Peas'],
  ['ﬁne Æon №5', 'fine Aeon No5'],
  ['  Ada\tSmith\n', 'Ada Smith'],
  ['Ltd\u200b Co\u202e', 'Ltd Co'],
  ['🎾 Tennis', 'Tennis'],
];

test('a name is written as a reader would write it without its signs', () => {
  for (const [name, atTheBank] of NAMES) assert.equal(wireText(name, 40), atTheBank, name);
});

test('whatever a text is, what leaves passes at the strictest bank, fits, and stays as it is when it leaves again', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.string({ unit: 'grapheme', maxLength: 80 }),
    fc.constantFrom(...NAMES.map(([name]) => name)),
  );
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 140 }), (text, longest) => {
      const sent = wireText(text, longest);
      assert.match(sent, STRICTEST);
      assert.ok(sent.length <= longest);
      assert.equal(sent, sent.trim());
      assert.equal(wireText(sent, longest), sent);
      assert.equal(
        wireText(text.normalize('NFD'), longest),
        wireText(text.normalize('NFC'), longest),
      );
    }),
    { numRuns: 2_000 },
  );
});

test('a name of which no letter or digit would be left has nothing to send', () => {
  for (const name of ['', ' ', '...', '🎾', 'Кафе', '&', '—'])
    assert.equal(hasWireText(name), name === '&', name);
  assert.ok(hasWireText('Кафе 24'));
  assert.equal(wireName('Great Western Railway Commuters Association of Bath').length, 40);
  assert.equal(
    wireName('Кафе'),
    'Account holder',
    'an account is paid, whatever its holder is called',
  );
});
