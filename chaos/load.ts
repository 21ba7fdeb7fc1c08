import { setTimeout as sleep } from 'node:timers/promises';
import { type NewSchedule, RecollectError, type Schedule } from '../sdk/src/index.ts';
import { playCustomer } from '../server/src/sandbox/player.ts';
import type { World } from './world.ts';

/** A customer of the merchant, and their identity at the sandbox's banks. */
interface Customer {
  phone: string;
  login: string;
  bankId: string;
}

/** What the API has acknowledged of a schedule, and the resulting first collection. */
export interface Acknowledged {
  scheduleId: string;
  customer: Customer;
  amountPence: number;
  /** The promised collection; null before the customer has agreed. */
  firstDue: string | null;
  /** The merchant has paused or cancelled it, or may have: what is collected then depends on timing. */
  isTouched: boolean;
}

type Persona = readonly [login: string, bankId: string];
/** The customers' personas, by the behaviour of their accounts, used in rotation. Those of `PAYING` always pay in the end. */
const PERSONAS: readonly Persona[] = [
  ['alex', 'northbank'],
  ['alex', 'northbank'],
  ['alex', 'harbour'],
  ['uma', 'northbank'],
  ['alex', 'northbank'],
  ['sid', 'northbank'],
  ['alex', 'northbank'],
  ['otto', 'northbank'],
  ['alex', 'northbank'],
  ['vera', 'northbank'],
  ['alex', 'harbour'],
  ['nina', 'northbank'],
];
const PAYING: ReadonlySet<string> = new Set(['alex', 'uma', 'sid', 'otto']);
const ACCOUNTS: Readonly<Record<string, string>> = {
  alex: '10000011',
  nina: '10000031',
  sid: '10000071',
  uma: '10000091',
  otto: '10000101',
  vera: '10000111',
};
const RICH_PENCE = 5_000_000_000;
/** What the first consent of a customer allows per day; the schedules after the first need far less. */
const ALLOWED_PENCE = 90_000;
const BASE_DUE_AFTER_S = 40;
const LATER_DUE_AFTER_S = 12;
const CONCURRENCY = 12;
const EVERY_MS = 200;
const LIKELY_NEW_CUSTOMER = 0.05;
const LIKELY_CHANGE_OF_MIND = 0.04;
const TRY_FOR_MS = 240_000;
const AGAIN_AFTER_MS = 200;

/** Whether a customer's payments all succeed in the end. */
export const alwaysPays = ({ login }: Customer): boolean => PAYING.has(login);

const isTooLate = (error: unknown): boolean =>
  error instanceof RecollectError && error.details?.start_date === 'must not lie in the past';

/** The merchant and its customers, who work without a pause, whatever happens to the service. */
export class Load {
  /** By schedule id. */
  readonly acknowledged = new Map<string, Acknowledged>();
  /** Wrong responses of the API. */
  readonly problems: string[] = [];
  /** Schedules requested while the service did not respond, until their start had passed: they are refused, and not created. */
  tooLate = 0;
  readonly #world: World;
  readonly #people: readonly Persona[];
  readonly #customers: Customer[] = [];
  readonly #running = new Set<Promise<void>>();
  #isOn = false;
  #loop: Promise<void> = Promise.resolve();
  #count = 0;
  #bursts = 0;

  /** `people`: the personas of its customers, used in rotation. */
  constructor(world: World, people: readonly Persona[] = PERSONAS) {
    this.#world = world;
    this.#people = people;
  }

  /** Creates the first customers, each with a consent that has room for more; resolves when the room can be used. */
  async prepare(count: number): Promise<void> {
    const { control } = this.#world.partners;
    for (const [login, account] of Object.entries(ACCOUNTS))
      for (const bankId of ['northbank', 'harbour'])
        if (login !== 'nina') await control.changeAccount(bankId, account, { balance: RICH_PENCE });
    await this.#allAtOnce(Array.from({ length: count }, () => this.#newCustomer(BASE_DUE_AFTER_S)));
    if (this.problems.length > 0) throw new Error(this.problems.join('; '));
    await sleep(BASE_DUE_AFTER_S * 500);
  }

  /** Starts the merchant's work; `stop` ends it and waits for work in progress. */
  start(): void {
    this.#isOn = true;
    this.#loop = this.#work();
  }

  async stop(): Promise<void> {
    this.#isOn = false;
    await this.#loop;
    await Promise.all(this.#running);
  }

  /** Creates `count` schedules of known customers, whose first collections are all due in `seconds` seconds. */
  async fallDue(count: number, seconds: number): Promise<void> {
    const payers = this.#customers.filter(alwaysPays);
    const round = this.#bursts++;
    await this.#allAtOnce(
      payers.slice(0, count).map(async (customer, n) => {
        await this.#create(customer, 100 + n, seconds, `burst ${round} ${n}`);
      }),
    );
  }

  /** Cancels every schedule. */
  async cancelAll(): Promise<void> {
    const all = [...this.acknowledged.values()];
    for (let at = 0; at < all.length; at += CONCURRENCY)
      await this.#allAtOnce(
        all
          .slice(at, at + CONCURRENCY)
          .map((one) => this.#change(one, 'cancelled', `close ${one.scheduleId}`)),
      );
  }

