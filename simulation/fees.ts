import { setFees } from '../server/src/merchants/terms/fee-service.ts';
import type { ApiCaller } from './api.ts';
import type { World } from './world.ts';

/** How often the operator changes the fees of a merchant, a day. */
const CHANGED = 0.04;
/** The merchants that begin with fees. */
const WITH_FEES = 0.6;

/** The operator sets a merchant's fees at the beginning, day 0, or changes them on a day: now and then to none. */
export async function setFeesNow(world: World, merchant: ApiCaller, day: number): Promise<void> {
  const { platform, chance, clock, db, history } = world;
  const { merchantId, n } = merchant;
  if (!chance.happens(day === 0 ? WITH_FEES : CHANGED, 'fees of', n, day)) return;
  const terms = {
    fixedPence: chance.pick([0, 0, 1, 20, 500], 'fees of', n, day, 'fixed'),
    basisPoints: chance.pick([0, 1, 50, 125, 10_000], 'fees of', n, day, 'share'),
    day: null,
  };
  const asked = { now: clock.at, merchantId };
  await db.transaction((tx) => setFees(platform, { tx, ...asked }, terms, 'operator:Ms Hill'));
  world.book.feesSet(clock.at.epochMilliseconds, merchantId, terms.fixedPence, terms.basisPoints);
  history.count('operator: fees set');
}
