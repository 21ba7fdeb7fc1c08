import { openDispute, withdrawDispute } from '../server/src/disputes/service.ts';
import { listDisputesOfAll } from '../server/src/operators/disputes/store.ts';
import { ApiError } from '../server/src/platform/values/errors.ts';
import { Api, type ApiCaller } from './api.ts';
import type { Dispute } from './book/disputes.ts';
import type { World } from './world.ts';

const MINUTES_OF_A_DAY = 24 * 60;
/** Of what a merchant has collected, disputed on a day; of its disputes, answered on a day. */
const RAISED = 0.12;
const ANSWERED = 0.3;
const RAISED_WITHIN_DAYS = 10;
const MAX_TRIES = 5;
const MAX_LISTED = 1000;
/** When settlements are paid out, and when most collections fall due; the rest of the day at random. */
const BUSY_MINUTES = [6 * 60, 9 * 60, null, null] as const;
const OPERATOR_LOOKS_AT = 12 * 60;
const REASONS = [
  'unauthorised',
  'unauthorised',
  'after_withdrawal',
  'wrong_amount',
  'duplicate',
  'not_received',
  'other',
] as const;

type Reason = (typeof REASONS)[number];
type Payment = { id: string; pence: number };
/** What the API shows of a dispute. */
type View = { id: string; status: string; amount: { value: number }; refund_id: string | null };

/**
 * Customers on their page and merchants by the API dispute payments, whole or in part, and end disputes: they refund, reject and
 * withdraw them, also twice, also while a refund waits or comes back. Once a day the operator looks at the list of open ones.
 */
export function planDisputes(world: World, merchantIds: readonly string[]): void {
  const { settings, agenda, chance } = world;
  const people = new Disputants(world);
  for (let day = 1; day < settings.days; day++) {
    for (const [n, merchantId] of merchantIds.entries()) {
      const busy = chance.pick(BUSY_MINUTES, 'disputes', n, day);
      const minute = busy ?? chance.whole(0, MINUTES_OF_A_DAY - 1, 'disputes', n, day, 'minute');
      const at = settings.start.add({ minutes: day * MINUTES_OF_A_DAY + minute });
      agenda.add(at, `disputes ${n}`, () => people.act({ n, merchantId }, day));
    }
    const noon = settings.start.add({ minutes: day * MINUTES_OF_A_DAY + OPERATOR_LOOKS_AT });
    agenda.add(noon, 'disputes of all', () => look(world));
  }
}

async function look({ db, disputes }: World): Promise<void> {
  const page = { limit: MAX_LISTED, offset: 0 };
  const { data } = await db.transaction((tx) => listDisputesOfAll(tx, 'open', page));
  disputes.listed(
    data.map(({ disputeId, deadlineAt }) => ({
      disputeId,
      deadline: deadlineAt.epochMilliseconds,
    })),
  );
}

class Disputants {
  readonly #world: World;
  readonly #api: Api;

  constructor(world: World) {
    this.#world = world;
    this.#api = new Api(world);
  }

