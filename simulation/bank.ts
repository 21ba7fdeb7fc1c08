import {
  type AccountDetails,
  AuthorisationDenied,
  type Bank,
  BankRefused,
  type BankTraits,
  BankUnavailable,
  LIMIT_PERIODS,
  type PaymentError,
  type PaymentRead,
  type PaymentReport,
  SignatureRefused,
} from '../server/src/banks/bank.ts';
import { FUNDS_CHECKS } from '../server/src/banks/funds-check.ts';
import { OPEN_BANKING_TRAITS } from '../server/src/banks/open-banking/connector.ts';
import { type BankPayment, errorOf } from '../server/test-support/fake-bank.ts';
import type { Agenda } from './agenda.ts';
import { AskedAgain } from './asked-again.ts';
import { kindOfRefusal, NO_FUNDS, REAUTHENTICATION_REQUIRED } from './bank-refusals.ts';
import type { SimulatedIssuer } from './issuer.ts';
import { loweredLimits } from './lowered-limits.ts';
import { consentOf, TOKENS, Tokens } from './tokens.ts';
import { TroubledBank } from './troubled-bank.ts';
import type { Troubles } from './troubles.ts';

/** Tells the service that something about a consent or a payment has changed. */
export type NotifyChange = (bankId: string, kind: 'consent' | 'payment', id: string) => void;

/** As some banks take limits. */
const FOUR_PERIODS = LIMIT_PERIODS.filter((one) => one !== 'Fortnight' && one !== 'Half-year');
/** How long after a no it looks more closely at what comes under the same consent. */
const CLOSE_WATCH = Temporal.Duration.from({ hours: 2 });
/** Longer than the day after which the service logs that somebody should ask the bank. */
const LATEST_MINUTES = 40 * 60;
const LONGEST_WAY_MINUTES = 30 * 60;
/**
 * Either takes no longer, and the money arrives, where its order is lost with its database: it has to be there at the retry,
 * two hours later. For what takes longer people hold what sends money (docs/guides/backup.md), which nobody does here.
 */
const FORGOTTEN_MINUTES = 50;

/** A bank with books of its own, and all the troubles that a bank can make. */
export class SimulatedBank extends TroubledBank {
  readonly #agenda: Agenda;
  readonly #issuer: SimulatedIssuer;
  readonly #tell: NotifyChange;
  /** When it last said no to a payment under a consent. */
  readonly #noAt = new Map<string, Temporal.Instant>();
  readonly #asking: AskedAgain;
  /** A customer has agreed to a consent for the first time, or again. */
  whenAgreed: (bankConsentId: string, mostPence: number) => void = () => undefined;
  /** A consent has ended at the bank. */
  whenRevoked: (bankConsentId: string) => void = () => undefined;
  /** The account from which a consent's payments are made. */
  debtorOf: (bankConsentId: string) => AccountDetails | null = () => null;
  /** It looks at who asks before it looks whether it has the order already. */
  readonly #asksBeforeKeys: boolean;
  override readonly traits: BankTraits;
  readonly #tokens: Tokens;
  /** Sometimes called during a funds check, so that things can change between the question and its answer. */
  whileItAnswers: () => Promise<void> = async () => undefined;
  /** When the customer last lowered the limits of a consent, by the bank's id. */
  readonly lowered = new Map<string, Temporal.Instant>();

  constructor(
    bankId: string,
    issuer: SimulatedIssuer,
    world: { troubles: Troubles; agenda: Agenda; tell: NotifyChange },
  ) {
    const { chance } = world.troubles;
    super(bankId, issuer, world.troubles);
    const fundsCheck = chance.pick(FUNDS_CHECKS, bankId, 'funds check');
    const hasAll = chance.happens(0.5, bankId, 'periods');
    const periods = hasAll ? LIMIT_PERIODS : FOUR_PERIODS;
    this.traits = { ...OPEN_BANKING_TRAITS, fundsCheck, periods };
    this.#tokens = new Tokens(chance.pick(TOKENS, bankId, 'tokens'), world.troubles.now);
    this.#asksBeforeKeys = chance.happens(0.5, bankId, 'asks before keys');
    this.#asking = new AskedAgain(world.troubles.unrest, world.troubles.now);
    this.#agenda = world.agenda;
    this.#issuer = issuer;
    this.#tell = world.tell;
  }

