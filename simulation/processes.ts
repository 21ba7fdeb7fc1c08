import { type Partners, type Service, wireService } from '../server/src/app/wiring/service.ts';
import { BankUnavailable } from '../server/src/banks/bank.ts';
import { makeHttpServer } from '../server/src/platform/http/server.ts';
import type { Platform } from '../server/src/platform/platform.ts';
import type { Clock } from '../server/src/platform/time/clock.ts';
import { IssuerUnavailable } from '../server/src/wallets/issuer.ts';
import { Dead, Doomed } from '../server/test-support/crash.ts';
import type { Agenda } from './agenda.ts';
import { EVERYWHERE } from './book/incidents.ts';
import type { QuietDb } from './one-at-a-time.ts';
import { Stalling, type StallPlan } from './stalling.ts';
import type { Troubles } from './troubles.ts';
import { wrapPartners } from './wrap-partners.ts';

const TWO_AT_ONCE = 0.1;
const MAX_TURNS = 1000;
/** One that is to die does so within so many transactions or statements; one that is to stand still, within so many steps. */
const MAX_TRANSACTIONS = 40;
const MAX_STATEMENTS = 400;
const MAX_STEPS = 60;
const LONGEST_STALL_MINUTES = 3 * 60;
/** What a process had claimed, others take up within so many minutes. */
const LEASE_MINUTES = 10;
const MAX_SKEW_SECONDS = 60;
const LIKELY_AHEAD = 0.3;

/** A request of the API, as a merchant's program sends it. */
export interface ApiRequest {
  merchantId: string;
  method: 'POST' | 'PUT';
  path: string;
  key: string;
  body?: object;
}

export interface ApiAnswer {
  status: number;
  body: string;
  isReplayed: boolean;
}

interface Process {
  service: Service;
  platform: Platform;
  /** Its API; null until somebody asks. */
  http: Awaited<ReturnType<typeof makeHttpServer>> | null;
  /** How it may end: it crashes, or it stands still until another has taken its place. */
  fate: Doomed | Stalling;
}

/** The API of a process, which does not authenticate callers. */
function openHttp({ platform, service }: Process): ReturnType<typeof makeHttpServer> {
  return makeHttpServer({
    platform,
    routes: service.routes,
    authenticate: async (merchantId) => ({ merchantId, actorId: merchantId }),
    checkResponses: true,
  });
}

/** What ends a turn of a stage, and no more: a partner is silent, or the process died. */
function isExpected(error: unknown): boolean {
  return (
    error instanceof BankUnavailable || error instanceof IssuerUnavailable || error instanceof Dead
  );
}

function throwUnexpected(ended: readonly PromiseSettledResult<unknown>[]): void {
  for (const end of ended)
    if (end.status === 'rejected' && !isExpected(end.reason)) throw end.reason;
}

/**
 * The processes of the service on one database: they die at any statement or call, or stand still in the middle of one,
 * and another takes over; now and then two work at once.
 */
export class Processes {
  readonly #platform: Platform & { db: QuietDb };
  readonly #partners: Partners;
  readonly #troubles: Troubles;
  readonly #agenda: Agenda;
  /** Works beside the current one now and then, and has no fate. */
  #second: Service;
  /** The process that answers. */
  #current: Process;
  /** Grows when the database is restored: whoever stood still before that has no place any more. */
  #life = 1;

  constructor(
    platform: Platform & { db: QuietDb },
    partners: Partners,
    { troubles, agenda }: { troubles: Troubles; agenda: Agenda },
  ) {
    this.#platform = platform;
    this.#partners = partners;
    this.#troubles = troubles;
    this.#agenda = agenda;
    this.#second = this.#startSecond();
    this.#current = this.#start(null);
  }

  /** Its clock is ahead of the database's or behind it, by up to a minute. */
  #startSecond(): Service {
    const { chance } = this.#troubles;
    const seconds = chance.whole(-MAX_SKEW_SECONDS, MAX_SKEW_SECONDS, 'clock of the second');
    return wireService(this.#withClock(seconds), this.#partners);
  }

  /** By a clock of its own; what must be in one order is dated by the database, in the middle. */
  #withClock(seconds: number): Platform & { db: QuietDb } {
    const { clock } = this.#platform;
    const own: Clock = { now: () => clock.now().add({ seconds }), within: async () => clock.now() };
    return { ...this.#platform, clock: own };
  }

