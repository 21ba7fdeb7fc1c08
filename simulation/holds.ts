import { resumeBank, stopBank } from '../server/src/operators/banks/service.ts';
import { setHold } from '../server/src/operators/merchants/service.ts';
import type { Tx } from '../server/src/platform/db.ts';
import type { World } from './world.ts';

const MINUTES_OF_A_DAY = 24 * 60;
/** How likely each hold is, on a day. */
const SUSPENDED = 0.03;
const PAY_OUTS_HELD = 0.03;
const STOPPED = 0.03;
const LONGEST_HOURS = 60;
const OPERATOR = 'Ms Hill';

/** Gives a hold, or ends it. Returns whether that changed anything. */
type Change = (tx: Tx, isHeld: boolean, reason: string) => Promise<boolean>;

/**
 * On some days the operator suspends a merchant, holds its pay-outs or stops a bank, at any minute, and ends that after some
 * hours: all of them before the calm days (docs/rules/holds.md).
 */
export function planHolds(world: World, merchantIds: readonly string[]): void {
  const { settings, platform, clock, banks } = world;
  for (let day = 1; day < settings.days; day++) {
    for (const [n, merchantId] of merchantIds.entries())
      for (const [kind, likelihood] of [
        ['suspended', SUSPENDED],
        ['pay_outs', PAY_OUTS_HELD],
      ] as const)
        planHold(world, day, `merchant ${n} ${kind}`, likelihood, (tx, isHeld, reason) => {
          const word = { by: OPERATOR, reason, isHeld };
          return setHold(platform, { tx, now: clock.at, merchantId }, kind, word);
        });
    for (const bankId of banks.keys())
      planHold(world, day, `${bankId} stopped`, STOPPED, (tx, isHeld, reason) => {
        const about = { tx, now: clock.at, bankId };
        const word = { by: OPERATOR, reason };
        return isHeld ? stopBank(about, word, [bankId]) : resumeBank(about, word);
      });
  }
}

function planHold(
  { settings, agenda, chance, db, history }: World,
  day: number,
  name: string,
  likelihood: number,
  change: Change,
): void {
  const about = ['hold', name, day] as const;
  if (!chance.happens(likelihood, ...about)) return;
  const minute = chance.whole(0, MINUTES_OF_A_DAY - 1, ...about, 'minute');
  const from = settings.start.add({ minutes: day * MINUTES_OF_A_DAY + minute });
  const hours = chance.whole(1, LONGEST_HOURS, ...about, 'hours');
  const end = settings.start.add({ hours: 24 * settings.days });
  const [until] = [from.add({ hours }), end].sort(Temporal.Instant.compare);
  const act = async (isHeld: boolean): Promise<void> => {
    const reason = isHeld ? 'we look into something' : 'it is explained';
    const isDone = await db.transaction((tx) => change(tx, isHeld, reason));
    if (isDone) history.count(`operator: ${name.split(' ').at(-1)}${isHeld ? '' : ', ended'}`);
  };
  agenda.add(from, `hold ${name}`, () => act(true));
  agenda.add(until ?? end, `hold ${name}, ended`, () => act(false));
}
