import type { Vault } from '../platform/vault/vault.ts';
import type { DisputeRow } from './store.ts';

type Texts = 'note' | 'answer';
type Key = Pick<DisputeRow, 'merchantId' | 'disputeId'>;

const context = ({ merchantId, disputeId }: Key, column: Texts): string =>
  `dispute:${merchantId}:${disputeId}:${column}`;

/** Seals what a person wrote about a dispute; null and blanks: nothing. */
export function sealText(
  vault: Vault,
  key: Key,
  column: Texts,
  text: string | undefined,
): string | null {
  const plain = text?.trim() ?? '';
  return plain === '' ? null : vault.seal(plain, context(key, column));
}

/** Opens what a person wrote about a dispute. */
export function openText(vault: Vault, row: DisputeRow, column: Texts): string | null {
  const sealed = row[column];
  return sealed === null ? null : vault.open(sealed, context(row, column));
}
