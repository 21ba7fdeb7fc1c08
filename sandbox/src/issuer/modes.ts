import type { Store } from '../store.ts';
import { IssuerError } from './errors.ts';

/**
 * Behaviours of real issuers that a lenient sandbox would hide. Each is off by default and applies from when it is switched on.
 */
export const MODES = {
  /** Pay-ins lose their end-to-end id: neither notices nor movements carry it. */
  no_end_to_end_id: 'Notices of pay-ins carry no end-to-end id',
  /** Each notice of a movement is sent again under new event ids. */
  new_event_ids: 'Each notice of a movement is sent again under a new event id',
  /** Transfers leave the sending wallet immediately and reach the receiving one later. */
  pending_transfers: 'Transfers between wallets are pending for a while',
  /** Idempotency keys expire after a day: a repeated order is then a new one. */
  expiring_keys: 'Idempotency keys are forgotten after 24 hours',
  /** Pay-ins arrive a penny short. */
  short_pay_ins: 'Pay-ins arrive a penny short',
  /** Pay-outs settle and are returned two days later. */
  returned_payouts: 'Pay-outs come back two days after they settled',
  /** Pay-ins are recalled by the payer's bank two days later. */
  recalled_pay_ins: 'Pay-ins are recalled two days after they arrived',
} as const;

export type Mode = keyof typeof MODES;

const isMode = (word: string): word is Mode => Object.hasOwn(MODES, word);

/** Returns the words as modes, each once. Throws 400 `unknown_mode`, naming the first unknown one. */
export function readModes(words: readonly string[]): Mode[] {
  const unknown = words.find((word) => !isMode(word));
  if (unknown !== undefined) {
    const known = Object.keys(MODES).join(', ');
    throw new IssuerError(400, 'unknown_mode', `There is no mode "${unknown}"; there are ${known}`);
  }
  return [...new Set(words.filter(isMode))];
}

/** Returns true if a mode is on. */
export function isOn(store: Store, mode: Mode): boolean {
  return store.get('SELECT 1 FROM modes WHERE mode = :mode', { mode }) !== undefined;
}

/** Returns the modes that are on, in the order of their documentation. */
export function modesOn(store: Store): Mode[] {
  const rows = store.all<{ mode: string }>('SELECT mode FROM modes');
  const on = new Set(rows.map((row) => row.mode));
  return Object.keys(MODES).filter((mode): mode is Mode => on.has(mode));
}

/** Sets the modes: exactly these are on. */
export function setModes(store: Store, modes: readonly Mode[]): void {
  store.transaction(() => {
    store.run('DELETE FROM modes');
    for (const mode of modes) store.run('INSERT INTO modes (mode) VALUES (:mode)', { mode });
  });
}

/**
 * Applies the configured modes when they differ from those of the last start, so that changes made at run time survive a
 * restart.
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
