import type { Tx } from '../../platform/db/db.ts';
import type { Platform } from '../../platform/platform.ts';
import { operatorActor, WHOLE_SERVICE } from '../../platform/state/actor.ts';
import { recordChanges, type StateChange } from '../../platform/state/audit-trail.ts';
import { findDisclosures } from '../activity/store.ts';
import type { Disclosure } from './disclosure.ts';
import type { AdminRoute } from './route.ts';

/** A page reads again when its operator comes back to it, and after each decision. */
const SAME_FOR = { minutes: 10 };

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
      const disclosures = shows(answer, call);
      const pages = disclosures.flatMap(({ isPage, objectId }) => (isPage ? [objectId] : []));
      const actor = operatorActor(call.actorId);
      const work = async (tx: Tx): Promise<void> => {
        const known = await findDisclosures(tx, actor, call.now.subtract(SAME_FOR), pages);
        const fresh = disclosures.filter(({ isPage, objectId }) => !isPage || !known.has(objectId));
        await recordChanges(tx, call.now, fresh.map(changeOf));
      };
      if (disclosures.length > 0) await db.transaction(work, { actor });
      return answer;
    },
  };
}

const changeOf = ({ merchantId, objectId, to, reason }: Disclosure): StateChange => ({
  merchantId: merchantId ?? WHOLE_SERVICE,
  scheduleId: null,
  objectId,
  from: 'details',
  to,
  reason,
});
