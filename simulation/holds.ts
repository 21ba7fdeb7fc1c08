import { resumeBank, stopBank } from '../server/src/operators/banks/service.ts';
import { setHold } from '../server/src/operators/merchants/service.ts';
import type { Tx } from '../server/src/platform/db/db.ts';
import { suspended } from './book/collections.ts';
import type { World } from './world.ts';

const MINUTES_OF_A_DAY = 24 * 60;
/** How likely each hold is, on a day. */
const LIKELIHOOD = 0.03;
const LONGEST_HOURS = 60;
const OPERATOR = 'Ms Hill';
const NOT_OVER = Number.POSITIVE_INFINITY;
/** What has waited for the end of a hold is looked at within so many minutes. */
const AFTER_A_HOLD = 70;

/** Something that the operator can hold. */
interface Held {
  /** Names it, and ends with what happens to it. */
  name: string;
  /** Whom it disturbs, as the expected book knows it. */
  disturbs: string;
  /** Begins or ends the hold. Returns whether that changed anything. */
  change: (tx: Tx, isHeld: boolean, reason: string) => Promise<boolean>;
}

/**
 * The operator suspends merchants, holds pay-outs and stops banks: on some days at any minute, and at the worst moments, during a
 * funds check and just after the answer to a pay-out is lost. Every hold ends before the calm days (docs/rules/holds.md).
 */
export function planHolds(world: World, merchantIds: readonly string[]): void {
  const { settings, chance, agenda, banks, issuer } = world;
  const all = [
    ...merchantIds.flatMap((id) => holdsOf(world, id)),
    ...[...banks.keys()].map(stopOf(world)),
  ];
  for (let day = 1; day < settings.days; day++)
    for (const held of all) {
      const about = ['hold', held.name, day] as const;
      if (!chance.happens(LIKELIHOOD, ...about)) continue;
      const minutes =
        day * MINUTES_OF_A_DAY + chance.whole(0, MINUTES_OF_A_DAY - 1, ...about, 'minute');
      agenda.add(settings.start.add({ minutes }), `hold ${held.name}`, () => hold(world, held));
    }
  for (const [bankId, bank] of banks)
    bank.whileItAnswers = () => hold(world, stopOf(world)(bankId));
  issuer.whenPayOutIsLost = (merchantId) => hold(world, payOutsOf(world, merchantId));
}

/** Holds it from now on, mostly for a few hours. */
async function hold(world: World, held: Held): Promise<void> {
  const { settings, agenda, book, chance, clock } = world;
  const share = chance.share('hold', held.name, clock.at.toString());
  const hours = Math.ceil(LONGEST_HOURS * share ** 3);
  const last = settings.start.add({ hours: 24 * settings.days });
  const end = clock.at.add({ hours });
  await change(world, held, true);
  const trouble = book.unrest.note([held.disturbs], clock.at.epochMilliseconds, NOT_OVER);
  agenda.add(
    Temporal.Instant.compare(end, last) < 0 ? end : last,
    `end the hold of ${held.name}`,
    async () => {
      await change(world, held, false);
      trouble.until = clock.at.add({ minutes: AFTER_A_HOLD }).epochMilliseconds;
    },
  );
}

async function change({ db, history }: World, held: Held, isHeld: boolean): Promise<void> {
  const reason = isHeld ? 'we look into something' : 'it is explained';
  const isDone = await db.transaction((tx) => held.change(tx, isHeld, reason));
  if (isDone) history.count(`operator: ${held.name.split(' ').at(-1)}${isHeld ? '' : ', ended'}`);
}

const holdsOf = (world: World, merchantId: string): Held[] => [
  {
    name: `${merchantId} suspended`,
    disturbs: suspended(merchantId),
    change: holder(world, merchantId, 'suspended'),
  },
  payOutsOf(world, merchantId),
];

const payOutsOf = (world: World, merchantId: string): Held => ({
  name: `${merchantId} pay_outs`,
  disturbs: merchantId,
  change: holder(world, merchantId, 'pay_outs'),
});

const holder =
  (
    { platform, clock }: World,
    merchantId: string,
    kind: 'suspended' | 'pay_outs',
  ): Held['change'] =>
  (tx, isHeld, reason) =>
    setHold(platform, { tx, now: clock.at, merchantId }, kind, { by: OPERATOR, reason, isHeld });

const stopOf =
  ({ clock }: World) =>
  (bankId: string): Held => ({
    name: `${bankId} stopped`,
    disturbs: bankId,
    change: (tx, isHeld, reason) => {
      const about = { tx, now: clock.at, bankId };
      const word = { by: OPERATOR, reason };
      return isHeld ? stopBank(about, word, [bankId]) : resumeBank(about, word);
    },
  });
