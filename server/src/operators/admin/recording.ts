import type { Tx } from '../../platform/db/db.ts';
import type { Platform } from '../../platform/platform.ts';
import { operatorActor, WHOLE_SERVICE } from '../../platform/state/actor.ts';
import { recordChanges, type StateChange } from '../../platform/state/audit-trail.ts';
import { findLooks } from '../activity/store.ts';
import type { Look } from './look.ts';
import type { AdminRoute } from './route.ts';

/** A page reads again when its operator comes back to it, and after each decision. */
const SAME_LOOK = { minutes: 10 };

/**
 * Returns the route, with a record of what its answers show of customers. No record, no answer:
 * docs/rules/privacy.md#who-looked-at-what.
 */
export function recording({ db }: Pick<Platform, 'db'>, route: AdminRoute): AdminRoute {
  const { shows } = route;
  if (shows === undefined || shows === 'recorded') return route;
  const act = route.apart ?? ((call) => db.read((tx) => route.handle({ ...call, tx })));
  return {
    ...route,
    async apart(call) {
      const answer = await act(call);
      const looks = shows(answer, call);
      const pages = looks.flatMap(({ isPage, objectId }) => (isPage ? [objectId] : []));
      const actor = operatorActor(call.actorId);
      const work = async (tx: Tx): Promise<void> => {
        const known = await findLooks(tx, actor, call.now.subtract(SAME_LOOK), pages);
        const fresh = looks.filter(({ isPage, objectId }) => !isPage || !known.has(objectId));
        await recordChanges(tx, call.now, fresh.map(changeOf));
      };
      if (looks.length > 0) await db.transaction(work, { actor });
      return answer;
    },
  };
}

const changeOf = ({ merchantId, objectId, to, reason }: Look): StateChange => ({
  ...{ merchantId: merchantId ?? WHOLE_SERVICE, scheduleId: null, from: 'details' },
  ...{ objectId, to, reason },
});
