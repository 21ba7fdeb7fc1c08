import { findCustomer } from '../../customers/store.ts';
import type { CustomerView } from '../../customers/view.ts';
import { readScheduleSettings } from '../../merchants/service.ts';
import type { Tx } from '../../platform/db/db.ts';
import { type CustomerReference, findReferences } from '../books/reference-store.ts';
import { defaultReference, readableReference } from '../request/statement-reference.ts';
import type { Schedule } from '../terms/schedule.ts';

/** A new schedule; its reference is null where the merchant gave none. */
interface Made {
  schedule: Schedule;
  customer: Pick<CustomerView, 'reference'>;
}

/** A schedule without a reference, and what its default one is made of. */
interface Unnamed {
  schedule: Schedule;
  statementName: string;
  customerReference: string | null;
}

/**
 * Gives new schedules of one merchant the references that it did not, which they keep whatever merchant and customer are called
 * later. Two that are created at once for one customer may get the same: nothing but people looks for a payment by it.
 */
export async function withReferences<M extends Made>(
  tx: Tx,
  statementName: string,
  made: readonly M[],
): Promise<M[]> {
  const unnamed = made
    .filter(({ schedule }) => schedule.reference === null)
    .map(({ schedule, customer: { reference = null } }) => ({
      schedule,
      statementName,
      customerReference: reference,
    }));
  const taken = await findTaken(tx, unnamed);
  for (const { schedule } of made) taken.add(keyOf(schedule));
  const references = new Map<string, string>();
  for (const one of unnamed) {
    const reference = nameOf(one, taken);
    references.set(one.schedule.scheduleId, reference);
    taken.add(keyOf({ ...one.schedule, reference }));
  }
  return made.map((one) => {
    const reference = references.get(one.schedule.scheduleId) ?? one.schedule.reference;
    return { ...one, schedule: { ...one.schedule, reference } };
  });
}

/** Returns the reference that a schedule would have by default now. */
export async function defaultReferenceOf(tx: Tx, schedule: Schedule): Promise<string> {
  const { merchantId, customerId, scheduleId } = schedule;
  const { statementName } = await readScheduleSettings(tx, merchantId);
  const customer = await findCustomer(tx, merchantId, customerId);
  const one = { schedule, statementName, customerReference: customer?.reference ?? null };
  return nameOf(one, await findTaken(tx, [one], scheduleId));
}

function nameOf({ schedule, ...named }: Unnamed, taken: ReadonlySet<string>): string {
  const { customerId, scheduleId } = schedule;
  return defaultReference({ scheduleId, ...named }, (reference) =>
    taken.has(keyOf({ customerId, reference })),
  );
}

/** Returns which readable references other schedules of their customers have, as keys. */
async function findTaken(
  tx: Tx,
  unnamed: readonly Unnamed[],
  exceptId: string | null = null,
): Promise<Set<string>> {
  const wanted = unnamed.flatMap((one): CustomerReference[] => {
    const reference = readableReference(one);
    return reference === null ? [] : [{ customerId: one.schedule.customerId, reference }];
  });
  const merchantId = unnamed[0]?.schedule.merchantId ?? '';
  return new Set((await findReferences(tx, merchantId, wanted, exceptId)).map(keyOf));
}

const keyOf = ({ customerId, reference }: Pick<Schedule, 'customerId' | 'reference'>): string =>
  `${customerId} ${reference}`;
