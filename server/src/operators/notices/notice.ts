import type { Letter } from '../../notices/letter.ts';
import { type Brand, signOff } from '../../platform/brand/brand.ts';
import type { EmailReader } from '../../platform/state/notify.ts';
import type { Vault } from '../../platform/vault/vault.ts';

/** What happened to operators, to their ways in, or through two of them: a code for the log and the metrics. */
export const CHANGES = [
  'operator_created',
  'operator_removed',
  'roles_changed',
  'email_changed',
  'key_created',
  'key_revoked',
  'request_asked',
  'request_agreed',
  'request_taken_back',
  'account_asked',
  'account_agreed',
  'unallocated_agreed',
] as const;
export type OperatorChange = (typeof CHANGES)[number];

/** A notice: an email to somebody, or, without a reader, a line of the log. */
export interface NoticeContent {
  what: OperatorChange;
  to: EmailReader | null;
  subject: string;
  lines: readonly string[];
}

const context = (noticeId: string): string => `operator_notices:${noticeId}`;

/** Seals the content of a notice. */
export const sealNotice = (vault: Vault, noticeId: string, content: NoticeContent): string =>
  vault.seal(JSON.stringify(content), context(noticeId));

/** Opens the sealed content of a notice. */
export const openNotice = (vault: Vault, noticeId: string, sealed: string): NoticeContent =>
  JSON.parse(vault.open(sealed, context(noticeId))) as NoticeContent;

/** Returns what an email to an operator says. */
export const letterOf = ({ subject, lines }: NoticeContent, brand: Brand): Letter => ({
  subject,
  lines,
  footer: `You get this because you are an operator of this service. ${signOff(brand)}`,
});
