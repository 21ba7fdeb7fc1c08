import type { Incidents, Trouble } from './book/incidents.ts';

/** The service learns by then that a customer has authenticated again, whether anybody tells it or not. */
const READ_AGAIN_AFTER = Temporal.Duration.from({ hours: 7 });

/** The consents of a bank whose customers have to authenticate again, and how long that holds their payments up. */
export class AskedAgain {
  readonly #unrest: Incidents;
  readonly #now: () => Temporal.Instant;
  readonly #asking = new Set<string>();
  /** Since when they hold something up; ends when the service knows that they have. */
  readonly #heldUp = new Map<string, Trouble>();
  /**
   * An order, or the question for its funds, was refused for that, and the bank has not called the consent suspended since: then
   * only what the customer does on our page counts.
   */
  readonly #refusedFor = new Set<string>();

  constructor(unrest: Incidents, now: () => Temporal.Instant) {
    this.#unrest = unrest;
    this.#now = now;
  }

  has(bankConsentId: string): boolean {
    return this.#asking.has(bankConsentId);
  }

  begin(bankConsentId: string): void {
    this.#asking.add(bankConsentId);
    if (this.#heldUp.has(bankConsentId)) return;
    const from = this.#now().epochMilliseconds;
    const trouble = this.#unrest.note([bankConsentId], from, Number.POSITIVE_INFINITY);
    this.#heldUp.set(bankConsentId, trouble);
  }

  refuse(bankConsentId: string): void {
    this.#refusedFor.add(bankConsentId);
  }

  /** The bank calls the consent suspended: it will say when it no longer is. */
  say(bankConsentId: string): void {
    this.#refusedFor.delete(bankConsentId);
  }

  /** The customer has authenticated again: on our page, or in the bank's app. */
  end(bankConsentId: string, isOnOurPage: boolean): void {
    this.#asking.delete(bankConsentId);
    if (isOnOurPage) this.#refusedFor.delete(bankConsentId);
    const trouble = this.#heldUp.get(bankConsentId);
    if (trouble === undefined || this.#refusedFor.has(bankConsentId)) return;
    trouble.until = this.#now().add(READ_AGAIN_AFTER).epochMilliseconds;
    this.#heldUp.delete(bankConsentId);
  }
}