  async #work(): Promise<void> {
    while (this.#isOn) {
      if (this.#running.size < CONCURRENCY) {
        const task = this.#next().catch((error: unknown) => {
          this.problems.push(`the merchant could not go on: ${error}`);
        });
        const running: Promise<void> = task.finally(() => this.#running.delete(running));
        this.#running.add(running);
      }
      await sleep(EVERY_MS);
    }
  }

  async #allAtOnce(work: readonly Promise<void>[]): Promise<void> {
    await Promise.all(work);
  }

  async #next(): Promise<void> {
    const n = this.#count++;
    const { chance } = this.#world;
    const [first, ...others] = this.#customers;
    if (first === undefined || chance.happens(LIKELY_NEW_CUSTOMER, 'new customer', n))
      return this.#newCustomer(LATER_DUE_AFTER_S);
    const customer = chance.pick([first, ...others], 'customer', n);
    const seconds = chance.whole(3, 8, 'due', n);
    const one = await this.#create(customer, chance.whole(100, 300, 'amount', n), seconds, n);
    if (one === null || !chance.happens(LIKELY_CHANGE_OF_MIND, 'mind', n)) return;
    await sleep(chance.whole(0, 6_000, 'mind after', n));
    one.isTouched = true;
    const status = chance.pick<'paused' | 'cancelled'>(
      ['paused', 'cancelled'],
      'mind',
      n,
      'status',
    );
    await this.#change(one, status, `${n} ${status}`);
    if (status === 'paused') await this.#change(one, 'active', `${n} resumed`);
  }

  /** Creates a customer who agrees to a large amount, which is then lowered: that leaves room for other schedules. */
  async #newCustomer(dueAfter: number): Promise<void> {
    const n = this.#customers.length;
    const [login, bankId] = this.#people[n % this.#people.length] ?? ['alex', 'northbank'];
    const customer = { phone: `+4477009${String(n).padStart(5, '0')}`, login, bankId };
    this.#customers.push(customer);
    const one = await this.#create(customer, ALLOWED_PENCE, dueAfter, `customer ${n}`);
    if (one === null) return;
    one.isTouched = true; // the amount of the first collection depends on timing
    const amount = { value: 200, currency: 'GBP' };
    await this.#patiently(`lower ${n}`, (idempotencyKey) =>
      this.#world.client.schedules.update(one.scheduleId, { amount }, { idempotencyKey }),
    );
  }

  async #create(
    customer: Customer,
    pence: number,
    dueAfter: number,
    name: string | number,
  ): Promise<Acknowledged | null> {
    const { clock, client } = this.#world;
    const start = clock.now().add({ seconds: dueAfter }).round('second');
    const wanted: NewSchedule = {
      amount: { value: pence, currency: 'GBP' },
      frequency: 'daily',
      customer: { type: 'phone', value: customer.phone },
      description: `Schedule ${name}`,
      metadata: { name: String(name) },
      start_date: start.toString({ fractionalSecondDigits: 3 }),
    };
    const made = await this.#patiently(`create ${name}`, (idempotencyKey) =>
      client.schedules.create(wanted, { idempotencyKey }),
    );
    if (made === null) return null;
    const one: Acknowledged = {
      scheduleId: made.id,
      customer,
      amountPence: pence,
      firstDue: made.status === 'active' ? made.next_payment_date : null,
      isTouched: false,
    };
    this.acknowledged.set(made.id, one);
    if (made.status === 'pending_consent') one.firstDue = await this.#agree(made, customer);
    return one;
  }

  /** The customer opens the link and agrees; retries from the start until it works. Returns the first collection. */
  async #agree(made: Schedule, { login, bankId }: Customer): Promise<string | null> {
    const { client, origins } = this.#world;
    const deadline = performance.now() + TRY_FOR_MS;
    let last = 'nothing was tried';
    while (performance.now() < deadline) {
      const now = await this.#patiently(`read ${made.id}`, () => client.schedules.get(made.id));
      if (now?.status === 'active') return now.next_payment_date;
      const consentUrl = now?.consent_url ?? made.consent_url ?? '';
      const accountNumber = ACCOUNTS[login] ?? '';
      try {
        await playCustomer({
          consentUrl,
          decision: 'grant',
          bankId,
          login,
          accountNumber,
          origins,
        });
      } catch (error) {
        last = error instanceof Error ? error.message : String(error);
      }
      await sleep(AGAIN_AFTER_MS);
    }
    this.problems.push(`${made.id} was never agreed to: ${last}`);
    return null;
  }

  async #change(
    one: Acknowledged,
    status: 'active' | 'paused' | 'cancelled',
    name: string,
  ): Promise<void> {
    await this.#patiently(`change ${name}`, (idempotencyKey) =>
      this.#world.client.schedules.update(one.scheduleId, { status }, { idempotencyKey }),
    );
  }

  /** Retries until the service responds, always under the same key; a refusal is a problem. */
  async #patiently<T>(key: string, ask: (key: string) => Promise<T>): Promise<T | null> {
    const deadline = performance.now() + TRY_FOR_MS;
    while (true) {
      try {
        return await ask(`chaos-${key.replaceAll(' ', '-')}`);
      } catch (error) {
        const isRefusal =
          error instanceof RecollectError &&
          error.status < 500 &&
          ![409, 429].includes(error.status);
        if (isTooLate(error)) {
          this.tooLate++;
          return null;
        }
        if (isRefusal || performance.now() > deadline) {
          this.problems.push(`${key}: ${error}`);
          return null;
        }
        await sleep(AGAIN_AFTER_MS);
      }
    }
  }
}