  override createConsent(
    r: Parameters<Bank['createConsent']>[0],
  ): ReturnType<Bank['createConsent']> {
    return this.call('consent', r.idempotencyKey, async () => {
      if (this.troubles.strikes('consentRejected', this.bankId, r.idempotencyKey))
        throw new BankRefused(errorOf('final'));
      return super.createConsent(r);
    });
  }

  override async completeAuthorisation(
    i: Parameters<Bank['completeAuthorisation']>[0],
  ): ReturnType<Bank['completeAuthorisation']> {
    const { bankConsentId: id } = i;
    const given = await this.call('authorise', id, async () => {
      if (this.consents.get(id)?.status === 'CANC') throw new AuthorisationDenied('withdrawn');
      await super.completeAuthorisation(i);
      const grant = this.#tokens.give(id);
      const { status, controlParameters: limits } = this.consents.get(id) ?? {};
      if (status === 'AUTH') this.whenAgreed(id, limits?.maximumAmountPence ?? 0);
      return grant;
    });
    this.#asking.end(id, true); // without the tokens of a lost answer the customer is needed once more
    return given;
  }

  override async refresh(
    ...[grant, mayRenew]: Parameters<Bank['refresh']>
  ): ReturnType<Bank['refresh']> {
    if (!this.#tokens.isOver(grant) || (await mayRenew?.()) === false) return grant;
    const id = consentOf(grant);
    return this.call('refresh', id, async () => {
      const renewed = this.#tokens.renew(grant);
      if (renewed !== null) return renewed;
      this.troubles.history.count('bank: no token left');
      this.#asking.begin(id);
      this.#asking.refuse(id);
      throw new BankRefused(REAUTHENTICATION_REQUIRED);
    });
  }

  override readConsent(id: string): ReturnType<Bank['readConsent']> {
    return this.call('read-consent', id, async () => {
      const consent = await super.readConsent(id);
      if (consent.status === 'SUSP') this.#asking.say(id);
      return { ...consent, debtor: consent.status === 'AWAU' ? null : this.debtorOf(id) };
    });
  }

  override deleteConsent(id: string): Promise<void> {
    return this.call('delete-consent', id, () => super.deleteConsent(id));
  }

  override confirmFunds(
    ...[, id]: Parameters<Bank['confirmFunds']>
  ): ReturnType<Bank['confirmFunds']> {
    return this.call('funds', id, async () => {
      const status = this.consents.get(id)?.status;
      if (status === 'SUSP') {
        this.#asking.refuse(id);
        throw new BankRefused(REAUTHENTICATION_REQUIRED);
      }
      if (status !== 'AUTH') throw new BankRefused(errorOf('consent_gone'));
      const now = this.troubles.now();
      if (this.troubles.strikes('stoppedMeanwhile', this.bankId, id, now.toString()))
        await this.whileItAnswers();
      if (!this.troubles.strikes('noFunds', this.bankId, id, now.toString())) return 'available';
      this.#noAt.set(id, now);
      return 'not_available';
    });
  }

  override async submitPayment(
    ...[grant, r]: Parameters<Bank['submitPayment']>
  ): Promise<PaymentReport> {
    const { idempotencyKey: key, bankConsentId } = r;
    try {
      return await this.call('payment', key, async () => {
        this.#mayNotRead(key);
        this.#mayAskAgain(key, bankConsentId);
        if (this.receive(r.instructionId, key)) this.#mayRefuse(key, bankConsentId);
        return super.submitPayment(grant, r);
      });
    } catch (error) {
      const isUnknown = error instanceof BankUnavailable;
      if (isUnknown && this.troubles.strikes('withdrawnThen', this.bankId, key))
        this.revoke(bankConsentId);
      throw error;
    }
  }

  /** Now and then it does not know our key, or our clock is ahead of its own. */
  #mayNotRead(key: string): void {
    const now = this.troubles.now().toString();
    if (this.troubles.strikes('signatureRefused', this.bankId, key, now))
      throw new SignatureRefused('the signature is refused', 'U016');
  }

