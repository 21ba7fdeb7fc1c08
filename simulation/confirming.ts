import { beginConfirmation, completeConfirmation } from '../server/src/consents/confirm.ts';
import type { ConsentRow } from '../server/src/consents/store.ts';
import { answered } from './customers.ts';
import type { World } from './world.ts';

const HOURS_BETWEEN = 3;
/** Of those who are wanted again, how many do it at one time; in a calm time all. */
const CONFIRM_PROBABILITY = 0.15;
const IN_THE_APP = 0.3;
const DECLINES = 0.2;

/** Customers whom their bank wants again do it sooner or later: on our page, where they may decline, or in the bank's app. */
export function letCustomersConfirm(world: World, round = 1): void {
  const at = world.settings.start.add({ hours: round * HOURS_BETWEEN });
  world.agenda.add(at, 'customers confirm', async () => {
    for (const consent of await waiting(world)) await confirm(world, consent);
    letCustomersConfirm(world, round + 1);
  });
}

function waiting({ db }: World): Promise<ConsentRow[]> {
  return db.read((tx) =>
    tx.rows<ConsentRow>(
      `SELECT * FROM consents WHERE suspended_at IS NOT NULL AND status = 'granted' ORDER BY consent_id`,
    ),
  );
}

async function confirm(world: World, consent: ConsentRow): Promise<void> {
  const { banks, chance, clock, troubles, history } = world;
  const about = [consent.consentId, clock.at.toString()] as const;
  if (!troubles.isCalm && !chance.happens(CONFIRM_PROBABILITY, ...about, 'confirms')) return;
  const isInApp = !troubles.isCalm && chance.happens(IN_THE_APP, ...about, 'in the app');
  const bank = banks.get(consent.bankId ?? '');
  if (isInApp && bank?.confirmInApp(consent.bankConsentId ?? '')) return;
  const isWilling = troubles.isCalm || !chance.happens(DECLINES, ...about, 'declines');
  let state: string | null = null;
  await answered(world, async ({ authorisation }) => {
    state = (await beginConfirmation(authorisation, consent))?.state ?? null;
  });
  if (state === null) return;
  history.count(isWilling ? 'customer: authenticates again' : 'customer: declines to again');
  comeBack(world, state, isWilling ? 'agreed' : 'access_denied');
}

function comeBack(world: World, state: string, answer: string): void {
  const { agenda, clock, chance } = world;
  const minutes = chance.whole(1, 15, state, 'back');
  agenda.add(clock.at.add({ minutes }), `confirmed ${state}`, async () => {
    await answered(world, async ({ authorisation }) => {
      await completeConfirmation(authorisation, state, answer);
    });
  });
}
