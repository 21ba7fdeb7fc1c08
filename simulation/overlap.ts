import { beginConfirmation, completeConfirmation } from '../server/src/consents/confirm.ts';
import { readLink } from '../server/src/consents/service.ts';
import { checkLaws } from '../server/src/laws/invariants/laws.ts';
import { Gate } from '../server/test-support/gate.ts';
import { type Harness, openHarness } from '../server/test-support/harness.ts';
import { asOwner } from '../server/test-support/owner.ts';
import { until } from '../server/test-support/until.ts';
import { type Chance, makeChance } from './chance.ts';
import { RoughBank } from './overlap-bank.ts';
import { GATE_POINTS, type GatePoint, Standstill } from './overlap-gates.ts';

/**
 * Two processes whose transactions really overlap on one PostgreSQL. In each round some collections are due; one process stands
 * still at a place chosen by the seed, its lease runs out, another takes over and stands still in turn, perhaps within a
 * transaction; meanwhile the merchant may act. After each round every law has to hold. Where a process stands still follows from
 * the seed; what two transactions do to each other while neither stands is PostgreSQL's.
 */
export interface OverlapSettings {
  seed: string;
  rounds: number;
}

/** What a run came to: what was broken, and in which round; null: nothing. */
export interface OverlapResult {
  broken: { round: number; about: string; lines: string[] } | null;
  rounds: number;
}

const START = '2028-01-05T09:30:00Z';
const PAST_THE_LEASE = { minutes: 5 };
const MAX_CONCURRENT = 3;
const MAX_VISITS = 3;
const LIKELY_FIRST_VISIT = 0.7;
/** A call to the bank is the longest wait there is; the other process notes an order then. */
const ORDER = 'the bank: submitPayment';
const GATE_POINTS_OF = {
  first: [ORDER, ORDER, ORDER, ORDER, ORDER, ORDER, ORDER, ORDER, ...GATE_POINTS],
  second: ['INSERT INTO payment_orders', 'INSERT INTO payment_orders', ORDER, ...GATE_POINTS],
} as const satisfies Record<string, readonly [GatePoint, ...GatePoint[]]>;
const CALM_DAYS = 14;
const ACTS = ['none', 'none', 'cancel', 'pause', 'raise'] as const;

/** Lives through rounds of two processes that overlap; `heard` is called after each. */
export async function overlap(
  { seed, rounds }: OverlapSettings,
  heard: (round: number, about: string) => void = () => undefined,
): Promise<OverlapResult> {
  const h = await openHarness(START);
  try {
    const run = new Run(h, makeChance(seed));
    for (let round = 1; round <= rounds; round++) {
      const about = await run.round(round);
      heard(round, about);
      const lines = await run.broken();
      if (lines.length > 0) return { broken: { round, about, lines }, rounds: round };
    }
    const lines = await run.calmEnd();
    const broken = lines.length > 0 ? { round: rounds, about: 'the calm end', lines } : null;
    return { broken, rounds };
  } finally {
    await h.close();
  }
}

class Run {
  readonly #h: Harness;
  readonly #chance: Chance;
  readonly #bank: RoughBank;
  readonly #schedules: string[] = [];

  constructor(h: Harness, chance: Chance) {
    this.#h = h;
    this.#chance = chance;
    this.#bank = new RoughBank(h.bank, chance);
  }

