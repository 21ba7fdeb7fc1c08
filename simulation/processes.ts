import { type Partners, type Service, wireService } from '../server/src/app/service.ts';
import { BankUnavailable } from '../server/src/banks/bank.ts';
import { makeHttpServer } from '../server/src/platform/http/server.ts';
import type { Platform } from '../server/src/platform/platform.ts';
import { IssuerUnavailable } from '../server/src/wallets/issuer.ts';
import { Dead, Doomed } from '../server/test-support/crash.ts';
import type { Agenda } from './agenda.ts';
import { type QuietDb, Stalling, type StallPlan } from './stalling.ts';
import type { Troubles } from './troubles.ts';
import { wrapPartners } from './wrap-partners.ts';

const TWO_AT_ONCE = 0.1;
const MOST_TURNS = 1000;
/** A process dies, or stands still, within so many steps or calls. */
const MOST_STEPS = 40;
const MOST_STATEMENTS = 400;
const MOST_CALLS = 30;
const LONGEST_STALL_MINUTES = 3 * 60;

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
  http: Awaited<ReturnType<typeof makeHttpServer>> | null;
}

/** What ends a turn of a stage, and no more: a partner is silent, or the process died. */
function isExpected(error: unknown): boolean {
  return (
    error instanceof BankUnavailable || error instanceof IssuerUnavailable || error instanceof Dead
  );
}

function unexpectedOf(ended: readonly PromiseSettledResult<unknown>[]): {
  errors: unknown[];
  unexpected: unknown;
} {
  const errors = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  return { errors, unexpected: errors.find((error) => !isExpected(error)) };
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
  readonly #second: Service;
  #current: Process;
  #doomed: Doomed | null = null;
  /** Null: the process is to die, and does not stand still before. */
  #stalling: Stalling | null;

  constructor(
    platform: Platform & { db: QuietDb },
    partners: Partners,
    { troubles, agenda }: { troubles: Troubles; agenda: Agenda },
  ) {
    this.#platform = platform;
    this.#partners = partners;
    this.#troubles = troubles;
    this.#agenda = agenda;
    this.#second = wireService(platform, partners);
    this.#stalling = this.#makeStalling(null);
    this.#current = this.#startStalling(this.#stalling);
  }

  /** The process that answers now. */
  get current(): Service {
    return this.#current.service;
  }

  #start(over: { platform?: Platform; partners?: Partners }): Process {
    const { platform = this.#platform, partners = this.#partners } = over;
    return { platform, service: wireService(platform, partners), http: null };
  }

  #makeStalling(plan: StallPlan | null): Stalling {
    const { now } = this.#troubles;
    return new Stalling(plan, () => this.#troubles.strikes('stallAtNo', now().toString()));
  }

  #startStalling(stalling: Stalling): Process {
    return this.#start({ partners: wrapPartners(this.#partners, (one) => stalling.wrap(one)) });
  }

  /** Another process takes the place of one that died or stands still. */
  #replace(plan: StallPlan | null = null): void {
    this.#doomed = null;
    this.#stalling = this.#makeStalling(plan);
    this.#current = this.#startStalling(this.#stalling);
  }

  /** Whether it is settled already how the process will end. */
  #isFated(): boolean {
    return this.#stalling === null || this.#stalling.plan !== null;
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
    const most = unit === 'statement' ? MOST_STATEMENTS : MOST_STEPS;
    const step = chance.whole(1, most, 'crash', name);
    const after = chance.happens(0.5, 'crash', name, 'after');
    history.note('crash', name, 'in', step, unit, after ? 'after' : 'before');
    const doomed = new Doomed(step, after, unit);
    this.#doomed = doomed;
    this.#stalling = null;
    this.#current = this.#start({
      platform: { ...this.#platform, db: doomed.wrap.db(this.#platform.db) },
      partners: wrapPartners(this.#partners, (partner) => doomed.proxy(partner)),
    });
  }

  /** From now on one of the next calls of the process to the outside takes very long. */
  stall(name: string): void {
    if (this.#isFated()) return;
    const { chance, history } = this.#troubles;
    const call = chance.whole(1, MOST_CALLS, 'stall', name);
    const after = chance.happens(0.5, 'stall', name, 'after');
    history.note('stall', name, 'at call', call, after ? 'after' : 'before');
    this.#replace({ call, after });
  }

  /** What somebody asks of the process that answers; false: it died over it. */
  async ask(work: (service: Service) => Promise<void>): Promise<boolean> {
    try {
      await work(this.#current.service);
    } catch (error) {
      if (this.#doomed?.isDead !== true) throw error;
    }
    return !this.#bury();
  }

  /** Asks the API of the process that answers; null: it died over it. */
  async request(request: ApiRequest): Promise<ApiAnswer | null> {
    const { current } = this;
    const process = this.#current;
    process.http ??= await makeHttpServer({
      platform: process.platform,
      routes: current.routes,
      authenticate: async (merchantId) => ({ merchantId, actorId: merchantId }),
      checkResponses: true,
    });
    const answer = await process.http.inject({
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
      await process.http.close();
      return null;
    }
    const isReplayed = answer.headers['idempotent-replayed'] === 'true';
    return { status: answer.statusCode, body: answer.body, isReplayed };
  }

  /**
   * Does what is due now. A partner that does not answer ends a stage's turn, which the engine begins anew; what it had
   * claimed is not due again before its lease is over.
   */
  async drain(): Promise<void> {
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      const { chance, now } = this.#troubles;
      const areTwo = chance.happens(TWO_AT_ONCE, 'two processes', now().toString(), turn);
      const all = areTwo ? [this.current, this.#second] : [this.current];
      const ended = await this.#endOf(all.map((service) => service.engine.drain()));
      if (ended === null) continue;
      const isDead = this.#bury();
      const { errors, unexpected } = unexpectedOf(ended);
      if (unexpected !== undefined) throw unexpected;
      if (errors.length === 0 && !isDead) return;
    }
    throw new Error('the engine does not come to an end');
  }

  /** How the work ended; null: it has not, because the process stands still, and another has taken over. */
  async #endOf(work: Promise<number>[]): Promise<PromiseSettledResult<number>[] | null> {
    const ends = Promise.allSettled(work);
    const stalling = this.#stalling;
    if (stalling === null) return ends;
    stalling.isArmed = true;
    const ended = await Promise.race([ends, stalling.begun.then(() => null)]);
    stalling.isArmed = false;
    if (ended !== null && !stalling.hasBegun) return ended;
    await this.#platform.db.quiet();
    this.#leave(stalling, ends);
    return null;
  }

  /** Another process goes on; this one wakes up some time later. */
  #leave(stalling: Stalling, ends: Promise<PromiseSettledResult<number>[]>): void {
    const { chance, history, now } = this.#troubles;
    const at = now().toString();
    const minutes = Math.ceil(LONGEST_STALL_MINUTES * chance.share('stalled', at) ** 2);
    history.note('stall', 'for', minutes);
    history.count('stalled');
    this.#replace();
    this.#agenda.add(now().add({ minutes }), 'wakes', async () => {
      history.note('stall', 'over');
      stalling.release();
      const { unexpected } = unexpectedOf(await ends);
      if (unexpected !== undefined) throw unexpected;
    });
  }

  /** Another process takes the place of a dead one. */
  #bury(): boolean {
    if (this.#doomed?.isDead !== true) return false;
    this.#troubles.history.note('crash', 'died');
    this.#troubles.history.count('crash');
    this.#replace();
    return true;
  }
}
