import { edges, type StateMachine, statuses } from '../platform/state/state-machine.ts';

export type WalletStatus = 'planned' | 'reserved' | 'open' | 'closing' | 'closed';

/** The states of a wallet at the issuer: a merchant's own, or a customer's. */
export const WALLETS: StateMachine<WalletStatus> = {
  noun: 'wallets',
  table: 'wallets',
  key: ['merchant_id', 'wallet_id'],
  states: statuses('planned', 'reserved', 'open', 'closing', 'closed'),
  begins: ['planned'],
  edges: [
    { from: 'planned', to: 'reserved', why: 'the issuer has reserved it' },
    ...edges<WalletStatus>(['planned', 'reserved'], 'open', 'the issuer has opened it'),
    ...edges<WalletStatus>(['planned', 'reserved'], 'closing', 'nobody needs it'),
    { from: 'closing', to: 'closed', why: 'the issuer has closed it' },
    ...edges<WalletStatus>(['closing', 'closed'], 'closing', 'the issuer reserved it too late'),
  ],
};
