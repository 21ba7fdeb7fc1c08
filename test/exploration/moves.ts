import { look, takeMoney } from './money.ts';
import * as people from './people.ts';
import * as processes from './processes.ts';
import type { Rules, Size } from './rules.ts';
import {
  type Age,
  type BankOrder,
  copyOf,
  idOf,
  nameOf,
  OLD,
  type SmallWorld,
  type Step,
} from './world.ts';

const isAnswer = (step: Step): boolean => !['ready', 'noted', 'look', 'track'].includes(step);

/** One possible next step, and the invariant that it broke. */
export interface Move {
  name: string;
  next: SmallWorld;
  broken: string | null;
}

/** Generates all possible next steps of a world. */
export function* movesOf(world: SmallWorld, rules: Rules, size: Size): Generator<Move> {
  const to = (name: string, change: (next: SmallWorld) => string | null | undefined): Move => {
    const next = copyOf(world);
    const broken = change(next) ?? null;
    return { name, next, broken };
  };
  yield* processMoves(world, rules, size, to);
  yield* bankMoves(world, rules, size, to);
  yield* peopleMoves(world, rules, size, to);
  // A process suspended for half a day has long lost its lease: it counts as one that crashes and is replaced.
  const isQuiet = world.hands.every((hand) => hand === null);
  if (
    isQuiet &&
    world.payments.some((p) => p.attempts.some((a) => a.orders.some((age) => age < OLD)))
  )
    yield to('half a day passes', (next) => pass(next));
}

type To = (name: string, change: (next: SmallWorld) => string | null | undefined) => Move;

function* processMoves(world: SmallWorld, rules: Rules, size: Size, to: To): Generator<Move> {
  const free = world.hands.indexOf(null);
  for (const [index] of world.payments.entries())
    if (free >= 0 && processes.isClaimable(world, index))
      yield to(`takes up ${index}`, (next) => {
        if (index === 1) return callAtOnce(next, rules, size, free);
        processes.claim(next, rules, free, index);
        return null;
      });
  for (const [slot, hand] of world.hands.entries()) {
    if (hand === null) continue;
    // If nothing was recorded or found out, a process that crashes has done nothing.
    if (hand.step === 'noted' || isAnswer(hand.step))
      yield to(`process ${slot} crashes`, (next) => {
        next.hands[slot] = null;
        return null;
      });
    const name = nameOf(hand.payment, hand.attempt);
    switch (hand.step) {
      case 'ready': {
        const attempt = world.payments[hand.payment]?.attempts[hand.attempt - 1];
        if (hand.isStale || (attempt?.orders.length ?? 0) < size.orders)
          yield to(`notes ${name}`, (next) => processes.note(next, rules, slot));
        else
          yield to(`process ${slot} crashes`, (next) => {
            next.hands[slot] = null;
            return null;
          });
        break;
      }
      case 'noted':
        yield* callMoves(world, rules, size, to, slot, name);
        break;
      case 'look':
        yield to(`looks for ${name}`, (next) => {
          look(next, rules, slot);
          return null;
        });
        break;
      case 'track':
        yield* trackMoves(to, slot, name);
        break;
      default:
        yield to(`records ${hand.step} of ${name}`, (next) => {
          processes.record(next, rules, size, slot);
          return null;
        });
    }
  }
}

/**
 * Makes the call of an order: it never leaves, or arrives, and then its response may be lost. A lost call yields as little as a
 * process that crashes: nothing, so neither is recorded.
 */
function* callMoves(
  world: SmallWorld,
  rules: Rules,
  { deliversLate }: Size,
  to: To,
  slot: number,
  name: string,
): Generator<Move> {
  const learn = (next: SmallWorld, step: 'not sent' | 'refused' | null): null => {
    const hand = next.hands[slot];
    if (step === null) next.hands[slot] = null;
    else if (hand) hand.step = step;
    return null;
  };
  yield to(`${name} never leaves`, (next) => learn(next, 'not sent'));
  // A process that was suspended checks the clock once more before it calls: its lease is over.
  if (world.hands[slot]?.isStale) return;
  if (!world.orders.some((order) => order.name === name))
    yield to(`${name} is refused`, (next) => {
      const earlier = processes.earlierOrderAt(next, slot);
      return learn(next, rules.believesRefusal(earlier, processes.NOW) ? 'refused' : null);
    });
  yield to(`${name} arrives, its answer does not`, (next) => {
    arrive(next, name);
    return learn(next, null);
  });
  yield to(`${name} is answered`, (next) => {
    arrive(next, name);
    const hand = next.hands[slot];
    if (hand) hand.step = wordOf(next, name);
    return null;
  });
  if (deliversLate)
    yield to(`${name} arrives later`, (next) => {
      next.wire.push(name);
      return learn(next, null);
    });
}

/** Delivers an order: a key that the bank has is the same order; but it forgets keys after a day. */
function arrive(world: SmallWorld, name: string): void {
  if (world.orders.some((order) => order.name === name && order.age < OLD)) return;
  world.orders.push({ name, age: 0, state: 'open' });
}

/** Returns the bank's report: credited, or only that the payer was debited, whatever happened to the money. */
function wordOf(world: SmallWorld, name: string): 'pending' | 'credited' | 'failed' {
  const order = world.orders.find((one) => one.name === name);
  if (order?.state === 'failed') return 'failed';
  return order?.state === 'sent on' ? 'credited' : 'pending';
}

