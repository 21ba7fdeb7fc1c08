import type { Role } from '../merchants/role.ts';

/** What a kind of notice is, apart from its sentences. */
interface Kind {
  /** As the list in the settings names it. */
  title: string;
  /** When it is sent. */
  about: string;
  /** The members who get it; none: the person it names. */
  roles: readonly Role[];
  /** Whether a merchant may turn it off. What protects the account cannot be. */
  isOptional: boolean;
}

const SECURITY: Pick<Kind, 'roles' | 'isOptional'> = { roles: ['owner'], isOptional: false };
const PERSONAL: Pick<Kind, 'roles' | 'isOptional'> = { roles: [], isOptional: false };

/** Every kind of notice: docs/rules/notices.md#kinds. */
export const KINDS = {
  settlement_failed: {
    title: 'A settlement failed',
    about: 'A pay-out to your bank account failed or came back.',
    roles: ['owner', 'finance'],
    isOptional: true,
  },
  endpoint_failing: {
    title: 'A webhook endpoint is failing',
    about: 'Six tries to send an event failed. At most one email a day for each endpoint.',
    roles: ['owner', 'developer'],
    isOptional: true,
  },
  api_key_created: {
    title: 'An API key was created',
    about: 'Somebody created an API key, or replaced one.',
    roles: ['owner'],
    isOptional: true,
  },
  api_key_revoked: {
    title: 'An API key was revoked',
    about: 'An API key stopped working.',
    roles: ['owner'],
    isOptional: true,
  },
  owners_changed: {
    title: 'An owner joined or left',
    about: 'Somebody became an owner, or no longer is one.',
    ...SECURITY,
  },
  settlement_account_change_requested: {
    title: 'A change of the settlement account was requested',
    about: 'An owner asked to send your settlements to another account.',
    ...SECURITY,
  },
  settlement_account_change_taken_back: {
    title: 'A change of the settlement account was cancelled',
    about: 'A requested change does not take effect.',
    ...SECURITY,
  },
  settlement_account_changed: {
    title: 'The settlement account changed',
    about: 'Your settlements go to another account from now on.',
    ...SECURITY,
  },
  invitation: {
    title: 'Invitation to the team',
    about: 'Sent to the person you invite.',
    ...PERSONAL,
  },
  new_password: {
    title: 'Forgotten password',
    about: 'Sent to a member who asks for a new password.',
    ...PERSONAL,
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type NoticeKind = keyof typeof KINDS;

/** Every kind, in the order of the settings. */
export const NOTICE_KINDS = Object.keys(KINDS) as NoticeKind[];

export const isKind = (word: string): word is NoticeKind => Object.hasOwn(KINDS, word);

/** Returns what a kind is. */
export function kindOf(kind: NoticeKind): Kind {
  return KINDS[kind];
}
