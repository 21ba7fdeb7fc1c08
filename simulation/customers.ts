import { BankUnavailable } from '../server/src/banks/bank.ts';
import { beginAuthorisation } from '../server/src/consents/begin-authorisation.ts';
import { completeAuthorisation } from '../server/src/consents/complete-authorisation.ts';
import { failConsent, readLink, revokeConsent } from '../server/src/consents/service.ts';
import type { ConsentRow } from '../server/src/consents/store.ts';
import { IssuerUnavailable } from '../server/src/wallets/issuer.ts';
import type { SimulatedBank } from './bank.ts';
import type { World } from './world.ts';

const VISITOR = { ip: '192.0.2.1', userAgent: 'simulation' };
const MAX_TRIES = 5;

type Decision = 'agreed' | 'access_denied' | 'declines' | 'ignores';

/** The customers of the links that merchants send: they agree, say no here or there, or let the link expire. */
export class Customers {
  readonly #world: World;
  readonly #links = new Set<string>();

  constructor(world: World) {
    this.#world = world;
  }

  /** A merchant has sent a link; the same one again changes nothing. */
  receive(scheduleId: string, link: string): void {
    if (this.#links.has(link)) return;
    this.#links.add(link);
    const { chance, agenda, clock, history } = this.#world;
    const decision = this.#decide(scheduleId, link);
    history.count(`customer: ${decision}`);
    if (decision === 'ignores') return;
    const minutes = Math.ceil(3 * 24 * 60 * chance.share(scheduleId, link, 'when') ** 3);
    agenda.add(clock.at.add({ minutes }), `customer of ${scheduleId}`, () =>
      this.#open(link, decision, 1),
    );
  }

  #decide(scheduleId: string, link: string): Decision {
    const share = this.#world.chance.share(scheduleId, link, 'decision');
    if (share < 0.06) return 'ignores';
    if (share < 0.1) return 'declines';
    return share < 0.14 ? 'access_denied' : 'agreed';
  }

  async #open(link: string, decision: Decision, tries: number): Promise<void> {
    const { platform, processes, clock } = this.#world;
    const consent = await readLink(platform, link.split('/').at(-1) ?? '');
    if (consent === null) throw new Error('a link that nobody knows');
    if (decision !== 'declines') return this.#goToBank(link, consent, decision, tries);
    const lived = await processes.ask(async ({ authorisation }) => {
      await authorisation.platform.db.transaction((tx) =>
        failConsent(authorisation.hooks, tx, clock.at, consent, 'consent_denied'),
      );
    });
    if (!lived) this.#again(link, decision, tries);
  }

  async #goToBank(
    link: string,
    consent: ConsentRow,
    decision: Decision,
    tries: number,
  ): Promise<void> {
    const bank = this.#bankOf(consent);
    let state: string | null = null;
    let bankConsentId = '';
    const done = await answered(this.#world, async (service) => {
      const deps = service.authorisation;
      const used = deps.banks.get(bank.bankId) ?? bank;
      const shown = { ...consent, limitsOf: used.bankId };
      const begun = await beginAuthorisation(deps, shown, used, VISITOR);
      if (!('url' in begun)) return;
      const { searchParams } = new URL(begun.url);
      state = searchParams.get('state');
      bankConsentId = searchParams.get('consent') ?? '';
    });
    if (!done) return this.#again(link, decision, tries);
    if (state === null) return;
    this.#world.book.wentToBank(consent.scheduleId, bank.bankId, bankConsentId);
    this.#comeBack({ state, bankConsentId }, decision, 1);
  }

  #bankOf(consent: ConsentRow): SimulatedBank {
    const { chance, banks } = this.#world;
    // Whoever pays from another account may have it at another bank.
    const about = consent.anotherAccount ? consent.consentId : consent.customerId;
    const [first, ...others] = [...banks.values()];
    if (first === undefined) throw new Error('there is no bank');
    return chance.pick([first, ...others], about, 'bank');
  }

  #comeBack(
    from: { state: string; bankConsentId: string },
    decision: Decision,
    tries: number,
  ): void {
    const { agenda, book, clock, chance } = this.#world;
    const { state, bankConsentId } = from;
    const minutes = chance.whole(1, 15, state, 'back', tries);
    agenda.add(clock.at.add({ minutes }), `back ${state}`, async () => {
      const done = await answered(this.#world, async (service) => {
        await completeAuthorisation(service.authorisation, state, decision);
      });
      if (done) return;
      if (tries < MAX_TRIES) this.#comeBack(from, decision, tries + 1);
      else book.unfinished(clock.at.epochMilliseconds, bankConsentId);
    });
  }

  #again(link: string, decision: Decision, tries: number): void {
    if (tries >= MAX_TRIES) return;
    const { agenda, clock, chance } = this.#world;
    const minutes = chance.whole(1, 600, link, 'again', tries);
    agenda.add(clock.at.add({ minutes }), `again ${link}`, () =>
      this.#open(link, decision, tries + 1),
    );
  }

  /** The customer of a schedule ends the consent: on the portal, or at the bank. */
  async withdraw(merchantId: string, scheduleId: string, isAtBank: boolean): Promise<void> {
    const { banks, book, clock, processes, history } = this.#world;
    const row = await this.#granted(merchantId, scheduleId);
    if (row === null) return;
    if (isAtBank) {
      banks.get(row.bankId ?? '')?.revoke(row.bankConsentId ?? '');
      return;
    }
    history.count('withdrawn on the portal');
    const lived = await processes.ask(async ({ authorisation }) => {
      await authorisation.platform.db.transaction((tx) =>
        revokeConsent(authorisation, tx, row, 'withdrawn_on_portal'),
      );
    });
    if (!lived) return this.withdraw(merchantId, scheduleId, isAtBank);
    book.withdrawn(clock.at.epochMilliseconds, row.bankConsentId ?? '', true);
  }

  /** The bank of the customer of a schedule wants it to authenticate again. */
  async askAgain(merchantId: string, scheduleId: string): Promise<void> {
    const row = await this.#granted(merchantId, scheduleId);
    this.#world.banks.get(row?.bankId ?? '')?.askAgain(row?.bankConsentId ?? '');
  }

  /** The customer of a schedule lowers at the bank what may be collected. */
  async lowerLimits(merchantId: string, scheduleId: string): Promise<void> {
    const row = await this.#granted(merchantId, scheduleId);
    this.#world.banks.get(row?.bankId ?? '')?.lowerLimits(row?.bankConsentId ?? '');
  }

  #granted(merchantId: string, scheduleId: string): Promise<ConsentRow | null> {
    return this.#world.db.read((tx) =>
      tx.row<ConsentRow>(
        `SELECT * FROM consents WHERE merchant_id = $1 AND schedule_id = $2 AND status = 'granted'`,
        [merchantId, scheduleId],
      ),
    );
  }
}

/** False: a partner did not answer, or the process died; the page says "try again". */
export async function answered(
  { processes }: World,
  work: Parameters<World['processes']['ask']>[0],
): Promise<boolean> {
  try {
    return await processes.ask(work);
  } catch (error) {
    if (error instanceof BankUnavailable || error instanceof IssuerUnavailable) return false;
    throw error;
  }
}
