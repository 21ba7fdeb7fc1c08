import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { statementNameOf } from '../../merchants/statement-name.ts';
import { refusedWordIn } from '../../platform/values/wire-text.ts';
import {
  defaultReference,
  readableReference,
  referenceErrors,
  statementReference,
} from './statement-reference.ts';

const ID = 'sch_0324xwgHGvthP7HbMhurkO';
const NEVER = () => false;
const ALWAYS = () => true;

test('a reference is 6 to 18 characters of those that Faster Payments knows, and enough of it is left for every bank', () => {
  for (const fine of [
    'GYM042',
    'Fernhill 0042/b',
    "A.B-(c)'+&?:,/1",
    'x'.repeat(18),
    null,
    undefined,
  ])
    assert.deepEqual(referenceErrors(fine), {}, String(fine));
  for (const wrong of [
    '',
    'GYM42',
    'x'.repeat(19),
    ' GYM042',
    'GYM042 ',
    'GYM£042',
    'Zoë 0042',
    'GYM\n042',
    'GYM_042',
    'G(1)/,:',
    'Echo 0042',
    'shell exec 1',
    "EX'EC GYM 42",
    "s'y's't'e'm 1",
  ])
    assert.deepEqual(Object.keys(referenceErrors(wrong)), ['reference'], wrong);
});

test('no reference leaves with what a bank refuses, whatever is left out of it on the way', () => {
  const word = fc.constantFrom('echo', 'DELETE', 'Config', 'exec', 'system', 'passthru');
  const hidden = fc
    .tuple(word, fc.array(fc.constantFrom('', "'", ' ', '/', '&'), { minLength: 8, maxLength: 8 }))
    .map(([text, marks]) => [...text].map((letter, at) => letter + (marks[at] ?? '')).join(''));
  const given = fc
    .tuple(fc.stringMatching(/^[A-Z0-9 ]{0,8}$/), hidden)
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(given, (reference) => {
      if (Object.keys(referenceErrors(reference)).length > 0) return;
      assert.equal(refusedWordIn(statementReference({ scheduleId: ID, reference })), null);
    }),
    { numRuns: 2_000 },
  );
  fc.assert(
    fc.property(hidden, hidden, (name, customerReference) => {
      const statementName = statementNameOf({ name, statementName: null });
      const reference = defaultReference(
        { scheduleId: ID, statementName, customerReference },
        NEVER,
      );
      assert.equal(refusedWordIn(reference), null, reference);
    }),
  );
  const letters = fc.string({
    unit: fc.constantFrom(...'echoxsytmdln'),
    minLength: 6,
    maxLength: 18,
  });
  fc.assert(
    fc.property(fc.oneof(letters, fc.constant('xxxxxxxxEECHOEC')), (end) => {
      const scheduleId = `sch_${end.padStart(22, '0')}`;
      assert.equal(refusedWordIn(statementReference({ scheduleId, reference: null })), null);
    }),
  );
});

test('a schedule that an earlier version made is recognised by the end of its id', () => {
  const scheduleId = 'sch_0324xwgHGvthP7HbMhurkO';
  const derived = statementReference({ scheduleId, reference: null });
  assert.equal(derived, 'XWGHGVTHP7HBMHURKO');
  assert.deepEqual(referenceErrors(derived), {});
  assert.equal(statementReference({ scheduleId, reference: 'GYM 042' }), 'GYM 042');
});

test('an id that would spell what a bank refuses is written without it', () => {
  const derived = statementReference({ scheduleId: 'sch_0324xwgHGvEcHoHbMhurkO', reference: null });
  assert.equal(derived, 'XWGHGVXHBMHURKO');
  assert.deepEqual(referenceErrors(derived), {});
});

test('a statement shows a reference in the characters that every bank takes', () => {
  const shown = (reference: string) => statementReference({ scheduleId: 'sch_1', reference });
  assert.equal(shown('Fernhill 0042/b'), 'Fernhill 0042-b');
  assert.equal(shown("B&B O'Hara: 7"), 'B and B OHara 7');
});

test('a default reference is the statement name, and the reference of the customer or a code', () => {
  const of = (statementName: string, customerReference: string | null, isTaken = NEVER) =>
    defaultReference({ scheduleId: ID, statementName, customerReference }, isTaken);
  assert.equal(of('FERNHILL', 'C10400'), 'FERNHILL C10400');
  const [, code = ''] = of('FERNHILL', null).split(' ');
  assert.match(code, /^[2-9B-DF-HJ-NP-TV-Z]{6}$/);
  assert.equal(of('FERNHILL', 'C10400', ALWAYS), `FERNHILL ${code}`);
  assert.equal(of('FERN', 'C10400', ALWAYS), `FERN C10400 ${code}`);
  for (const unfit of ['C10400-2026-11', 'C/10400', 'Zoë', 'two  blanks', ' C1', 'exec 1', ''])
    assert.equal(of('FERNHILL', unfit), `FERNHILL ${code}`, unfit);
  assert.equal(of('A', '1'), `A ${code}`, 'too short for every bank');
});

test('whatever names there are, a default reference is what every bank takes, and begins with the statement name', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.stringMatching(/^[\w .-]{0,20}$/),
  );
  fc.assert(
    fc.property(
      fc.record({
        name: text,
        statementName: fc.option(fc.stringMatching(/^[A-Z0-9]{1,10}$/)),
        customerReference: fc.option(text),
        id: fc.stringMatching(/^[0-9A-Za-z]{22}$/),
        isTaken: fc.boolean(),
      }),
      ({ name, statementName: chosen, customerReference, id, isTaken }) => {
        const statementName = statementNameOf({ name, statementName: chosen });
        const reference = defaultReference(
          { scheduleId: `sch_${id}`, statementName, customerReference },
          () => isTaken,
        );
        assert.match(reference, /^[A-Za-z0-9 .-]{6,18}$/);
        assert.ok(reference.startsWith(`${statementName} `));
        // What is shown, consented and paid are the same bytes.
        assert.equal(statementReference({ scheduleId: `sch_${id}`, reference }), reference);
        if (chosen === null) assert.deepEqual(referenceErrors(reference), {});
        if (isTaken)
          assert.notEqual(reference, readableReference({ statementName, customerReference }));
      },
    ),
  );
});