  async act(merchant: ApiCaller, day: number): Promise<void> {
    const { chance, disputes } = this.#world;
    for (const dispute of disputes.of(merchant.merchantId))
      if (chance.happens(ANSWERED, 'answer', dispute.disputeId, day))
        await this.#answer(merchant, dispute, day);
    for (const payment of await this.#collected(merchant))
      if (chance.happens(RAISED, 'dispute', payment.id, day))
        await this.#raise(merchant, payment, day);
  }

  #collected({ merchantId }: ApiCaller): Promise<Payment[]> {
    const since = this.#world.clock.at.subtract({ hours: 24 * RAISED_WITHIN_DAYS });
    return this.#world.db.read((tx) =>
      tx.rows<Payment>(
        `SELECT payment_id AS id, amount_pence AS pence FROM payments
         WHERE merchant_id = $1 AND status = 'success' AND completed_at >= $2 ORDER BY payment_id`,
        [merchantId, since],
      ),
    );
  }

  async #raise(merchant: ApiCaller, { id, pence }: Payment, day: number): Promise<void> {
    const { chance, clock, disputes } = this.#world;
    const about = ['dispute', id, day] as const;
    const reason = chance.pick(REASONS, ...about, 'reason');
    const value = chance.whole(1, pence, ...about, 'pence');
    const amount = chance.happens(0.4, ...about, 'part') ? { value, currency: 'GBP' } : undefined;
    const asked = { reason, ...(amount === undefined ? {} : { amount }) };
    const isOfCustomer = chance.happens(0.5, ...about, 'customer');
    const made = isOfCustomer
      ? await this.#raiseOnPage(merchant, id, asked)
      : await this.#ask(merchant, 'dispute a payment', `/payments/${id}/disputes`, asked);
    if (made === null) return;
    const at = clock.at.epochMilliseconds;
    disputes.raised({
      disputeId: made.id,
      paymentId: id,
      merchantId: merchant.merchantId,
      isOfCustomer,
      reason,
      pence: made.amount.value,
      at,
    });
    if (amount !== undefined && made.amount.value !== value)
      disputes.contradictions.push(`${made.id} is of ${made.amount.value}, asked was ${value}`);
    const again = await this.#ask(merchant, 'dispute a payment', `/payments/${id}/disputes`, asked);
    if (again !== null) disputes.contradictions.push(`${id} is disputed twice: ${again.id}`);
  }

  /** On the customer's page; where the process died over it, the page shows the outcome. */
  async #raiseOnPage(
    { merchantId }: ApiCaller,
    paymentId: string,
    asked: { reason: Reason; amount?: { value: number; currency: string } },
  ): Promise<View | null> {
    const { clock, db } = this.#world;
    await this.#onPage('dispute', (deps, tx) =>
      openDispute(deps, { tx, now: clock.at, merchantId }, paymentId, {
        ...asked,
        raisedBy: 'customer',
      }),
    );
    const row = await db.read((tx) =>
      tx.row<{ id: string; status: string; pence: number }>(
        `SELECT dispute_id AS id, status, amount_pence AS pence FROM disputes
         WHERE merchant_id = $1 AND payment_id = $2 AND raised_by = 'customer' AND created_at = $3`,
        [merchantId, paymentId, clock.at],
      ),
    );
    if (row === null) return null;
    this.#world.history.count('customer: dispute');
    const { id, status, pence } = row;
    return { id, status, amount: { value: pence }, refund_id: null };
  }

  /** What a customer does on the page, until a process lives to answer; what is refused is an answer. */
  async #onPage(
    what: string,
    work: (
      deps: Parameters<typeof withdrawDispute>[0],
      tx: Parameters<typeof withdrawDispute>[1]['tx'],
    ) => Promise<unknown>,
  ): Promise<void> {
    const { processes, history } = this.#world;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const lived = await processes.ask(async ({ authorisation: { platform }, refunds }) => {
        try {
          await platform.db.transaction((tx) => work({ platform, refunds }, tx));
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          history.count(`page refused: ${what} ${error.code}`);
        }
      });
      if (lived) return;
    }
  }

  async #answer(merchant: ApiCaller, dispute: Dispute, day: number): Promise<void> {
    const { chance, disputes } = this.#world;
    const { disputeId: id, isOfCustomer } = dispute;
    const share = chance.share('answer', id, day, 'how');
    if (share < 0.15) {
      const made = await this.#ask(merchant, 'withdraw a dispute', `/disputes/${id}/withdraw`);
      if (isOfCustomer && made !== null)
        disputes.contradictions.push(`${id} of a customer is withdrawn by the merchant`);
      const isDone = isOfCustomer ? await this.#withdrawOnPage(dispute) : made !== null;
      if (isDone) disputes.answered(id, { kind: 'withdrawn', refundId: null });
      return;
    }
    if (share < 0.3) {
      const body = { answer: 'You agreed to it.' };
      const made = await this.#ask(merchant, 'reject a dispute', `/disputes/${id}/reject`, body);
      if (made !== null) disputes.answered(id, { kind: 'rejected', refundId: null });
      return;
    }
    const times = chance.happens(0.3, 'answer', id, day, 'twice') ? 2 : 1;
    for (let n = 0; n < times; n++) await this.#refund(merchant, dispute, day);
  }

  /** A customer takes back their own dispute. Returns whether it was open. */
  async #withdrawOnPage({ disputeId, merchantId }: Dispute): Promise<boolean> {
    const { clock, db, history } = this.#world;
    const statusOf = async (): Promise<string | undefined> =>
      (
        await db.read((tx) =>
          tx.row<{ status: string }>(
            'SELECT status FROM disputes WHERE merchant_id = $1 AND dispute_id = $2',
            [merchantId, disputeId],
          ),
        )
      )?.status;
    const before = await statusOf();
    await this.#onPage('withdraw', (deps, tx) =>
      withdrawDispute(deps, { tx, now: clock.at, merchantId }, disputeId, 'customer'),
    );
    const isDone = before === 'open' && (await statusOf()) === 'withdrawn';
    if (isDone) history.count('customer: withdraw a dispute');
    return isDone;
  }

  async #refund(merchant: ApiCaller, dispute: Dispute, day: number): Promise<void> {
    const { book, chance, clock, db, disputes, history } = this.#world;
    const { disputeId: id, paymentId, pence } = dispute;
    const { merchantId } = merchant;
    const isPart = chance.happens(0.4, 'answer', id, day, 'part');
    const value = chance.whole(1, pence, 'answer', id, day, 'pence');
    const body = isPart ? { amount: { value, currency: 'GBP' } } : {};
    const made = await this.#ask(merchant, 'refund a dispute', `/disputes/${id}/refund`, body);
    if (made === null) return;
    const { refund_id: refundId } = made;
    if (made.status === 'open') history.count('disputes: its refund waits');
    disputes.answered(id, { kind: 'refunded', refundId });
    if (refundId === null) return;
    const row = await db.read((tx) =>
      tx.row<{ pence: number }>(
        'SELECT amount_pence AS pence FROM refunds WHERE merchant_id = $1 AND refund_id = $2',
        [merchantId, refundId],
      ),
    );
    const shownPence = row?.pence ?? 0;
    if (shownPence > pence)
      disputes.contradictions.push(`${id} of ${pence} is refunded ${shownPence}`);
    book.refunds.push({
      refundId,
      paymentId,
      merchantId,
      pence: isPart ? value : null,
      shownPence,
      at: clock.at.epochMilliseconds,
      mayWait: true,
    });
  }

  async #ask(merchant: ApiCaller, what: string, path: string, body: object = {}) {
    const request = { method: 'POST', path: `/api/v1${path}`, body } as const;
    return (await this.#api.ask(merchant, what, request)) as View | null;
  }
}
