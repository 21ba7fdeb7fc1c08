import { createMerchant } from '../server/src/merchants/service.ts';
import type { ScheduleView } from '../server/src/schedules/change/view.ts';
import type { UpdateBody } from '../server/src/schedules/request/request.ts';
import { planMerchantWallet } from '../server/src/wallets/service.ts';
import { EVENT_KINDS } from '../server/src/webhooks/endpoint.ts';
import { createEndpoint } from '../server/src/webhooks/service.ts';
import { Api, type ApiCaller } from './api.ts';
import { Customers } from './customers.ts';
import { setFeesNow } from './fees.ts';
import { changeUpcoming } from './occurrences.ts';
import { changedTerms, newTerms } from './terms.ts';
import type { World } from './world.ts';

const MINUTES_OF_A_DAY = 24 * 60;
const RETRIES_BY_HAND = 0.2;
/** Of the schedules of a merchant, asked on a day for another account. */
const ACCOUNTS_CHANGED = 0.02;
/** Of what a merchant has collected, refunded on a day. */
const REFUNDED = 0.06;
/** How far back a merchant looks for what to refund. */
const REFUNDED_WITHIN_DAYS = 10;
const SHORT_DAYS = 90;
const LONGEST_REST_DAYS = 40;

type Merchant = ApiCaller;

/** The merchants: they make schedules, change, pause, resume and cancel them at any moment, retry by hand, and refund. */
export class Merchants {
  readonly #world: World;
  readonly #customers: Customers;
  readonly #api: Api;
  readonly #all = new Map<string, Merchant>();

  constructor(world: World) {
    this.#world = world;
    this.#customers = new Customers(world);
    this.#api = new Api(world);
  }

