import type { Store } from '../../store.ts';
import { BEHAVIOURS, type Behaviour } from '../behaviour/behaviours.ts';
import type { Brand } from '../behaviour/brands.ts';
import type { Quirk } from '../behaviour/quirks.ts';
import type { Account } from './books.ts';

/** Returns the quirks of a whole bank: those that were set, otherwise its default ones. */
export function quirksOf(store: Store, brand: Brand): ReadonlySet<Quirk> {
  const row = store.get<{ behaviours: string }>(
    'SELECT behaviours FROM bank_behaviours WHERE bank = :bank',
    { bank: brand.bankId },
  );
  return new Set(row ? (JSON.parse(row.behaviours) as Quirk[]) : brand.quirks);
}

/** Sets the quirks of a whole bank, until the next reset. */
export function setQuirks(store: Store, brand: Brand, quirks: readonly Quirk[]): void {
  store.run(
    `INSERT INTO bank_behaviours (bank, behaviours) VALUES (:bank, :behaviours)
     ON CONFLICT (bank) DO UPDATE SET behaviours = excluded.behaviours`,
    { bank: brand.bankId, behaviours: JSON.stringify([...new Set(quirks)]) },
  );
}

/** Returns true if a bank, or one of its accounts through its behaviour, has this quirk. */
export function hasQuirk(
  store: Store,
  brand: Brand,
  account: Pick<Account, 'behaviour'> | undefined,
  quirk: Quirk,
): boolean {
  return (account && quirkOf(account) === quirk) || quirksOf(store, brand).has(quirk);
}

/** Returns the quirk that comes with an account's behaviour. */
export function quirkOf(account: Pick<Account, 'behaviour'>): Quirk | undefined {
  const behaviour: Behaviour = BEHAVIOURS[account.behaviour];
  return behaviour.quirk;
}