  /** From one new order on it takes none of a consent until the customer has authenticated again. */
  #mayAskAgain(key: string, bankConsentId: string): void {
    const isNew = !this.payments.has(key);
    if (isNew && this.troubles.strikes('asksAgain', this.bankId, key)) this.askAgain(bankConsentId);
    if (!this.#asking.has(bankConsentId) || (!isNew && !this.#asksBeforeKeys)) return;
    this.#asking.refuse(bankConsentId);
    throw new BankRefused(REAUTHENTICATION_REQUIRED);
  }

  /**
   * A key that was refused once is refused for ever; but where it was the bank that was at fault, it may take the same key
   * when it is well again.
   */
  #mayRefuse(key: string, bankConsentId: string): void {
    const { chance, now } = this.troubles;
    const kind = kindOfRefusal(chance, key);
    const isPassing = kind === 'retryable' && chance.happens(0.5, key, 'passing');
    const moment = isPassing ? [now().toString()] : [];
    // Where nobody asks before, the order finds out.
    if (this.traits.fundsCheck !== 'always' && this.troubles.strikes('noFunds', this.bankId, key))
      this.#refuseFor(NO_FUNDS, bankConsentId);
    if (!this.troubles.strikes('refusal', this.bankId, key, ...moment)) return;
    if (kind === 'consent_gone') this.revoke(bankConsentId);
    this.#refuseFor(errorOf(kind), bankConsentId);
  }

  #refuseFor(error: PaymentError, bankConsentId: string): never {
    this.#noAt.set(bankConsentId, this.troubles.now());
    throw new BankRefused(error);
  }

  override readPayment(id: string): Promise<PaymentRead> {
    return this.call('read-payment', id, () => super.readPayment(id));
  }

  /** At once, or later: and then not always. */
  override credit(payment: BankPayment): void {
    const { endToEndId: id, amountPence } = payment;
    if (this.#isLate(payment)) this.#settleLater(payment);
    else {
      this.troubles.history.note('bank', this.bankId, 'credits', id, amountPence);
      this.#pay(payment);
    }
  }

  /** The money goes to the issuer: nearly always at once, or later than the bank says, or back to the payer. */
  #pay(payment: BankPayment): void {
    const { chance } = this.troubles;
    const { endToEndId: id } = payment;
    const isReturned = this.troubles.strikes('creditReturned', this.bankId, id);
    const isDirect = !isReturned && !this.troubles.strikes('creditedFirst', this.bankId, id);
    if (isDirect) {
      super.credit(payment);
      return;
    }
    payment.status = isReturned ? 'debited' : 'credited';
    const isForgotten = this.isForgotten(payment);
    const neverArrives = !isForgotten && chance.happens(0.3, this.bankId, id, 'never arrives');
    const isLost = isReturned || neverArrives;
    const longest = isForgotten ? FORGOTTEN_MINUTES : LONGEST_WAY_MINUTES;
    const minutes = chance.whole(30, longest, this.bankId, id, 'on its way');
    this.#agenda.add(this.troubles.now().add({ minutes }), `money of ${id}`, () => {
      const { history } = this.troubles;
      history.note('bank', this.bankId, isLost ? 'has given back' : 'pays at last', id);
      // Our books do not count it, and the bank does: what comes later may find no room.
      if (isLost && isForgotten) this.troubles.disturbForEver(payment.bankConsentId);
      if (isLost) this.giveBack(payment);
      else this.#issuer.payIn(payment);
    });
  }

  #settleLater(payment: BankPayment): void {
    const { chance } = this.troubles;
    const id = payment.endToEndId;
    if (this.troubles.strikes('debitedFirst', this.bankId, id)) payment.status = 'debited';
    const most = this.isForgotten(payment) ? FORGOTTEN_MINUTES : LATEST_MINUTES;
    const longest = Math.ceil(most * chance.share(id, 'how late') ** 3); // mostly hours
    const at = this.troubles.now().add({ minutes: chance.whole(1, longest + 1, id, 'minutes') });
    this.#agenda.add(at, `bank ${this.bankId} settles ${id}`, () => this.#settle(payment));
  }

  #isLate({ bankConsentId, endToEndId: id }: BankPayment): boolean {
    if (this.troubles.strikes('late', this.bankId, id)) return true;
    const until = this.#noAt.get(bankConsentId)?.add(CLOSE_WATCH);
    if (until === undefined || Temporal.Instant.compare(until, this.troubles.now()) < 0)
      return false;
    return this.troubles.strikes('closerLook', this.bankId, id);
  }

  #settle(payment: BankPayment): void {
    const { history, chance } = this.troubles;
    if (payment.status !== 'debited' && this.troubles.strikes('lateFailure', payment.endToEndId)) {
      const kind = kindOfRefusal(chance, payment.endToEndId);
      if (kind === 'consent_gone') this.revoke(payment.bankConsentId);
      this.fail(payment, kind);
    } else this.#pay(payment);
    history.note('bank', this.bankId, payment.status, payment.endToEndId, payment.amountPence);
    this.#tell(this.bankId, 'payment', payment.bankPaymentId);
  }

  /** The customer lowers the limits of a consent at the bank. */
  lowerLimits(bankConsentId: string): void {
    const consent = this.consents.get(bankConsentId);
    if (consent?.status !== 'AUTH') return;
    consent.controlParameters = loweredLimits(consent.controlParameters);
    this.lowered.set(bankConsentId, this.troubles.now());
    this.troubles.disturbForEver(bankConsentId);
    this.troubles.history.note('bank', this.bankId, 'limits lowered', bankConsentId);
    this.#tell(this.bankId, 'consent', bankConsentId);
  }

  /** The customer has to authenticate again; the bank may go on to call the consent authorised. */
  askAgain(bankConsentId: string): void {
    const consent = this.consents.get(bankConsentId);
    if (consent?.status !== 'AUTH') return;
    const { chance, history, now } = this.troubles;
    this.#asking.begin(bankConsentId);
    const isSuspended = chance.happens(0.5, bankConsentId, 'suspended', now().toString());
    if (isSuspended) consent.status = 'SUSP';
    history.note('bank', this.bankId, 'asks for the customer', bankConsentId, consent.status);
    if (isSuspended) this.#tell(this.bankId, 'consent', bankConsentId);
  }

  /** The customer authenticates again in the bank's own app. Returns whether the bank had suspended the consent. */
  confirmInApp(bankConsentId: string): boolean {
    const consent = this.consents.get(bankConsentId);
    if (consent?.status !== 'SUSP') return false;
    consent.status = 'AUTH';
    this.#asking.end(bankConsentId, false);
    this.troubles.history.note('bank', this.bankId, 'confirmed in its app', bankConsentId);
    this.#tell(this.bankId, 'consent', bankConsentId);
    return true;
  }

  /** The customer's consent ends at the bank. */
  revoke(bankConsentId: string): void {
    const consent = this.consents.get(bankConsentId);
    if (consent?.status !== 'AUTH' && consent?.status !== 'SUSP') return;
    consent.status = 'CANC';
    this.whenRevoked(bankConsentId);
    this.troubles.history.note('bank', this.bankId, 'revoked', bankConsentId);
    this.troubles.history.count('revoked at the bank');
    this.#tell(this.bankId, 'consent', bankConsentId);
  }
}
