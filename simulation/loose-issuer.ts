import type {
  AccountDetails,
  Issuer,
  Movement,
  TransferOrder,
} from '../server/src/wallets/issuer.ts';
import type { BankPayment } from '../server/test-support/fake-bank.ts';
import { FakeIssuer } from '../server/test-support/fake-issuer.ts';
import type { Agenda } from './agenda.ts';
import type { Troubles } from './troubles.ts';

/** What an issuer is like, the whole time. */
export interface IssuerHabits {
  /** Transfers between wallets take some time. */
  pendingTransfers: boolean;
  /** Pay-ins are told without what their sender called them. */
  namelessPayIns: boolean;
  /** After a day it has forgotten a key, and carries the same order out again. */
  expiringKeys: boolean;
}

const KEYS_LIVE_FOR = Temporal.Duration.from({ hours: 24 });
const LONGEST_TRANSFER_MINUTES = 90;
const LATEST_RETURN_HOURS = 4 * 24;

/** An issuer with the ways of real ones: its orders take time, its keys end, and money comes back days later. */
export class LooseIssuer extends FakeIssuer {
  readonly ways: IssuerHabits;
  readonly #troubles: Troubles;
  readonly #agenda: Agenda;
  /** Which payment of a bank a pay-in is the money of. */
  readonly #sources = new Map<string, BankPayment>();
  /** What was sent back by hand, by the name of its item. */
  readonly #paidBack = new Set<string>();
  /** Tells of a pay-in once more. */
  tellAgain: (movement: Movement) => void = () => undefined;
  /** Tells of an order that has ended. */
  onMovement: (externalReference: string, movement: Movement) => void = () => undefined;
  /** The account from which a bank's payments under a consent come. */
  payerUnder: (bankConsentId: string) => AccountDetails | null = () => null;
  /** Who pays what arrives just now; undefined: whoever pays into that account. */
  #payer: AccountDetails | null | undefined;
  /** Whether a pay-in has paid for something, and nobody has recalled it. */
  hasPaid: (movementId: string) => Promise<boolean> = async () => false;

  constructor(troubles: Troubles, agenda: Agenda) {
    super(troubles.now);
    this.#troubles = troubles;
    this.#agenda = agenda;
    const has = (way: string): boolean => troubles.chance.happens(0.4, 'issuer', way);
    this.ways = {
      pendingTransfers: has('pending transfers'),
      namelessPayIns: has('nameless pay-ins'),
      expiringKeys: has('expiring keys'),
    };
  }

  /** Something goes wrong for the merchant whose wallet it is, or whose customer's. */
  protected disturbOwner(walletId: string | null): void {
    const reference = this.wallets.get(walletId ?? '')?.wallet.externalReference ?? '';
    this.#troubles.disturb(reference.split('/', 1));
  }

  /** One whose key has ended is known no more: the same order is a new one. */
  protected expire(key: string): void {
    const known = this.orders.get(key);
    if (known === undefined || !this.ways.expiringKeys) return;
    if (Temporal.Instant.compare(known.createdAt.add(KEYS_LIVE_FOR), this.now()) > 0) return;
    this.orders.delete(key);
    this.orders.set(`${key} before ${this.now()}`, known);
  }