  /** Starts a process that stands still at a place chosen for it. */
  #start(round: number, which: 'first' | 'second') {
    const gate = new Gate();
    const place = this.#chance.pick(GATE_POINTS_OF[which], 'place', round, which);
    const isFirst = this.#chance.happens(LIKELY_FIRST_VISIT, 'visit', round, which);
    const nth = isFirst ? 1 : this.#chance.whole(2, MAX_VISITS, 'nth', round, which);
    const standstill = new Standstill(gate, place, nth);
    const { engine } = this.#h.another({
      db: (db) => standstill.wrap(db),
      bank: () => this.#bank.seenBy(standstill),
    });
    const work = engine.drain();
    return { gate, work, about: `${which} at the ${nth}. "${place}"` };
  }

  /** One round; returns what was decided for it. */
  async round(round: number): Promise<string> {
    const h = this.#h;
    const due = await this.#makeDue(round);
    const first = this.#start(round, 'first');
    await Promise.race([first.gate.reached, first.work]);
    h.clock.at = h.clock.at.add(PAST_THE_LEASE);
    const second = this.#start(round, 'second');
    await Promise.race([second.gate.reached, this.#doneOrLocked(second.work)]);
    const act = this.#chance.pick(ACTS, 'act', round);
    const acting = this.#act(act, due[0] ?? '');
    const acted = Promise.allSettled([acting]);
    first.gate.open();
    await this.#doneOrLocked(first.work);
    second.gate.open();
    await Promise.all([first.work, second.work, acted]);
    await acting;
    await this.#goOn(this.#chance.whole(1, 40, 'hours', round));
    return `${first.about}, ${second.about}, merchant: ${act}`;
  }

  /** Makes schedules that are due now; their consents have room for a second debit. */
  async #makeDue(round: number): Promise<string[]> {
    const h = this.#h;
    const start = h.clock.at.round('second').add({ hours: 1 });
    const count = this.#chance.whole(1, MAX_CONCURRENT, 'due', round);
    const ids: string[] = [];
    for (let n = 0; n < count; n++) {
      const phone = `+4477${String(10_000_000 + this.#schedules.length)}`;
      const { id } = await h.agreed({ start_date: start.toString(), customer: { phone } });
      await h.update(id, { amount: { value: 2000, currency: 'GBP' } });
      ids.push(id);
      this.#schedules.push(id);
    }
    await this.#runUntil(start.subtract({ seconds: 1 }));
    h.clock.at = start;
    return ids;
  }

  async #act(act: (typeof ACTS)[number], id: string): Promise<void> {
    const h = this.#h;
    if (act === 'cancel') await h.update(id, { status: 'cancelled' });
    else if (act === 'pause') await h.update(id, { status: 'paused' });
    else if (act === 'raise') {
      const raised = await h.update(id, { amount: { value: 9999, currency: 'GBP' } });
      await h.decide(raised.consent_url);
    }
  }

  /** Runs on with one process, at the same rough bank; the customers whom the bank wants confirm. */
  async #goOn(hours: number): Promise<void> {
    await this.#runUntil(this.#h.clock.at.add({ hours }));
    for (const id of this.#schedules) await this.#confirm(id);
  }

  #runUntil(to: Temporal.Instant): Promise<void> {
    const h = this.#h;
    return h.runUntil(to, h.another({ bank: () => this.#bank.seenBy(null) }));
  }

  async #confirm(id: string): Promise<void> {
    const h = this.#h;
    const { consent_notice: notice, portal_url: page, status } = await h.show(id);
    if (notice?.kind !== 'reauthentication_needed' || status === 'cancelled') return;
    const consent = await readLink(h.platform, page?.split('/').at(-1) ?? '');
    const begun = consent && (await beginConfirmation(h.service.authorisation, consent));
    if (begun) await completeConfirmation(h.service.authorisation, begun.state, 'agreed');
  }

  /** Waits until `work` is done, or waits for a lock in the database. */
  async #doneOrLocked(work: Promise<unknown>): Promise<void> {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    await until('a transaction ends, or waits for a lock', async () => {
      if (isDone) return true;
      const waiting = await asOwner(this.#h.db, (tx) =>
        tx.row<{ count: number }>(
          `SELECT count(*)::int AS count FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        ),
      );
      return (waiting?.count ?? 0) > 0;
    });
    if (isDone) await done;
  }

  /** Returns what is broken now: laws, and occurrences that were debited twice. */
  async broken(): Promise<string[]> {
    const findings = await checkLaws(this.#h.platform);
    const lines = findings.flatMap(({ law, broken }) => broken.map((line) => `${law}: ${line}`));
    const debits = Map.groupBy(
      [...this.#h.bank.payments.values()].filter(({ status }) => status !== 'failed'),
      ({ endToEndId }) => endToEndId.replace(/-a\d+$/, ''),
    );
    for (const [paymentId, some] of debits)
      if (some.length > 1)
        lines.push(`one debit for each occurrence: ${paymentId} has ${some.length}`);
    return lines;
  }

  /** Lets everybody be at their best for two weeks; returns what is broken then, and what has not ended. */
  async calmEnd(): Promise<string[]> {
    this.#bank.isCalm = true;
    for (let day = 0; day < CALM_DAYS; day++) await this.#goOn(24);
    const open = await this.#h.db.read((tx) =>
      tx.rows<{ paymentId: string; status: string }>(
        `SELECT p.payment_id, p.status FROM payments p JOIN payment_work w USING (merchant_id, payment_id)
         WHERE p.status IN ('pending', 'processing')`,
      ),
    );
    return [...(await this.broken()), ...open.map((one) => `${one.paymentId} is ${one.status}`)];
  }
}
