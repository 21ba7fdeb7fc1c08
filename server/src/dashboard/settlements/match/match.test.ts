import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readStatement } from './lines.ts';
import { type Expected, matchStatement } from './match.ts';

const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);
const settlement = (code: string, on: string, pence: number, isPaid = true): Expected => ({
  settlementId: `set_${code}`,
  reference: `S${on.slice(2).replaceAll('-', '')}BBBBBB${code}`,
  pence,
  isPaid,
  day: day(on),
});
const MONDAY = settlement('B2', '2026-03-30', 8250);
const TUESDAY = settlement('B3', '2026-03-31', 8250);
const THURSDAY = settlement('B4', '2026-04-02', 1000);
const ALL = [MONDAY, TUESDAY, THURSDAY];

function match(text: string, settlements = ALL) {
  const found = matchStatement(readStatement(text), settlements);
  return {
    matched: found.matched.map(
      (one) =>
        `${one.line.place} ${one.settlement.settlementId} ${one.by}${one.isRepeated ? ' again' : ''}${one.isOtherAmount ? ' other' : ''}`,
    ),
    unmatched: found.unmatched.map(({ place }) => place),
    missing: found.missing.map(({ settlementId }) => settlementId),
    unread: found.unread.map(({ why }) => why),
  };
}

test('the reference decides, in any case and with blanks, before amount and day', () => {
  const text = `30/03/2026 FP ${TUESDAY.reference.toLowerCase()} 82.50
31/03/2026 FP S260330 BBBB BBB2 82.50`;
  assert.deepEqual(match(text), {
    matched: ['Line 1 set_B3 reference', 'Line 2 set_B2 reference'],
    unmatched: [],
    missing: [],
    unread: [],
  });
});

test('without a reference, amount and day are a guess, and each settlement is guessed once', () => {
  const text =
    '31/03/2026 FP 82.50\n01/04/2026 FP 82.50\n01/04/2026 FP 82.50\n02/04/2026 shop 3.00';
  assert.deepEqual(match(text), {
    matched: ['Line 1 set_B2 amount_and_day', 'Line 2 set_B3 amount_and_day'],
    unmatched: ['Line 3', 'Line 4'],
    missing: ['set_B4'],
    unread: [],
  });
});

test('nothing is guessed before the pay-out, long after it, or of what has not left', () => {
  assert.deepEqual(match('29/03/2026 82.50\n07/04/2026 82.50').matched, []);
  assert.deepEqual(match('30/03/2026 82.50', [{ ...MONDAY, isPaid: false }]).matched, []);
});

test('the same reference twice, and another amount, are said', () => {
  const text = `30/03/2026 ${MONDAY.reference} 82.50\n31/03/2026 ${MONDAY.reference} 80.00`;
  assert.deepEqual(match(text).matched, [
    'Line 1 set_B2 reference',
    'Line 2 set_B2 reference again other',
  ]);
});

test('a line with neither reference nor amount is named; a reference is enough', () => {
  const { matched, unread } = match(`Date Description Amount\n${MONDAY.reference}`);
  assert.deepEqual(matched, ['Line 2 set_B2 reference']);
  assert.match(unread[0] ?? '', /^Line 1 has neither/);
});

test('every credit and every settlement of the period is in one place, whatever the statement', () => {
  const line = fc.record({
    of: fc.option(fc.nat(9), { nil: null }),
    on: fc.nat(9),
    pence: fc.constantFrom(100, 200, 300),
  });
  const some = fc.array(fc.constantFrom(100, 200, 300), { maxLength: 10 });
  fc.assert(
    fc.property(some, fc.array(line, { maxLength: 12 }), (amounts, lines) => {
      const settlements = amounts.map((pence, n) =>
        settlement(`C${n}`, `2026-03-0${(n % 9) + 1}`, pence),
      );
      const credits = lines.map(({ of, on, pence }, n) => ({
        place: `Line ${n + 1}`,
        date: day(`2026-03-0${(on % 9) + 1}`),
        pence: [pence],
        text: of === null ? '' : (settlements[of]?.reference ?? 'nothing of ours'),
      }));
      const statement = { format: 'lines' as const, credits, debits: 0, unread: [], period: null };
      const { matched, unmatched, missing, period } = matchStatement(statement, settlements);
      assert.equal(matched.length + unmatched.length, credits.length);
      const guessed = matched.filter(({ by }) => by === 'amount_and_day');
      for (const { line: one, settlement: of } of guessed)
        assert.ok(one.pence.includes(of.pence) && !missing.includes(of));
      const places = new Set([...matched.map((one) => one.settlement), ...missing]);
      for (const one of settlements) {
        const isInPeriod =
          period !== null &&
          Temporal.PlainDate.compare(one.day, period.from) >= 0 &&
          Temporal.PlainDate.compare(one.day, period.to) <= 0;
        if (isInPeriod) assert.ok(places.has(one), one.settlementId);
      }
      assert.equal(new Set(guessed.map((one) => one.settlement)).size, guessed.length);
    }),
  );
});
