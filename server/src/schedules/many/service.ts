import { requireCustomer } from '../../customers/service.ts';
import type { KeyAuthority } from '../../platform/http/calls/route.ts';
import { type List, mapList, type Page } from '../../platform/http/lists/page.ts';
import type { Asked, AskedBy } from '../../platform/platform.ts';
import { actorOf } from '../../platform/state/actor.ts';
import { recordChanges } from '../../platform/state/audit-trail.ts';
import { ApiError, invalid, orNotFound } from '../../platform/values/errors.ts';
import { findMatchingIds } from '../books/details-store.ts';
import { readFilter } from '../books/filter.ts';
import type { ScheduleDeps } from '../change/service.ts';
import { MOST_SCHEDULES, type ScheduleChangeBody } from './body.ts';
import type { Effect, LineState } from './line.ts';
import { planLines } from './plan.ts';
import {
  countLines,
  deletePreviews,
  findChange,
  findChangesPage,
  findLines,
  findRunning,
  insertChange,
  insertLines,
  lockBeginning,
  planFailedAgain,
  startChange,
} from './store.ts';
import {
  type ChangeLineView,
  type ScheduleChangeView,
  statusOf,
  viewChange,
  viewLine,
} from './view.ts';

/** How many previews of a merchant are kept: the oldest makes room. */
const MOST_PREVIEWS = 20;

/** Who asks for a change: a member, or an API key, whose filter finds nothing by what it may not read. */
type Asking = AskedBy & { key?: KeyAuthority; agent?: string };

/**
 * Plans a change of many schedules, and starts it unless it is a preview. The set of schedules and their terms are fixed here.
 * Throws 400 naming the field for an unknown schedule and for too many; 409 `request_in_progress` while another change runs.
 */
export async function requestScheduleChange(
  deps: ScheduleDeps,
  asked: Asking,
  body: ScheduleChangeBody,
): Promise<ScheduleChangeView> {
  const { tx, now, merchantId, actorId, agent } = asked;
  const isPreview = body.preview === true;
  const lines = await planLines(
    { ...deps, tx, now },
    merchantId,
    await namedIn(deps, asked, body),
    body.change,
  );
  if (body.schedule_ids !== undefined) refuseUnknown(body.schedule_ids, lines);
  const changeId = deps.platform.ids.next('chg', now);
  const { change } = body;
  await insertChange(tx, merchantId, {
    changeId,
    actor: actorOf(actorId, agent),
    change,
    createdAt: now,
  });
  await insertLines(tx, merchantId, changeId, lines);
  await deletePreviews(tx, merchantId, MOST_PREVIEWS);
  if (!isPreview) await refuseBesideAnother(asked);
  if (!isPreview) await start(asked, changeId, `of ${lines.length} schedules`);
  return showChange(asked, changeId);
}

async function namedIn(
  deps: ScheduleDeps,
  asked: Asking,
  { schedule_ids: named, filter }: ScheduleChangeBody,
): Promise<readonly string[]> {
  if (named !== undefined) return named;
  const { tx, merchantId } = asked;
  const query = filter ?? {};
  if (query.customer_id !== undefined) await requireCustomer(tx, merchantId, query.customer_id);
  const zone = async () => (await deps.merchantFacts(tx, merchantId)).timeZone;
  const by = await readFilter(deps.platform, asked, query, zone);
  const ids = await findMatchingIds(tx, merchantId, by, MOST_SCHEDULES + 1);
  if (ids.length > MOST_SCHEDULES)
    throw invalid({ filter: `matches more than ${MOST_SCHEDULES} schedules; narrow it down` });
  return ids;
}

function refuseUnknown(named: readonly string[], lines: readonly { scheduleId: string }[]): void {
  const known = new Set(lines.map((line) => line.scheduleId));
  const at = named.findIndex((id) => !known.has(id));
  if (at >= 0) throw invalid({ [`schedule_ids.${at}`]: 'is no schedule of yours' });
}

/** Throws 409 `request_in_progress` while another change of the merchant runs: two would meet on one schedule. */
async function refuseBesideAnother({ tx, merchantId }: Asked): Promise<void> {
  await lockBeginning(tx, merchantId);
  const running = await findRunning(tx, merchantId);
  if (running !== null)
    throw new ApiError(
      'request_in_progress',
      `The change ${running} is still running; try again when it is done.`,
    );
}

async function start(
  { tx, now, merchantId }: Asked,
  changeId: string,
  reason: string,
): Promise<void> {
  await startChange(tx, merchantId, changeId, now);
  await recordChanges(tx, now, [
    { merchantId, objectId: changeId, scheduleId: null, from: null, to: 'change_started', reason },
  ]);
}

/**
 * Starts a preview, or runs the failed lines of a change again. Of a change that has nothing to do it changes nothing. Throws 404
 * `not_found`, 409 `request_in_progress` while another change runs.
 */
export async function runChange(asked: AskedBy, changeId: string): Promise<ScheduleChangeView> {
  const { tx, merchantId } = asked;
  const known = orNotFound(await findChange(tx, merchantId, changeId), 'schedule change');
  if (statusOf(known) === 'running') return showChange(asked, changeId);
  await refuseBesideAnother(asked);
  const change = orNotFound(await findChange(tx, merchantId, changeId, true), 'schedule change');
  if (statusOf(change) === 'preview') await start(asked, changeId, 'after a preview');
  else if ((await planFailedAgain(tx, merchantId, changeId)) > 0)
    await start(asked, changeId, 'again, for what had failed');
  return showChange(asked, changeId);
}

/** Returns a change with how far it is. Throws 404 `not_found`. */
export async function showChange(
  { tx, merchantId }: Asked,
  changeId: string,
): Promise<ScheduleChangeView> {
  const change = orNotFound(await findChange(tx, merchantId, changeId), 'schedule change');
  return viewChange(change, await countLines(tx, merchantId, [changeId]));
}

/** Returns a page of the merchant's changes, the newest first. */
export async function showChanges(
  { tx, merchantId }: Asked,
  page: Page,
): Promise<List<ScheduleChangeView>> {
  const found = await findChangesPage(tx, merchantId, page);
  const ids = found.data.map((one) => one.changeId);
  const counts = Map.groupBy(await countLines(tx, merchantId, ids), (one) => one.changeId);
  return mapList(found, (one) => viewChange(one, counts.get(one.changeId) ?? []));
}

/** Returns a page of a change's lines. Throws 404 `not_found`. */
export async function showLines(
  { tx, merchantId }: Asked,
  changeId: string,
  filter: { effect?: Effect; state?: LineState },
  page: Page,
): Promise<List<ChangeLineView>> {
  orNotFound(await findChange(tx, merchantId, changeId), 'schedule change');
  return mapList(await findLines(tx, merchantId, changeId, filter, page), viewLine);
}
