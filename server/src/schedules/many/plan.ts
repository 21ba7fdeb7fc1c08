import { setImmediate } from 'node:timers/promises';
import type { WaitingConsent } from '../../consents/store.ts';
import { ApiError } from '../../platform/values/errors.ts';
import { findSchedules } from '../books/store.ts';
import type { Lifecycle } from '../change/hooks.ts';
import { planUpdate } from '../change/update.ts';
import type { Schedule, Terms } from '../terms/schedule.ts';
import { type ManyChange, raiseOf } from './body.ts';
import { type ManyBooks, notePlanned, type Planned, readManyBooks } from './books.ts';
import { effectOf, type Line, updateOf } from './line.ts';
import { amountRefusal, raised } from './new-amount.ts';

/** How many schedules are read at once. */
const CHUNK = 500;
/** After so many plans, each of a year of collections, other requests have their turn. */
const BREATH = 50;

/**
 * Plans a change of many schedules in primary-key order, as it will be carried out: each by the decision of an update of that
 * schedule alone, beside what those before it leave of a consent that they share. Writes nothing. Leaves out unknown ids.
 */
export async function planLines(
  life: Lifecycle,
  merchantId: string,
  scheduleIds: readonly string[],
  change: ManyChange,
): Promise<Line[]> {
  const ids = [...scheduleIds].sort();
  const planned: Planned = new Map();
  const lines: Line[] = [];
  for (let at = 0; at < ids.length; at += CHUNK) {
    const schedules = await findSchedules(life.tx, merchantId, ids.slice(at, at + CHUNK));
    const books = await readManyBooks(life, merchantId, schedules, planned);
    for (const schedule of schedules) {
      lines.push(await planLine(life, schedule, change, books, planned));
      if (lines.length % BREATH === 0) await setImmediate();
    }
  }
  return lines;
}

async function planLine(
  life: Lifecycle,
  schedule: Schedule,
  change: ManyChange,
  books: ManyBooks,
  planned: Planned,
): Promise<Line> {
  const { scheduleId, termsVersion, status: scheduleStatus } = schedule;
  const asked = await books.asked(schedule);
  const newAmountPence = newAmountOf(change, asked);
  const known = { scheduleId, termsVersion, scheduleStatus, newAmountPence, link: null };
  const line = { ...known, amountPence: asked.amountPence, errorCode: null, reason: null };
  try {
    refuseAmount(newAmountPence);
    const body = updateOf(change, newAmountPence, asked.currency);
    const effect = await planUpdate(life, schedule, body, books);
    const waits = books.waiting(schedule);
    const { terms } = effect;
    if (terms !== null && waits === 'being_set_up')
      throw new ApiError('request_in_progress', 'The consent is being set up at the bank.');
    if (Object.keys(body).length === 0) refuseWithoutLink(waits);
    notePlanned(planned, schedule, effect);
    const means = effectOf(effect, change.send_link === true && waits === 'open');
    const state = means === 'unchanged' ? 'done' : 'planned';
    return { ...line, effect: means, state, reason: terms?.refusal ?? null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { ...line, effect: 'refused', state: 'done', ...lineError(error) };
  }
}

function newAmountOf(change: ManyChange, { amountPence }: Terms): number | null {
  const { amount } = change;
  if (amount === undefined) return null;
  const raise = raiseOf(change);
  if (raise !== null) return raised(amountPence, raise);
  return 'value' in amount ? amount.value : null;
}

function refuseAmount(newAmountPence: number | null): void {
  const why = newAmountPence === null ? null : amountRefusal(newAmountPence);
  if (why !== null) throw new ApiError('invalid_request', why);
}

/** Throws 409 `consent_decided` if no consent waits for the customer. */
function refuseWithoutLink(waits: WaitingConsent | undefined): void {
  if (waits !== 'open')
    throw new ApiError('consent_decided', 'No consent of this schedule waits for the customer.');
}

/** Returns a refusal as a line has it. */
export function lineError({
  code,
  message,
  details,
}: ApiError): Pick<Line, 'errorCode' | 'reason'> {
  const fields = Object.entries(details ?? {}).map(([field, why]) => `${field} ${why}`);
  return { errorCode: code, reason: fields.length === 0 ? message : fields.join('; ') };
}
