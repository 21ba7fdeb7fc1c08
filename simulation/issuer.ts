import {
  type Issuer,
  IssuerUnavailable,
  type IssuerWallet,
  type Movement,
  type TransferOrder,
} from '../server/src/wallets/issuer.ts';
import type { BankPayment } from '../server/test-support/fake-bank.ts';
import type { WalletWithAccount } from '../server/test-support/fake-issuer.ts';
import type { Agenda } from './agenda.ts';
import { LooseIssuer } from './loose-issuer.ts';
import type { Troubles } from './troubles.ts';

const NAME = 'issuer';
/** What has waited for the issuer is repeated within so many minutes. */
const AFTER_AN_OUTAGE = 70;
const LONGEST_PAY_OUT_MINUTES = 5 * 60;

/** An e-money issuer with books of its own, and with the troubles that it can make. */
export class SimulatedIssuer extends LooseIssuer {
  readonly #troubles: Troubles;
  readonly #agenda: Agenda;
  /** Called now and then when the answer to a pay-out of a merchant is lost. */
  whenPayOutIsLost: (merchantId: string) => Promise<void> = async () => undefined;

  constructor(troubles: Troubles, agenda: Agenda) {
    super(troubles, agenda);
    this.#troubles = troubles;
    this.#agenda = agenda;
    this.slowPayOuts = true;
  }

  async #call<T>(name: string, id: string, work: () => Promise<T>): Promise<T> {
    const { history } = this.#troubles;
    const about = [NAME, name, id, this.#troubles.countOf(NAME, name, id)] as const;
    const lose = (why: string): never => {
      history.note(...about, why);
      throw new IssuerUnavailable(why);
    };
    if (this.#troubles.isDown(NAME)) {
      history.count('issuer down');
      this.#troubles.disturb([NAME], AFTER_AN_OUTAGE);
      lose('down');
    }
    if (this.#troubles.strikes('lostBefore', ...about)) lose('question lost');
    const answer = await work();
    if (this.#troubles.strikes('lostAfter', ...about)) lose('answer lost');
    history.note(...about, 'answered');
    return answer;
  }

  /** Where a call for a wallet is lost, what its customer agreed to holds later. */
  async #callForWallet<T>(name: string, id: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#call(name, id, work);
    } catch (error) {
      this.#troubles.disturb([NAME]);
      throw error;
    }
  }

  override reserveWallet(r: Parameters<Issuer['reserveWallet']>[0]): Promise<WalletWithAccount> {
    return this.#callForWallet('reserve', r.idempotencyKey, () => super.reserveWallet(r));
  }

  override findWallet(externalReference: string): Promise<IssuerWallet | null> {
    return this.#call('find-wallet', externalReference, () => super.findWallet(externalReference));
  }

  override openWallet(id: string): Promise<WalletWithAccount> {
    return this.#callForWallet('open', id, () => super.openWallet(id));
  }

  override closeWallet(id: string): Promise<void> {
    return this.#call('close', id, () => super.closeWallet(id));
  }

  override transfer(orders: readonly TransferOrder[]): Promise<Map<string, Movement>> {
    const id = orders.map((order) => order.idempotencyKey).join(',');
    return this.#call('transfer', id, async () => {
      const made = new Map<string, Movement>();
      for (const order of orders) made.set(order.idempotencyKey, await this.#transferOne(order));
      return made;
    });
  }

  /** The error holds for this order alone: nothing is waited for before it is made. */
  async #transferOne(order: TransferOrder): Promise<Movement> {
    const { idempotencyKey: key, amountPence } = order;
    const isRefused = this.#troubles.strikes('transferRefused', key);
    this.transferError = isRefused ? 'technical' : null;
    const movement = await this.makeTransfer(order);
    this.#troubles.history.note(NAME, 'transfer', key, movement.status, amountPence);
    return movement;
  }

  override async payOut(order: Parameters<Issuer['payOut']>[0]): Promise<Movement> {
    const { idempotencyKey: key, fromIssuerWalletId: from } = order;
    try {
      return await this.#call('pay-out', key, () => {
        this.expire(key);
        if (!this.orders.has(key)) this.#endLater(key);
        return super.payOut(order);
      });
    } catch (error) {
      this.disturbOwner(from);
      const [merchantId] = this.wallets.get(from)?.wallet.externalReference.split('/') ?? [];
      if (
        merchantId !== undefined &&
        this.#troubles.strikes('heldWhenLost', key, this.now().toString())
      )
        await this.whenPayOutIsLost(merchantId);
      throw error;
    }
  }

  #endLater(key: string): void {
    const { chance, history } = this.#troubles;
    const minutes = chance.whole(0, LONGEST_PAY_OUT_MINUTES, key, 'pay-out');
    this.#agenda.add(this.now().add({ minutes }), `issuer ends ${key}`, () => {
      const code = this.#troubles.strikes('payOutFails', key)
        ? chance.pick(['invalid_account', 'account_closed', 'technical'], key, 'code')
        : null;
      this.endPayOut(key, code);
      history.note(NAME, 'pay-out', key, code ?? 'settled');
      const movement = this.orders.get(key);
      const from = this.wallets.get(movement?.fromIssuerWalletId ?? '');
      if (movement !== undefined && from !== undefined)
        this.onMovement(from.wallet.externalReference, movement);
      if (code === null) this.returnLater(key);
      else this.disturbOwner(movement?.fromIssuerWalletId ?? null);
    });
  }

  override payIn(debit: BankPayment): Movement {
    const movement = this.arrive(debit);
    this.recallLater(movement);
    return movement;
  }

  override findMovement(key: string): Promise<Movement | null> {
    return this.#call('find', key, () => super.findMovement(key));
  }

  override readMovement(id: string): Promise<Movement> {
    return this.#call('read', id, () => super.readMovement(id));
  }
}
