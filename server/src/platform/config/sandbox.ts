import { integer, variable } from './readers.ts';

/** Behaviours of real issuers that can be switched on in the sandbox's e-money issuer. */
const ISSUER_MODES = [
  'no_end_to_end_id',
  'new_event_ids',
  'pending_transfers',
  'expiring_keys',
  'short_pay_ins',
  'returned_payouts',
  'recalled_pay_ins',
] as const;
export type IssuerMode = (typeof ISSUER_MODES)[number];
function issuerModes(value: string): readonly IssuerMode[] {
  const words = value.split(',').map((word) => word.trim());
  return [...new Set(words)].map((word) => {
    const mode = ISSUER_MODES.find((known) => known === word);
    if (mode === undefined)
      throw new Error(`must name modes, and "${word}" is none: ${ISSUER_MODES.join(', ')}`);
    return mode;
  });
}

/** The ports of the sandbox's partners, and how its issuer behaves. */
export const SANDBOX_VARIABLES = {
  SANDBOX_BANK_PORT: variable("the sandbox bank's back channel", '4001', integer(0, 65535)),
  SANDBOX_BANK_PAGES_PORT: variable("the sandbox bank's pages", '4002', integer(0, 65535)),
  SANDBOX_ISSUER_PORT: variable('the sandbox e-money issuer', '4003', integer(0, 65535)),
  SANDBOX_ISSUER_MODES: variable(
    'how the sandbox e-money issuer behaves: comma-separated modes',
    null,
    issuerModes,
  ),
} as const;