  /** A new process, ahead of the database now and then; one that is behind would need every step twice. */
  #platformOf(): Platform & { db: QuietDb } {
    const { chance, now } = this.#troubles;
    const isAhead = chance.happens(LIKELY_AHEAD, 'clock ahead', now().toString());
    const seconds = chance.whole(1, MAX_SKEW_SECONDS, 'clock ahead by', now().toString());
    return this.#withClock(isAhead ? seconds : 0);
  }

  /** All processes are restarted, on a database that was restored: nobody of before goes on. */
  restart(): void {
    this.#life += 1;
    this.#second = this.#startSecond();
    this.#current = this.#start(null);
  }

  /** A process that does not die; without a plan, it stands still only where a bank's no makes it. */
  #start(plan: StallPlan | null): Process {
    const { now } = this.#troubles;
    const fate = new Stalling(plan, () => this.#troubles.strikes('stallAtNo', now().toString()));
    const own = this.#platformOf();
    const platform = { ...own, db: fate.wrapDb(own.db) };
    return this.#wire(fate, platform, (partner) => fate.wrap(partner));
  }

  #startDoomed(fate: Doomed): Process {
    const own = this.#platformOf();
    const platform = { ...own, db: fate.wrap.db(own.db) };
    return this.#wire(fate, platform, (partner) => fate.proxy(partner));
  }

  #wire(
    fate: Process['fate'],
    platform: Platform,
    wrap: <T extends object>(partner: T) => T,
  ): Process {
    const service = wireService(platform, wrapPartners(this.#partners, wrap));
    return { service, platform, http: null, fate };
  }

  /** Whether it is settled already how the process will end. */
  #isFated(): boolean {
    const { fate } = this.#current;
    return fate instanceof Doomed || fate.plan !== null;
  }

  /** When something is due next: asked by one who does not die of it. */
  nextDue(): Promise<Temporal.Instant | null> {
    return this.#second.engine.nextDue();
  }

  /** From now on the process has only so many steps to live: statements or transactions, and calls to the outside. */
  doom(name: string): void {
    if (this.#isFated()) return;
    const { chance, history } = this.#troubles;
    const unit = chance.happens(0.5, 'crash', name, 'unit') ? 'statement' : 'transaction';
    const most = unit === 'statement' ? MAX_STATEMENTS : MAX_TRANSACTIONS;
    const step = chance.whole(1, most, 'crash', name);
    const after = chance.happens(0.5, 'crash', name, 'after');
    history.note('crash', name, 'in', step, unit, after ? 'after' : 'before');
    this.#current = this.#startDoomed(new Doomed(step, after, unit));
  }

  /** From now on one of the next steps of the process takes very long: a call to the outside, or a transaction. */
  stall(name: string): void {
    if (this.#isFated()) return;
    const { chance, history } = this.#troubles;
    const step = chance.whole(1, MAX_STEPS, 'stall', name);
    const after = chance.happens(0.5, 'stall', name, 'after');
    history.note('stall', name, 'at step', step, after ? 'after' : 'before');
    this.#current = this.#start({ step, after });
  }

  /** What somebody asks of the process that answers; false: it died over it. */
  async ask(work: (service: Service) => Promise<void>): Promise<boolean> {
    try {
      await work(this.#current.service);
    } catch (error) {
      if (!this.#isDead()) throw error;
    }
    return !this.#bury();
  }

  /** Asks the API of the process that answers; null: it died over it. */
  async request(request: ApiRequest): Promise<ApiAnswer | null> {
    const asked = this.#current;
    asked.http ??= await openHttp(asked);
    const answer = await asked.http.inject({
      method: request.method,
      url: request.path,
      headers: {
        authorization: `Bearer ${request.merchantId}`,
        'idempotency-key': request.key,
        'x-request-id': request.key,
      },
      ...(request.body === undefined ? {} : { payload: request.body }),
    });
    if (this.#bury()) {
      await asked.http.close();
      return null;
    }
    const isReplayed = answer.headers['idempotent-replayed'] === 'true';
    return { status: answer.statusCode, body: answer.body, isReplayed };
  }

  /**
   * Does what is due now. A partner that does not answer ends a stage's turn, which the engine starts again; what it had
   * claimed is not due again before its lease is over.
   */
  async drain(): Promise<void> {
    for (let turn = 0; turn < MAX_TURNS; turn++) {
      const { chance, now } = this.#troubles;
      const areTwo = chance.happens(TWO_AT_ONCE, 'two processes', now().toString(), turn);
      const { service } = this.#current;
      const all = areTwo ? [service, this.#second] : [service];
      const ended = await this.#endOf(all.map(({ engine }) => engine.drain()));
      if (ended === null) continue;
      const hasDied = this.#bury();
      throwUnexpected(ended);
      if (!hasDied && ended.every((end) => end.status === 'fulfilled')) return;
    }
    throw new Error('the engine does not come to an end');
  }

  /** How the work ended; null: it has not, because the process stands still, and another has taken over. */
  async #endOf(work: Promise<unknown>[]): Promise<PromiseSettledResult<unknown>[] | null> {
    const ends = Promise.allSettled(work);
    const stalling = this.#current.fate;
    if (stalling instanceof Doomed) return ends;
    stalling.isArmed = true;
    const ended = await Promise.race([ends, stalling.begun.then(() => null)]);
    stalling.isArmed = false;
    if (ended !== null && !stalling.hasBegun) return ended;
    // What else was under way comes to rest first: else the machine would decide how far it gets before another takes over.
    await this.#platform.db.quiet();
    this.#leave(stalling, ends);
    return null;
  }

  /** Another process goes on; this one wakes up some time later. */
  #leave(stalling: Stalling, ends: Promise<PromiseSettledResult<unknown>[]>): void {
    const { chance, history, now } = this.#troubles;
    const at = now().toString();
    const minutes = Math.ceil(LONGEST_STALL_MINUTES * chance.share('stalled', at) ** 2);
    this.#troubles.disturb([EVERYWHERE], LEASE_MINUTES);
    history.note('stall', 'for', minutes);
    history.count('stalled');
    this.#current = this.#start(null);
    const life = this.#life;
    this.#agenda.add(now().add({ minutes }), 'wakes', async () => {
      if (life !== this.#life) return;
      history.note('stall', 'over');
      stalling.release();
      throwUnexpected(await ends);
    });
  }

  #isDead(): boolean {
    const { fate } = this.#current;
    return fate instanceof Doomed && fate.isDead;
  }

  /** Another process takes the place of one that died; answers whether it had. */
  #bury(): boolean {
    if (!this.#isDead()) return false;
    this.#troubles.disturb([EVERYWHERE], LEASE_MINUTES);
    this.#troubles.history.note('crash', 'died');
    this.#troubles.history.count('crash');
    this.#current = this.#start(null);
    return true;
  }
}
