import {
  type Bank,
  BankRefused,
  BankUnavailable,
  type PaymentReport,
  SignatureRefused,
} from '../server/src/banks/bank.ts';
import type { FakeBank } from '../server/test-support/fake-bank.ts';
import type { Chance } from './chance.ts';
import type { Standstill } from './overlap-gates.ts';

/** What becomes of an order. */
const ORDER_OUTCOMES = [
  'taken',
  'taken',
  'answer lost',
  'never left',
  'never left',
  'signature refused',
  'refused at the gateway',
  'customer wanted',
] as const;

/** A bank whose orders and checks of funds go wrong at random, until it is calm. */
export class RoughBank {
  isCalm = false;
  readonly #bank: FakeBank;
  readonly #chance: Chance;
  readonly #calls = new Map<string, number>();

  constructor(bank: FakeBank, chance: Chance) {
    this.#bank = bank;
    this.#chance = chance;
  }

  /** Returns the bank as a process sees it, which may stand still in a call. */
  seenBy(standstill: Standstill | null): Bank {
    const answers: Partial<Bank> = {
      submitPayment: async (grant, order) => {
        await standstill?.at('the bank: submitPayment');
        return this.#order(order, () => this.#bank.submitPayment(grant, order));
      },
      confirmFunds: async (...asked) => {
        await standstill?.at('the bank: confirmFunds');
        const isShort = this.#happens(0.1, 'funds', asked[1]);
        return isShort ? 'not_available' : this.#bank.confirmFunds(...asked);
      },
    };
    return new Proxy<Bank>(this.#bank, {
      get: (target, name) =>
        Reflect.get(answers, name) ??
        Reflect.get(target, name)?.bind?.(target) ??
        Reflect.get(target, name),
    });
  }

  #nth(what: string, name: string): number {
    const key = `${what} ${name}`;
    const nth = (this.#calls.get(key) ?? 0) + 1;
    this.#calls.set(key, nth);
    return nth;
  }

  #happens(likelihood: number, what: string, name: string): boolean {
    return !this.isCalm && this.#chance.happens(likelihood, what, name, this.#nth(what, name));
  }

  async #order(
    { idempotencyKey: key }: Parameters<Bank['submitPayment']>[1],
    take: () => Promise<PaymentReport>,
  ): Promise<PaymentReport> {
    const fate = this.isCalm
      ? 'taken'
      : this.#chance.pick(ORDER_OUTCOMES, 'order', key, this.#nth('order', key));
    switch (fate) {
      case 'taken':
        return take();
      case 'answer lost':
        await take();
        throw new BankUnavailable('the answer was lost');
      case 'never left':
        throw new BankUnavailable('no connection', { notSent: true });
      case 'signature refused':
        throw new SignatureRefused('the bank answered 400 U016', 'U016');
      case 'refused at the gateway':
        throw refusal('technical', '401');
      case 'customer wanted':
        throw refusal('reauthentication_required', 'U028');
    }
  }
}

const refusal = (code: 'technical' | 'reauthentication_required', bankCode: string): BankRefused =>
  new BankRefused({ code, message: 'no', kind: 'retryable', bankCode });
