import type { Plan } from './book.ts';
import type { Act } from './plan.ts';

const HOUR = 3_600_000;

/** What merchants call a payment, and whether it is the first of its schedule. */
interface Named {
  paymentId: string;
  isFirst: boolean;
}

/** Returns what is wrong with a schedule's first payment: one, of its amount, once the customer has agreed, and never two. */
export function firstPaymentFindings(
  { scheduleId, firstPence }: Plan,
  acts: readonly Act[],
  names: readonly Named[],
  made: ReadonlyMap<string, readonly { pence: number }[]>,
  now: number,
): string[] {
  const firsts = names.filter(({ isFirst }) => isFirst);
  const wrong: string[] = [];
  if (firsts.length > (firstPence === null ? 0 : 1))
    wrong.push(`${scheduleId} has ${firsts.length} first payments`);
  for (const { paymentId } of firsts)
    for (const { pence } of made.get(paymentId) ?? [])
      if (pence !== firstPence) wrong.push(`${paymentId}: its bank took ${pence} of ${firstPence}`);
  const agreed = acts.find((act) => act.kind === 'agreed');
  if (firstPence === null || agreed?.kind !== 'agreed' || agreed.until > now - HOUR) return wrong;
  const isDisturbed = acts.some(
    ({ kind, at }) => kind === 'doubted' || (kind !== 'agreed' && at <= agreed.until + HOUR),
  );
  if (!isDisturbed && firsts.length === 0)
    wrong.push(`${scheduleId}: its first payment was never opened`);
  return wrong;
}
