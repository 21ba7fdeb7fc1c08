import fc from 'fast-check';
import type { PayOut, SettledParts } from '../src/dashboard/accounting/journal.ts';

const NOTHING: SettledParts = {
  amountPence: 0,
  grossPence: 0,
  feesPence: 0,
  carriedPence: 0,
  refundsPence: 0,
  refundsBackPence: 0,
  cameBackPence: 0,
  otherPence: 0,
};

type Moved = Omit<PayOut, keyof SettledParts | 'statementReference'> &
  Partial<Pick<PayOut, 'statementReference'>>;

/** Returns a pay-out made of these parts: what is paid out follows from them, and may be nothing or less. */
export function payOutOf(parts: Partial<Omit<SettledParts, 'amountPence'>>, moved: Moved): PayOut {
  const all = { ...NOTHING, ...parts };
  const given = all.grossPence + all.refundsBackPence + all.cameBackPence + all.otherPence;
  const amountPence = given - all.feesPence - all.refundsPence - all.carriedPence;
  return { statementReference: moved.reference, ...all, ...moved, amountPence };
}

const pence = fc.oneof(fc.constant(0), fc.nat(200), fc.nat(100_000_000));
const parts = fc.record({
  grossPence: pence,
  feesPence: pence,
  carriedPence: pence,
  refundsPence: pence,
  refundsBackPence: pence,
  cameBackPence: pence,
  otherPence: pence,
});
const moved = fc.record({
  kind: fc.constantFrom('paid_out' as const, 'came_back' as const),
  reference: fc.stringMatching(/^S26[0-9]{4}[B-Z2-9]{8}$/),
  nth: fc.integer({ min: 1, max: 3 }),
  day: fc.nat(400).map((days) => Temporal.PlainDate.from('2026-01-01').add({ days })),
});

/** Any pay-out, or one that came back. */
export const anyPayOut: fc.Arbitrary<PayOut> = fc
  .tuple(parts, moved)
  .map(([all, how]) => payOutOf(all, how));
