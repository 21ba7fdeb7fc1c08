import { movesOf } from './moves.ts';
import type { Rules, Size } from './rules.ts';
import { keyOf, nameOf, newWorld, type SmallWorld } from './world.ts';

/** What is wrong, and the shortest way to it. */
export interface Finding {
  broken: string;
  way: string[];
}

export interface Explored {
  states: number;
  finding: Finding | null;
}

interface Visited {
  world: SmallWorld;
  from: number;
  move: string;
}

/**
 * Visits every reachable state, breadth first, and stops at the first that is wrong. Finally checks that an end can be reached
 * from each state: if not, that is the finding.
 */
export function explore(rules: Rules, size: Size): Explored {
  const visited: Visited[] = [];
  const numbers = new Map<string, number>();
  const cameFrom: number[][] = [];
  const wayTo = (n: number): string[] => {
    const way: string[] = [];
    for (let at = n; at > 0; at = visited[at]?.from ?? 0) way.push(visited[at]?.move ?? '');
    return way.reverse();
  };
  const enter = (world: SmallWorld, from: number, move: string): void => {
    const key = keyOf(world);
    const known = numbers.get(key);
    if (known !== undefined) return void cameFrom[known]?.push(from);
    numbers.set(key, visited.length);
    visited.push({ world, from, move });
    cameFrom.push([from]);
  };
  enter(newWorld(size), 0, '');
  for (let n = 0; n < visited.length; n++) {
    if (visited.length > 600000)
      return { states: visited.length, finding: { broken: `TOO MANY at ${n}`, way: [] } };
    const world = visited[n]?.world;
    if (world === undefined) break;
    const wrong = wrongIn(world);
    if (wrong !== null)
      return { states: visited.length, finding: { broken: wrong, way: wayTo(n) } };
    for (const { name, next, broken } of movesOf(world, rules, size)) {
      if (broken !== null)
        return { states: visited.length, finding: { broken, way: [...wayTo(n), name] } };
      enter(next, n, name);
    }
  }
  const stuck = findStuck(
    visited.map(({ world }) => world),
    cameFrom,
  );
  const finding =
    stuck === null ? null : { broken: 'there is no way to an end', way: wayTo(stuck) };
  return { states: visited.length, finding };
}

/** Returns the first state from which no end can be reached, searching backwards from all ends; null: there is none. */
function findStuck(worlds: readonly SmallWorld[], cameFrom: readonly number[][]): number | null {
  const ends = worlds.flatMap((world, n) => (isEnd(world) ? [n] : []));
  const reaching = new Set(ends);
  for (const n of ends)
    for (const from of cameFrom[n] ?? [])
      if (!reaching.has(from)) {
        reaching.add(from);
        ends.push(from); // the list grows while it is read
      }
  const stuck = worlds.findIndex((_, n) => !reaching.has(n));
  return stuck < 0 ? null : stuck;
}

/** Whether everything has ended: payments, calls and money. */
function isEnd(world: SmallWorld): boolean {
  return (
    world.payments.every(({ state }) => state === 'success' || state === 'failed') &&
    world.hands.every((hand) => hand === null) &&
    world.money.every(({ place }) => place !== null)
  );
}

/** Returns the invariant that is violated here; null: none is. */
function wrongIn(world: SmallWorld): string | null {
  if (world.money.some(({ place }) => place === 'lost')) return 'money has no place';
  for (const [index, payment] of world.payments.entries()) {
    const names = payment.attempts.map((_, n) => nameOf(index, n + 1));
    const debits = world.orders.filter(({ name, state }) => names.includes(name) && isDebit(state));
    if (debits.length > 1 && !payment.isGivenUp) return 'an occurrence was debited twice';
    const paid = world.money.filter(({ place }) => names.includes(place ?? '')).length;
    const isPaid = payment.state === 'move' || payment.state === 'success';
    if (paid > 1) return 'a payment took the money twice';
    if (isPaid && paid === 0 && !hasLateMoney(world, names))
      return 'a payment succeeded without money';
    if (!isPaid && paid > 0) return 'money was booked for a payment that is not paid';
  }
  return null;
}

const isDebit = (state: SmallWorld['orders'][number]['state']): boolean =>
  state === 'open' || state === 'sent on';

/** Whether its money was waiting on the unallocated list, assigned to it, until the later attempt had failed. */
const hasLateMoney = (world: SmallWorld, names: readonly string[]): boolean =>
  world.money.some(({ place, guess }) => place === 'list' && names.includes(guess ?? ''));
