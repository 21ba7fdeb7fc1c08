import { isoInstant } from '../../clock.ts';
import type { Store } from '../../store.ts';
import type { BehaviourName } from '../behaviour/behaviours.ts';
import { BRANDS } from '../behaviour/brands.ts';
import { PERSONAS } from '../behaviour/personas.ts';

/** The accounts of the banks and every movement on them. Each balance equals the sum of its entries. */

export interface Account {
  bank: string;
  account_number: string;
  sort_code: string;
  login: string;
  holder: string;
  nickname: string;
  behaviour: BehaviourName;
  balance_pence: number;
  payday_day: number | null;
  payday_pence: number | null;
  next_payday: string | null;
}

export interface Entry {
  id: number;
  at: string;
  amount_pence: number;
  description: string;
  reference: string | null;
  payment_id: string | null;
}

/** A movement to book: positive credits the account, negative debits it. */
interface Movement {
  amountPence: number;
  description: string;
  reference?: string | undefined;
  paymentId?: string | undefined;
}

/** Creates the documented accounts of every bank if there are none; paydays count from `now`. */
export function seedAccounts(store: Store, now: Temporal.Instant): void {
  if (store.get('SELECT 1 FROM accounts LIMIT 1')) return;
  store.transaction(() => {
    for (const brand of BRANDS)
      for (const persona of PERSONAS) seedPersona(store, brand, persona, now);
  });
}

function seedPersona(
  store: Store,
  brand: (typeof BRANDS)[number],
  persona: (typeof PERSONAS)[number],
  now: Temporal.Instant,
): void {
  for (const { accountNumber, nickname, balancePence, payday } of persona.accounts) {
    store.run(
      `INSERT INTO accounts (bank, account_number, sort_code, login, holder, nickname, behaviour,
         balance_pence, payday_day, payday_pence, next_payday)
       VALUES (:bank, :account_number, :sort_code, :login, :holder, :nickname, :behaviour,
         0, :payday_day, :payday_pence, :next_payday)`,
      {
        bank: brand.bankId,
        account_number: accountNumber,
        sort_code: brand.sortCode,
        login: persona.login,
        holder: persona.holder,
        nickname,
        behaviour: persona.behaviour,
        payday_day: payday?.dayOfMonth ?? null,
        payday_pence: payday?.amountPence ?? null,
        next_payday: payday ? isoInstant(paydayAfter(payday.dayOfMonth, now)) : null,
      },
    );
    if (balancePence > 0) {
      const opening = { amountPence: balancePence, description: 'Opening balance' };
      book(store, brand.bankId, accountNumber, opening, now);
    }
  }
}

/** Returns the first payday (06:00 in London on that day of the month) after an instant. */
function paydayAfter(dayOfMonth: number, after: Temporal.Instant): Temporal.Instant {
  const local = after.toZonedDateTimeISO('Europe/London');
  const inMonth = (months: number): Temporal.Instant =>
    local
      .toPlainDate()
      .with({ day: 1 })
      .add({ months })
      .with({ day: dayOfMonth })
      .toZonedDateTime({ timeZone: 'Europe/London', plainTime: '06:00' })
      .toInstant();
  const thisMonth = inMonth(0);
  return Temporal.Instant.compare(thisMonth, after) > 0 ? thisMonth : inMonth(1);
}

/** Books a movement; throws if a debit exceeds the balance (a table constraint). */
export function book(
  store: Store,
  bank: string,
  accountNumber: string,
  movement: Movement,
  at: Temporal.Instant,
): void {
  const { amountPence, description, reference = null, paymentId = null } = movement;
  store.transaction(() => {
    store.run(
      `UPDATE accounts SET balance_pence = balance_pence + :amountPence
       WHERE bank = :bank AND account_number = :accountNumber`,
      { amountPence, bank, accountNumber },
    );
    store.run(
      `INSERT INTO entries (bank, account_number, at, amount_pence, description, reference, payment_id)
       VALUES (:bank, :accountNumber, :at, :amountPence, :description, :reference, :paymentId)`,
      { bank, accountNumber, at: isoInstant(at), amountPence, description, reference, paymentId },
    );
  });
}

/** Credits the salary of every account whose payday has come, each at its own time. */
export function payDue(store: Store, at: Temporal.Instant): void {
  const due = store.all<Account>('SELECT * FROM accounts WHERE next_payday <= :at', {
    at: isoInstant(at),
  });
  for (const account of due) {
    const { bank, account_number, next_payday, payday_day, payday_pence } = account;
    if (!next_payday || !payday_day || !payday_pence) continue;
    const payday = Temporal.Instant.from(next_payday);
    store.transaction(() => {
      const pay = { amountPence: payday_pence, description: 'Salary', reference: 'PAY' };
      book(store, bank, account_number, pay, payday);
      store.run(
        `UPDATE accounts SET next_payday = :next
         WHERE bank = :bank AND account_number = :account_number`,
        { next: isoInstant(paydayAfter(payday_day, payday)), bank, account_number },
      );
    });
  }
}

export function findAccount(
  store: Store,
  bank: string,
  accountNumber: string,
): Account | undefined {
  return store.get<Account>(
    'SELECT * FROM accounts WHERE bank = :bank AND account_number = :accountNumber',
    { bank, accountNumber },
  );
}

/** Finds the account of a call: by the consent or payment id in its path, or by its body. */
export function accountBehind(
  store: Store,
  bank: string,
  id: string | undefined,
  body: Buffer | null,
): Account | undefined {
  return store.get<Account>(
    `SELECT accounts.* FROM accounts WHERE bank = :bank AND account_number IN (
       SELECT account_number FROM consents WHERE consent_id = :id AND bank = :bank
       UNION ALL SELECT account_number FROM payments WHERE payment_id = :id AND bank = :bank)`,
    { bank, id: id ?? consentNamedIn(body) },
  );
}

function consentNamedIn(body: Buffer | null): string {
  return /"ConsentId"\s*:\s*"([^"]+)"/.exec(body?.toString('utf8') ?? '')?.[1] ?? '';
}

export function accountsOf(store: Store, bank: string, login: string): Account[] {
  return store.all<Account>(
    'SELECT * FROM accounts WHERE bank = :bank AND login = :login ORDER BY account_number',
    { bank, login },
  );
}

/** Returns the newest entries of an account. */
export function entriesOf(store: Store, account: Account, limit: number): Entry[] {
  return store.all<Entry>(
    `SELECT * FROM entries WHERE bank = :bank AND account_number = :account_number
     ORDER BY id DESC LIMIT :limit`,
    { bank: account.bank, account_number: account.account_number, limit },
  );
}