  /** They sign up, and plan what they will do. */
  async begin(): Promise<void> {
    const { settings, agenda, chance } = this.#world;
    const all: Merchant[] = [];
    for (let n = 0; n < settings.merchants; n++) all.push(await this.#signUp(n));
    for (const merchant of all) this.#all.set(merchant.merchantId, merchant);
    for (let n = 0; n < settings.schedules; n++) {
      const merchant = all[chance.whole(0, all.length - 1, 'merchant of', n)];
      if (merchant === undefined) continue;
      const latest = (settings.days / 2) * MINUTES_OF_A_DAY;
      const at = settings.start.add({ minutes: chance.whole(60, latest, 'created', n) });
      agenda.add(at, `create ${n}`, () => this.#create(merchant, n));
    }
    for (const merchant of all) this.#lookLater(merchant, 1);
  }

  ids(): string[] {
    return [...this.#all.keys()];
  }

  /** Somebody says no to what is collected just now: a merchant, or its customer on the portal. */
  async sayNo(merchantId: string, scheduleId: string, name: string): Promise<void> {
    const { agenda, chance, clock } = this.#world;
    const merchant = this.#named(merchantId);
    const share = chance.share('no', name);
    if (share < 0.35) return this.#customers.withdraw(merchantId, scheduleId, false);
    if (share < 0.6) return this.#update(merchant, scheduleId, 'cancel', { status: 'cancelled' });
    const hours = Math.ceil(48 * chance.share('no', name, 'paused') ** 3);
    agenda.add(clock.at.add({ hours }), `resume ${name}`, () =>
      this.#update(merchant, scheduleId, 'resume', { status: 'active' }),
    );
    return this.#update(merchant, scheduleId, 'pause', { status: 'paused' });
  }

  /** A merchant changes a schedule of its own. */
  async update(merchantId: string, id: string, what: string, body: UpdateBody): Promise<void> {
    await this.#update(this.#named(merchantId), id, what, body);
  }

  /** Some merchants refund a part of one payment each. */
  async refundSome(likely: number, day: number): Promise<void> {
    if (this.#world.troubles.isCalm) return;
    const { chance } = this.#world;
    for (const merchant of this.#all.values()) {
      if (!chance.happens(likely, 'evening', merchant.n, day)) continue;
      const [first, ...others] = await this.#collected(merchant);
      if (first === undefined) continue;
      const { id, pence } = chance.pick([first, ...others], 'evening', merchant.n, day, 'of');
      const most = Math.max(1, Math.floor(pence / 3));
      const value = chance.whole(1, most, 'evening', merchant.n, day, 'pence');
      const path = `/api/v1/payments/${id}/refunds`;
      const body = { amount: { value, currency: 'GBP' } };
      await this.#refundOnce(merchant, id, { method: 'POST', path, body });
    }
  }

  #named(merchantId: string): Merchant {
    const merchant = this.#all.get(merchantId);
    if (merchant === undefined) throw new Error(`there is no merchant ${merchantId}`);
    return merchant;
  }

  /** A merchant does not wait for the next attempt of a payment. */
  async retryByHand(merchantId: string, paymentId: string): Promise<void> {
    const path = `/api/v1/payments/${paymentId}/retry`;
    await this.#api.ask(this.#named(merchantId), 'retry a payment', { method: 'POST', path });
  }

  async #signUp(n: number): Promise<Merchant> {
    const { platform, chance, clock, db, book } = this.#world;
    const name = `Merchant ${n}`;
    const timeZone = chance.pick(
      ['Europe/London', 'Europe/London', 'America/New_York', 'Australia/Lord_Howe'],
      'zone of',
      n,
    );
    const account = String(30_000_000 + n);
    const refundsWait = chance.happens(0.5, 'refunds of', n, 'wait');
    const { merchantId } = await createMerchant(
      platform,
      {
        name,
        legalName: `${name} Ltd`,
        email: 'help@merchant.example',
        website: 'https://merchant.example',
        address: '1 High Street, Leeds',
        terms: 'Cancel at any time.',
        settlementAccount: { sortCode: '089999', accountNumber: account, name },
        timeZone,
        reuseConsent: chance.happens(0.4, 'reuse of', n),
        refundsWait,
      },
      (tx, id) => planMerchantWallet(platform, { tx, now: clock.at, merchantId: id }),
    );
    book.merchants.set(merchantId, { merchantId, zone: timeZone, account, refundsWait });
    const url = `http://127.0.0.1/receiver/${n}`;
    await db.forMerchant(merchantId, (tx) =>
      createEndpoint(platform, { tx, now: clock.at, merchantId }, { url, eventKinds: EVENT_KINDS }),
    );
    await setFeesNow(this.#world, { n, merchantId }, 0);
    return { n, merchantId };
  }

  async #create(merchant: Merchant, n: number): Promise<void> {
    const { book, chance, clock, settings } = this.#world;
    const most = {
      schedules: Math.ceil(settings.schedules / settings.merchants),
      days: Math.min(20, Math.ceil(settings.days / 4)),
      isShort: settings.days < SHORT_DAYS,
    };
    const body = newTerms(chance, clock.at, merchant.n, n, most);
    const request = { method: 'POST', path: '/api/v1/schedules', body } as const;
    const view = (await this.#api.ask(merchant, 'create', request)) as ScheduleView | null;
    if (view === null) return;
    const { phone } = body.customer as { phone: string };
    book.created(clock.at.epochMilliseconds, merchant.merchantId, phone, body, view);
    if (view.consent_url !== undefined) this.#customers.receive(view.id, view.consent_url);
    this.#actLater(merchant, view.id, n, 1);
  }

  #actLater(merchant: Merchant, scheduleId: string, n: number, act: number): void {
    const { agenda, chance, clock, settings } = this.#world;
    const restDays = Math.min(LONGEST_REST_DAYS, settings.days);
    const minutes = chance.whole(1, restDays * MINUTES_OF_A_DAY, 'act', n, act, 'when');
    agenda.add(clock.at.add({ minutes }), `act ${n}`, async () => {
      if (this.#world.troubles.isCalm) return;
      await this.#act(merchant, scheduleId, n, act);
      this.#actLater(merchant, scheduleId, n, act + 1);
    });
  }

  async #act(merchant: Merchant, scheduleId: string, n: number, act: number): Promise<void> {
    const { chance, clock, agenda } = this.#world;
    const share = chance.share('act', n, act);
    const { merchantId } = merchant;
    if (this.#world.troubles.strikes('limitsLowered', scheduleId, act))
      await this.#customers.lowerLimits(merchantId, scheduleId);
    if (this.#world.troubles.strikes('asksAgain', scheduleId, act))
      await this.#customers.askAgain(merchantId, scheduleId);
    if (share < 0.05) return this.#customers.withdraw(merchantId, scheduleId, share < 0.03);
    if (share < 0.1) return this.#update(merchant, scheduleId, 'cancel', { status: 'cancelled' });
    if (share < 0.35) {
      const days = chance.whole(1, 10, 'act', n, act, 'paused');
      agenda.add(clock.at.add({ hours: 24 * days }), `resume ${n}`, () =>
        this.#update(merchant, scheduleId, 'resume', { status: 'active' }),
      );
      return this.#update(merchant, scheduleId, 'pause', { status: 'paused' });
    }
    if (share < 0.45) return this.#pauseUntil(merchant, scheduleId, act);
    if (share < 0.65) return this.#collectOnce(merchant, scheduleId, act);
    const body = changedTerms(chance, clock.at, 'act', n, act);
    return this.#update(merchant, scheduleId, 'change', body);
  }

  async #update(merchant: Merchant, id: string, what: string, body: UpdateBody): Promise<void> {
    const request = { method: 'PUT', path: `/api/v1/schedules/${id}`, body } as const;
    const view = (await this.#api.ask(merchant, what, request)) as ScheduleView | null;
    const { book, clock } = this.#world;
    if (view !== null) book.changed(clock.at.epochMilliseconds, body, view);
    if (view?.consent_url !== undefined) this.#customers.receive(id, view.consent_url);
  }

  /** A pause that ends automatically. */
  async #pauseUntil(merchant: Merchant, scheduleId: string, act: number): Promise<void> {
    const { chance, clock } = this.#world;
    const minutes = chance.whole(1, 10 * MINUTES_OF_A_DAY, 'until', scheduleId, act);
    const resume_at = clock.at.add({ minutes }).toString();
    return this.#update(merchant, scheduleId, 'pause until', { status: 'paused', resume_at });
  }

  /** Something besides the occurrences, now or later: often more than the limits leave. */
  async #collectOnce(merchant: Merchant, scheduleId: string, act: number): Promise<void> {
    const { book, chance, clock } = this.#world;
    const value = chance.whole(1, 2000, 'once', scheduleId, act);
    const days = chance.pick([0, 0, 1, 7, 30], 'once', scheduleId, act, 'when');
    const due_date = days === 0 ? null : clock.at.add({ hours: 24 * days }).toString();
    const request = { method: 'POST', path: `/api/v1/schedules/${scheduleId}/payments` } as const;
    const body = { amount: { value, currency: 'GBP' }, due_date };
    const made = await this.#api.ask(merchant, 'collect once', { ...request, body });
    if (made === null) return;
    const { id } = made as { id: string };
    book.collectedOnce(clock.at.epochMilliseconds, scheduleId, id, value);
  }

  /** Once a day each merchant looks at what has failed, and refunds some of what it has collected. */
  #lookLater(merchant: Merchant, day: number): void {
    const { agenda, chance, settings } = this.#world;
    const minutes = day * MINUTES_OF_A_DAY + chance.whole(0, 1000, 'look', merchant.n, day);
    agenda.add(settings.start.add({ minutes }), `look ${merchant.n}`, async () => {
      await this.#retry(merchant, day);
      if (!this.#world.troubles.isCalm) await this.#askForAccounts(merchant, day);
      if (!this.#world.troubles.isCalm) await setFeesNow(this.#world, merchant, day);
      if (!this.#world.troubles.isCalm) await this.#refund(merchant, day);
      if (!this.#world.troubles.isCalm) await changeUpcoming(this.#world, this.#api, merchant, day);
      this.#lookLater(merchant, day + 1);
    });
  }

  /** Some customers have changed banks. */
  async #askForAccounts(merchant: Merchant, day: number): Promise<void> {
    const { book, chance } = this.#world;
    for (const { scheduleId: id, merchant: own } of [...book.plans.values()]) {
      if (own.merchantId !== merchant.merchantId) continue;
      if (!chance.happens(ACCOUNTS_CHANGED, 'another account', id, day)) continue;
      const request = { method: 'POST', path: `/api/v1/schedules/${id}/consent` } as const;
      const what = 'ask for another account';
      const view = (await this.#api.ask(merchant, what, request)) as ScheduleView | null;
      if (view === null) continue;
      book.askedForAccount(view);
      if (view.consent_url !== undefined) this.#customers.receive(id, view.consent_url);
    }
  }

  async #retry(merchant: Merchant, day: number): Promise<void> {
    const { db, chance } = this.#world;
    const { merchantId } = merchant;
    const failed = await db.read((tx) =>
      tx.rows<{ id: string }>(
        `SELECT payment_id AS id FROM payments WHERE merchant_id = $1 AND status = 'failed'
         UNION ALL SELECT settlement_id FROM settlements WHERE merchant_id = $1 AND status = 'failed' ORDER BY id`,
        [merchantId],
      ),
    );
    for (const { id } of failed) {
      if (!chance.happens(RETRIES_BY_HAND, 'by hand', id, day)) continue;
      const what = id.startsWith('pay_') ? 'payment' : 'settlement';
      const path = `/api/v1/${what}s/${id}/retry`;
      await this.#api.ask(merchant, `retry a ${what}`, { method: 'POST', path });
    }
  }

  /** Refunds parts or the whole, and now and then twice the same: what is left is the service's to know. */
  async #refund(merchant: Merchant, day: number): Promise<void> {
    const { chance } = this.#world;
    for (const { id, pence } of await this.#collected(merchant)) {
      if (!chance.happens(REFUNDED, 'refund', id, day)) continue;
      const path = `/api/v1/payments/${id}/refunds`;
      const value = chance.whole(1, pence, 'refund', id, day, 'part');
      const isWhole = chance.happens(0.4, 'refund', id, day, 'whole');
      const body = isWhole ? {} : { amount: { value, currency: 'GBP' } };
      const times = chance.happens(0.2, 'refund', id, day, 'twice') ? 2 : 1;
      for (let n = 0; n < times; n++)
        await this.#refundOnce(merchant, id, { method: 'POST', path, body });
    }
  }

  /** What a merchant has collected lately. */
  #collected({ merchantId }: Merchant): Promise<{ id: string; pence: number }[]> {
    const { db, clock } = this.#world;
    const since = clock.at.subtract({ hours: 24 * REFUNDED_WITHIN_DAYS });
    return db.read((tx) =>
      tx.rows<{ id: string; pence: number }>(
        `SELECT payment_id AS id, amount_pence AS pence FROM payments
         WHERE merchant_id = $1 AND status = 'success' AND completed_at >= $2 ORDER BY payment_id`,
        [merchantId, since],
      ),
    );
  }

  async #refundOnce(
    merchant: Merchant,
    paymentId: string,
    request: { method: 'POST'; path: string; body: { amount?: { value: number } } },
  ): Promise<void> {
    const { book, clock } = this.#world;
    const made = await this.#api.ask(merchant, 'refund a payment', request);
    if (made === null) return;
    const { id, amount } = made as { id: string; amount: { value: number } };
    book.refunds.push({
      refundId: id,
      paymentId,
      merchantId: merchant.merchantId,
      pence: request.body.amount?.value ?? null,
      shownPence: amount.value,
      at: clock.at.epochMilliseconds,
      mayWait: book.merchants.get(merchant.merchantId)?.refundsWait === true,
    });
  }
}