/** The bank's report; without one, nothing is found out. */
function* trackMoves(to: To, slot: number, name: string): Generator<Move> {
  yield to(`the bank tells of ${name}`, (next) => askBank(next, slot, name));
}

function askBank(world: SmallWorld, slot: number, name: string): null {
  const hand = world.hands[slot];
  if (!hand) return null;
  const word = wordOf(world, name);
  const order = world.orders.find((one) => one.name === name);
  const hasLeft = order?.state === 'sent on' || order?.state === 'went back';
  hand.step = word === 'failed' ? word : (processes.endOfTracked(world, hand, hasLeft) ?? word);
  return null;
}

/**
 * Makes all calls of the second payment. It exists for what it shares with the first: the consent, the wallet, the amount. It
 * succeeds, each of its calls in one step.
 */
function callAtOnce(world: SmallWorld, rules: Rules, size: Size, slot: number): string | null {
  processes.claim(world, rules, slot, 1);
  const hand = world.hands[slot];
  if (!hand) return null;
  const name = nameOf(1, hand.attempt);
  let broken: string | null = null;
  if (hand.step === 'ready') {
    broken = processes.note(world, rules, slot);
    const noted = world.hands[slot];
    if (!noted) return broken;
    arrive(world, name);
    noted.step = wordOf(world, name);
  } else if (hand.step === 'track') askBank(world, slot, name);
  else if (hand.step === 'look') look(world, rules, slot);
  processes.record(world, rules, size, slot);
  return broken;
}

function* bankMoves(world: SmallWorld, rules: Rules, size: Size, to: To): Generator<Move> {
  for (const [n, name] of world.wire.entries())
    yield to(`${name} arrives late`, (next) => {
      next.wire.splice(n, 1);
      arrive(next, name);
      return null;
    });
  for (const [n, order] of world.orders.entries()) {
    if (order.state !== 'open') continue;
    const end = (state: BankOrder['state'], isShort = false): Move =>
      to(`the bank: ${order.name} ${state}${isShort ? ', a penny short' : ''}`, (next) => {
        const one = next.orders[n];
        if (one === undefined) return null;
        one.state = state;
        if (state === 'sent on')
          next.money.push({ name: order.name, isShort, place: null, guess: null });
        return null;
      });
    yield end('sent on');
    if (order.name.startsWith(idOf(1))) continue;
    yield end('failed');
    if (size.paysShort) yield end('sent on', true);
    if (size.returns) yield end('went back');
  }
  for (const [n, money] of world.money.entries())
    if (money.place === null)
      yield to(`the issuer tells of ${money.name}`, (next) => {
        const one = next.money[n];
        if (one !== undefined) takeMoney(next, rules, one, size.namesMoney);
        return null;
      });
  for (const [index, payment] of world.payments.entries())
    if (payment.state === 'move')
      yield to(`the money of ${index} goes on`, (next) => {
        const one = next.payments[index];
        if (one !== undefined) one.state = 'success';
        return null;
      });
}

function* peopleMoves(world: SmallWorld, rules: Rules, size: Size, to: To): Generator<Move> {
  for (const [index] of world.payments.entries()) {
    if (!people.mayWait(world, index)) continue;
    const given = copyOf(world);
    if (people.giveUp(given, rules, index))
      yield { name: `an operator ends ${index}`, next: given, broken: null };
  }
  if (world.acts === 0) return;
  const act = (name: string, change: (next: SmallWorld) => void): Move =>
    to(name, (next) => {
      next.acts -= 1;
      change(next);
      return null;
    });
  if (world.isConsentLive)
    yield act('the customer withdraws', (next) => {
      next.isConsentLive = false;
      for (const payment of next.payments) people.stop(payment, 'consent_revoked');
    });
  // The payments are alike, so acting on the first is enough.
  const [first] = world.payments;
  if (first === undefined) return;
  const change = (next: SmallWorld): SmallWorld['payments'][number] => {
    const [payment] = next.payments;
    if (payment === undefined) throw new Error('a world has payments');
    return payment;
  };
  if (first.schedule !== 'cancelled')
    yield act('the merchant cancels', (next) => {
      change(next).schedule = 'cancelled';
      people.stop(change(next), 'schedule_cancelled');
    });
  if (first.schedule === 'active')
    yield act('the merchant pauses', (next) => {
      change(next).schedule = 'paused';
      people.stop(change(next), 'schedule_paused');
    });
  if (first.schedule === 'paused')
    yield act('the merchant resumes', (next) => {
      change(next).schedule = 'active';
    });
  const mayRetry =
    first.state === 'failed' &&
    world.isConsentLive &&
    first.schedule !== 'cancelled' &&
    first.attempts.every((attempt) => !attempt.mayStillDebit);
  if (mayRetry && first.attempts.length < size.attempts)
    yield act('the merchant retries by hand', (next) => {
      const payment = change(next);
      payment.state = 'pending';
      payment.isManual = true;
      payment.stoppedBy = null;
      payment.isStopped = false;
    });
}

/** Lets half a day pass: what is in transit arrives within minutes, or never. */
function pass(world: SmallWorld): null {
  const older = (age: Age): Age => (age === 0 ? 12 : OLD);
  for (const payment of world.payments)
    for (const attempt of payment.attempts) attempt.orders = attempt.orders.map(older);
  world.orders = world.orders.map((order) => ({ ...order, age: older(order.age) }));
  world.wire = [];
  return null;
}
