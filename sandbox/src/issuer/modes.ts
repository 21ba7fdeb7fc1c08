import type { Store } from '../store.ts';
import { IssuerError } from './errors.ts';

/**
 * Ways in which real issuers behave that a lenient sandbox would hide. Each is off until it is switched on, and holds for
 * what happens from then on.
 */
export const MODES = {
  /** Pay-ins lose their end-to-end id: neither notices nor movements carry it. */
  no_end_to_end_id: 'Notices of pay-ins carry no end-to-end id',
  /** Each notice of a movement comes again, under new event ids. */
  new_event_ids: 'Each notice of a movement is sent again under a new event id',
  /** Transfers leave the first wallet at once and reach the second one later. */
  pending_transfers: 'Transfers between wallets are pending for a while',
  /** The key of an order is forgotten after a day: the same order again is a new one. */
  expiring_keys: 'Idempotency keys are forgotten after 24 hours',
  /** Pay-ins arrive a penny short. */
  short_pay_ins: 'Pay-ins arrive a penny short',
  /** Pay-outs settle, and come back two days later. */
  returned_payouts: 'Pay-outs come back two days after they settled',
  /** Pay-ins are recalled by the payer's bank two days later. */
  recalled_pay_ins: 'Pay-ins are recalled two days after they arrived',
} as const;

export type Mode = keyof typeof MODES;

const isMode = (word: string): word is Mode => Object.hasOwn(MODES, word);

/** Returns the words as modes, each once. 400 `unknown_mode` names the first word that is none. */
export function readModes(words: readonly string[]): Mode[] {
  const unknown = words.find((word) => !isMode(word));
  if (unknown !== undefined) {
    const known = Object.keys(MODES).join(', ');
    throw new IssuerError(400, 'unknown_mode', `There is no mode "${unknown}"; there are ${known}`);
  }
  return [...new Set(words.filter(isMode))];
}

/** Whether a mode is on. */
export function isOn(store: Store, mode: Mode): boolean {
  return store.get('SELECT 1 FROM modes WHERE mode = :mode', { mode }) !== undefined;
}

/** Returns the modes that are on, in the order of their documentation. */
export function modesOn(store: Store): Mode[] {
  const rows = store.all<{ mode: string }>('SELECT mode FROM modes');
  const on = new Set(rows.map((row) => row.mode));
  return Object.keys(MODES).filter((mode): mode is Mode => on.has(mode));
}

/** Switches exactly these modes on. */
export function setModes(store: Store, modes: readonly Mode[]): void {
  store.transaction(() => {
    store.run('DELETE FROM modes');
    for (const mode of modes) store.run('INSERT INTO modes (mode) VALUES (:mode)', { mode });
  });
}

/**
 * Applies the configured modes when they differ from those of the last start, so that what was switched at run time
 * survives a restart of the program.
 */
export function applyConfiguredModes(store: Store, modes: readonly Mode[]): void {
  const configured = modes.join(',');
  const last = store.get<{ modes: string }>('SELECT modes FROM configured_modes');
  if (last?.modes === configured) return;
  store.transaction(() => {
    store.run('DELETE FROM configured_modes');
    store.run('INSERT INTO configured_modes (modes) VALUES (:configured)', { configured });
    setModes(store, modes);
  });
}
