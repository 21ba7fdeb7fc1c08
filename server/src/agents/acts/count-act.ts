import type { Tx } from '../../platform/db/db.ts';
import { orNotFound } from '../../platform/values/errors.ts';
import { findSchedule, readTermsInForce } from '../../schedules/books/store.ts';
import { type ActInputs, type ActResult, aboutId, type MoneyAct } from './money-act.ts';

/**
 * Returns what an act that was just done takes, as far as a key's limits count it, in pence: docs/rules/agents.md#acts. The
 * response alone does not say it for a schedule that resumes: it shows what was asked for last, and until the customer agrees,
 * the schedule collects what they agreed to before.
 */
export async function countAct(
  tx: Tx,
  merchantId: string,
  act: MoneyAct,
  { inputs, result }: { inputs: ActInputs; result: ActResult },
): Promise<number> {
  const pence = act.spends(inputs, result);
  const id = aboutId(act, inputs);
  if (id === null || act.resumes?.(inputs) !== true) return pence;
  const schedule = orNotFound(await findSchedule(tx, merchantId, id), 'schedule');
  return Math.max(pence, (await readTermsInForce(tx, schedule)).amountPence);
}