  /** Movements of one key are told apart by their own ids. */
  #named(key: string, movement: Movement | undefined): void {
    const isAgain = [...this.orders.keys()].some((other) => other.startsWith(`${key} before `));
    if (movement !== undefined && isAgain) movement.movementId = `mv-${key}-${this.now()}`;
  }

  /** Carries one order out. */
  protected async makeTransfer(order: TransferOrder): Promise<Movement> {
    const { idempotencyKey: key } = order;
    this.expire(key);
    const isNew = !this.orders.has(key);
    const movement = (await super.transfer([order])).get(key);
    if (movement === undefined) throw new Error(`the transfer ${key} was not made`);
    if (isNew) this.#named(key, movement);
    const takesTime =
      this.ways.pendingTransfers && this.#troubles.strikes('transferTakesTime', key);
    if (isNew && takesTime && movement.status === 'settled') this.#holdBack(key, movement);
    return { ...movement };
  }

  /** It has left its first wallet, and reaches the other later, or comes back. */
  #holdBack(key: string, movement: Movement): void {
    const { chance } = this.#troubles;
    const { amountPence } = movement;
    const balanceOf = (id: string | null) => this.wallets.get(id ?? '')?.wallet;
    const [from, to] = [
      balanceOf(movement.fromIssuerWalletId),
      balanceOf(movement.toIssuerWalletId),
    ];
    if (from === undefined || to === undefined) throw new Error('a transfer between no wallets');
    to.balancePence -= amountPence;
    Object.assign(movement, { status: 'pending', completedAt: null });
    const minutes = chance.whole(1, LONGEST_TRANSFER_MINUTES, key, 'transfer');
    this.#agenda.add(this.now().add({ minutes }), `issuer ends ${key}`, () => {
      const fails = this.#troubles.strikes('transferRefused', key, 'at last');
      (fails ? from : to).balancePence += amountPence;
      const error = fails ? { code: 'technical', message: 'no' } : null;
      const status = fails ? 'failed' : 'settled';
      Object.assign(movement, { status, error, completedAt: this.now() });
      this.onMovement(from.externalReference, { ...movement });
    });
  }

  override payOut(order: Parameters<Issuer['payOut']>[0]): Promise<Movement> {
    const { idempotencyKey: key } = order;
    this.expire(key);
    const isNew = !this.orders.has(key);
    const made = super.payOut(order);
    if (isNew) this.#named(key, this.orders.get(key));
    return made.then((movement) => ({
      ...movement,
      movementId: this.orders.get(key)?.movementId ?? '',
    }));
  }

  override async findMovement(key: string): Promise<Movement | null> {
    this.expire(key);
    return super.findMovement(key);
  }

  override payerOf(creditor: string): AccountDetails | null {
    return this.#payer === undefined ? super.payerOf(creditor) : this.#payer;
  }

  /** The money of a payment of a bank arrives, now and then short of a penny. */
  protected arrive(debit: BankPayment): Movement {
    const isShort = debit.amountPence > 1 && this.#troubles.strikes('shortPayIn', debit.endToEndId);
    const amountPence = isShort ? debit.amountPence - 1 : debit.amountPence;
    this.#payer = this.payerUnder(debit.bankConsentId);
    const movement = super.payIn({ ...debit, amountPence });
    this.#payer = undefined;
    this.#sources.set(movement.movementId, debit);
    return movement;
  }

  /** Every movement once. */
  all(): Movement[] {
    const ids = new Map<string, Movement>();
    for (const { movements } of this.wallets.values())
      for (const movement of movements) ids.set(movement.movementId, movement);
    return [...ids.values()];
  }

  /** The payment of a bank that a pay-in is the money of. */
  sourceOf(movementId: string): BankPayment | null {
    return this.#sources.get(movementId) ?? null;
  }

  hasPaidBack(itemId: string): boolean {
    return this.#paidBack.has(itemId);
  }

  /** Money leaves a wallet by hand, back to who sent it. Returns the debit that is undone by it; null: only a part is. */
  payBack(itemId: string, movementId: string, amountPence: number): BankPayment | null {
    const payIn = this.all().find((movement) => movement.movementId === movementId);
    const held = this.wallets.get(payIn?.toIssuerWalletId ?? '');
    if (payIn === undefined || held === undefined) throw new Error(`no pay-in ${movementId}`);
    held.wallet.balancePence -= amountPence;
    this.#paidBack.add(itemId);
    held.movements.push({
      ...payIn,
      movementId: `mv-back-${itemId}`,
      kind: 'payout',
      fromIssuerWalletId: payIn.toIssuerWalletId,
      toIssuerWalletId: null,
      amountPence,
      createdAt: this.now(),
      completedAt: this.now(),
    });
    return amountPence === payIn.amountPence ? this.sourceOf(movementId) : null;
  }

  /** Some pay-outs come back, days after they have settled. */
  protected returnLater(key: string): void {
    if (!this.#troubles.strikes('payOutReturned', key)) return;
    const hours = this.#troubles.chance.whole(1, LATEST_RETURN_HOURS, key, 'returned');
    this.#agenda.add(this.now().add({ hours }), `issuer returns ${key}`, () => {
      this.#troubles.history.note('issuer', 'pay-out came back', key);
      this.disturbOwner(this.orders.get(key)?.fromIssuerWalletId ?? null);
      this.comeBack(key);
    });
  }

  /** The payer's bank recalls some pay-ins, days after they have come. */
  protected recallLater(movement: Movement): void {
    const { movementId } = movement;
    if (!this.#troubles.strikes('payInRecalled', movementId)) return;
    const hours = this.#troubles.chance.whole(1, LATEST_RETURN_HOURS, movementId, 'recalled');
    this.#agenda.add(this.now().add({ hours }), `issuer recalls ${movementId}`, async () => {
      if (!(await this.hasPaid(movementId))) return;
      this.#troubles.history.note('issuer', 'pay-in recalled', movementId);
      this.disturbOwner(movement.toIssuerWalletId);
      const source = this.sourceOf(movementId)?.endToEndId.replace(/-a\d+$/, '');
      this.#troubles.disturb(source === undefined ? [] : [source]);
      this.recall(movement);
    });
  }
}
