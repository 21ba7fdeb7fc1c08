/** What a resolution pack lists and the books cannot know (CASS 10A.2): docs/rules/safeguarding.md#the-register. */
export const ENTRY_KINDS = [
  'account',
  'letter',
  'agreement',
  'agent',
  'bank',
  'insurance',
  'group_member',
  'subcontractor',
  'person',
  'document',
] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** An entry of the register. It is never overwritten: what changes is ended, and entered again. */
export interface Entry {
  entryId: string;
  kind: EntryKind;
  name: string;
  /** An account number, a reference, where a document lies. */
  identifier: string | null;
  note: string | null;
  addedAt: Temporal.Instant;
  addedBy: string;
  endedAt: Temporal.Instant | null;
  endedBy: string | null;
}
