import { BankRefused, BankUnavailable } from '../server/src/banks/bank.ts';
import { errorOf } from '../server/test-support/fake-bank.ts';
import { wordOf } from './history.ts';
import type { SimulatedIssuer } from './issuer.ts';
import { LooseBank } from './loose-bank.ts';
import type { Troubles } from './troubles.ts';

/** What has waited for a bank is repeated within so many minutes. */
const AFTER_AN_OUTAGE = 70;

/** A bank whose calls meet troubles on their way, and which is full now and then. */
export class TroubledBank extends LooseBank {
  protected readonly troubles: Troubles;
  /** It has said that it takes no more until then. */
  #fullUntil: Temporal.Instant;

  constructor(bankId: string, issuer: SimulatedIssuer, troubles: Troubles) {
    super(bankId, issuer, {
      neverReportsCredit: troubles.chance.happens(0.3, bankId, 'never reports a credit'),
      forgetsKeys: troubles.chance.happens(0.5, bankId, 'forgets keys'),
    });
    this.troubles = troubles;
    this.#fullUntil = troubles.now();
  }

  /** Makes a call with its troubles: the bank is down, the question is lost, the answer is lost. */
  protected async call<T>(name: string, id: string, work: () => Promise<T>): Promise<T> {
    const { history } = this.troubles;
    const call = this.troubles.countOf(this.bankId, name, id);
    const about = [this.bankId, name, id, call] as const;
    const lose = (why: string, notSent = false): never => {
      history.note('bank', ...about, why);
      throw new BankUnavailable(why, { notSent, retryAfterSeconds: this.#restSeconds(about) });
    };
    const outage = this.troubles.outageNow(this.bankId);
    if (outage !== null) {
      history.count(outage.isUnreachable ? 'bank unreachable' : 'bank down');
      this.troubles.disturb([this.bankId], AFTER_AN_OUTAGE);
      lose(outage.isUnreachable ? 'unreachable' : 'down', outage.isUnreachable);
    }
    if (this.troubles.strikes('lostBefore', ...about)) lose('question lost');
    if (this.troubles.strikes('gatewayAnswers', ...about)) {
      const status = this.troubles.chance.pick([400, 403, 404, 502], ...about, 'gateway');
      if (name === 'funds') throw new BankRefused(errorOf('retryable'));
      lose(`a bare ${status}`);
    }
    const answer = await work().catch((error: unknown) => {
      history.note('bank', ...about, error instanceof Error ? error.message : 'failed');
      if (this.troubles.strikes('lostAfter', ...about)) lose('refusal lost');
      throw error;
    });
    if (this.troubles.strikes('lostAfter', ...about)) lose('answer lost');
    history.note('bank', ...about, 'answered', wordOf(answer));
    if (this.troubles.strikes('isFull', ...about)) {
      const minutes = this.troubles.chance.whole(1, 10, ...about, 'full');
      this.#fullUntil = this.troubles.now().add({ minutes });
      this.troubles.disturb([this.bankId], minutes);
    }
    return answer;
  }

  get restSeconds(): number {
    return Math.max(0, this.#fullUntil.since(this.troubles.now()).total('seconds'));
  }

  /** Now and then a bank asks to be left alone. */
  #restSeconds(about: readonly (string | number)[]): number | null {
    const { chance } = this.troubles;
    if (!chance.happens(0.2, ...about, 'rest')) return null;
    const seconds = chance.whole(30, 7200, ...about, 'long');
    this.troubles.disturb([this.bankId], seconds / 60);
    return seconds;
  }
}
