import { signOff } from '../platform/brand/brand.ts';
import { CUSTOMER_WORDS } from './customer-words.ts';
import { kindOf, type NoticeKind } from './kinds.ts';
import { type Letter, type LetterBranding, serviceBranding } from './letter.ts';
import type { Facts, Setting, Words } from './sentences.ts';

const dashboard = ({ baseUrl }: Setting, path: string): string => `${baseUrl}/dashboard${path}`;

/** Formats an instant for people: "24 November 2026 at 10:00". */
function at(instant: string | undefined, { timeZone }: Setting): string {
  if (instant === undefined) return 'soon';
  const local = Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone);
  const day = local.toLocaleString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });
  const time = local.toLocaleString('en-GB', { hour: '2-digit', minute: '2-digit' });
  return `${day} at ${time}`;
}

/** Begins a sentence with a name. */
const first = (name = ''): string => name.charAt(0).toUpperCase() + name.slice(1);

const toAccount = (setting: Setting): Letter['button'] => ({
  label: 'Open your business settings',
  url: dashboard(setting, '/settings'),
});

const NOT_EXPECTED_KEY = 'If you did not expect this, revoke the key and find out who made it.';

/** What a new account's bank said of the name. A match calls for no second look. */
const NAME_CHECKS: Readonly<Record<string, readonly string[]>> = {
  close_match: ['The bank has a similar name for the account, and not the same one.'],
  no_match: ['The bank says that this is not the name on the account.'],
  unavailable: ['The name on the account could not be checked with the bank.'],
};

/** Why a payment is disputed, as a merchant reads it. */
const DISPUTED: Readonly<Record<string, string>> = {
  unauthorised: 'they did not agree to it',
  after_withdrawal: 'it was taken after they withdrew their permission',
  wrong_amount: 'the amount is wrong',
  duplicate: 'it was paid already',
  not_received: 'they did not get what they paid for',
  other: 'for a reason that they describe',
};

/** The sentences of every kind. They are the words of all emails: change them here alone. */
const WORDS: Readonly<Record<NoticeKind, Words>> = {
  settlement_failed: (f, setting) => ({
    subject: `Settlement of ${f.amount} failed`,
    lines: [
      `We could not pay ${f.amount} into your account ending in ${f.account_ending}.`,
      `The reason: ${f.reason}`,
      'The money is still in your wallet. Check your settlement account, then retry the settlement.',
    ],
    button: {
      label: 'Open the settlement',
      url: dashboard(setting, `/settlements/${f.settlement_id}`),
    },
  }),
  dispute_opened: (f, setting) => ({
    subject: `A payment of ${f.amount} is disputed`,
    lines: [
      f.raised_by === 'customer'
        ? `A customer has told us about a payment of ${f.amount}: ${DISPUTED[f.reason ?? ''] ?? ''}.`
        : `Your team has recorded a dispute of ${f.amount}: ${DISPUTED[f.reason ?? ''] ?? ''}.`,
      `Refund it or answer it by ${at(f.deadline, setting)}.`,
    ],
    button: {
      label: 'Open the dispute',
      url: dashboard(setting, `/disputes/${f.dispute_id}`),
    },
  }),
  endpoint_failing: (f, setting) => ({
    subject: `Webhooks to ${f.host} are failing`,
    lines: [
      `We tried to send an event to ${f.url} six times, and your endpoint did not acknowledge it.`,
      `The last attempt returned: ${f.error}`,
      'We keep the event. Fix the endpoint, then resend the missed events.',
    ],
    button: {
      label: 'Open the endpoint',
      url: dashboard(setting, `/webhooks/endpoints/${f.endpoint_id}`),
    },
  }),
  api_key_created: (f, setting) => ({
    subject: `New API key: ${f.name}`,
    lines: [
      `${first(f.by)} created the API key “${f.name}”, which ends in ${f.hint}.`,
      NOT_EXPECTED_KEY,
    ],
    button: { label: 'Open your API keys', url: dashboard(setting, '/developers') },
  }),
  api_key_revoked: (f, setting) => ({
    subject: `API key revoked: ${f.name}`,
    lines: [
      `${first(f.by)} revoked the API key “${f.name}”, which ended in ${f.hint}.`,
      'Requests with it are refused from now on.',
    ],
    button: { label: 'Open your API keys', url: dashboard(setting, '/developers') },
  }),
  owners_changed: (f, setting) => ({
    subject: `${f.name} ${f.change} of ${setting.merchantName}`,
    lines: [
      `${f.name} (${f.email}) ${f.change} of ${setting.merchantName}. Changed by ${f.by}.`,
      'Owners can change the team, the API keys and the account that settlements go to. If this is wrong, correct it now.',
    ],
    button: { label: 'Open your team', url: dashboard(setting, '/settings/team') },
  }),
  sign_in_reset: (f, setting) => ({
    subject: `${f.name} ${f.change}`,
    lines: [
      `${f.name} (${f.email}) ${f.change} by ${f.by} and a second person there.`,
      'For 72 hours they cannot change the team or the account that settlements go to. A change of that account asked for in the meantime holds your pay-outs until two people of the service release them.',
      'If you did not expect this, contact us at once.',
    ],
    button: { label: 'Open your team', url: dashboard(setting, '/settings/team') },
  }),
  sso_changed: (f, setting) => ({
    subject:
      f.ended === undefined
        ? `Single sign-on of ${setting.merchantName} changed`
        : `Single sign-on of ${setting.merchantName} is off`,
    lines: [
      ...(f.ended === undefined
        ? [
            `${first(f.by)} set up sign-in with ${f.issuer}, as its client ${f.client_id}. ${f.rule}`,
            'Whoever runs that provider can let people sign in as members of your team.',
          ]
        : [
            `${first(f.by)} turned off sign-in with ${f.ended}. Everyone who signed in through it has been signed out.`,
          ]),
      'If you did not expect this, correct it now.',
    ],
    button: { label: 'Open your team', url: dashboard(setting, '/settings/team') },
  }),
  settlement_account_change_requested: (f, setting) => ({
    subject: 'Your settlement account is about to change',
    lines: [
      `${first(f.by)} asked to send your settlements to ${f.new_account} instead of ${f.old_account}.`,
      `The change takes effect on ${[at(f.takes_effect_at, setting), f.condition].filter(Boolean).join(' ')}, unless an owner cancels it.`,
      ...(NAME_CHECKS[f.name_check ?? ''] ?? []),
      'If you did not expect this, cancel the change now.',
    ],
    button: toAccount(setting),
  }),
  settlement_account_change_taken_back: (f, setting) => ({
    subject: 'Your settlement account stays as it is',
    lines: [
      `The requested change to ${f.new_account} was cancelled by ${f.by}.`,
      `Your settlements still go to ${f.old_account}.`,
    ],
    button: toAccount(setting),
  }),
  settlement_account_changed: (f, setting) => ({
    subject: 'Your settlement account has changed',
    lines: [
      `Your settlements now go to ${f.new_account}. Before, they went to ${f.old_account}.`,
      'If you did not expect this, contact us at once.',
    ],
    button: toAccount(setting),
  }),
  invitation: (f, setting) => ({
    subject: `${f.invited_by} invited you to ${setting.merchantName}`,
    lines: [
      `${f.invited_by} invited you to the team of ${setting.merchantName} as ${f.role}.`,
      'The link works once, for 7 days.',
    ],
    button: { label: 'Accept the invitation', url: f.url ?? '' },
  }),
  new_password: (f) => ({
    subject: 'Set a new password',
    lines: [
      `We were asked for a new password for ${f.email}.`,
      'The link works once, for an hour. If it was not you, ignore this email: your password stays as it is.',
    ],
    button: { label: 'Set a new password', url: f.url ?? '' },
  }),
  account_reset: (f) => ({
    subject: 'Set a new password',
    lines: [
      `The sign-in of ${f.email} was reset by two people who run this service. Your old password, passkeys and sessions have ended.`,
      'The link works once, for 24 hours. Your second factor stays as it is.',
      'If you did not ask for this, contact us at once.',
    ],
    button: { label: 'Set a new password', url: f.url ?? '' },
  }),
  second_factor_removed: (f, setting) => ({
    subject: 'Your second factor was removed',
    lines: [
      `Two people who run this service removed the second factor of ${f.email}. Your password stays as it is.`,
      'Set up a new one now. If you did not ask for this, contact us at once.',
    ],
    button: { label: 'Open your profile', url: dashboard(setting, '/settings/profile') },
  }),
  ...CUSTOMER_WORDS,
};

const FOOTERS: Partial<Record<NoticeKind, (setting: Setting) => string>> = {
  invitation: ({ merchantName }) =>
    `You’re receiving this email because ${merchantName} invited you. If you do not know them, ignore it.`,
  account_reset: () =>
    'You’re receiving this email because your sign-in to this service was reset.',
  second_factor_removed: () => 'You’re receiving this email because it is about your sign-in.',
  new_password: () =>
    'You’re receiving this email because somebody entered your address at sign-in.',
};

const toTeam = ({ merchantName }: Setting): string =>
  `You’re receiving this email because you are on the team of ${merchantName}.`;

const toCustomer = ({ merchantName, merchantEmail }: Setting): string =>
  `You’re receiving this email because ${merchantName} collects, or would like to collect, payments from you. ` +
  `Questions? Ask ${merchantName}${merchantEmail === '' ? '' : ` at ${merchantEmail}`}.`;

/** Returns how a notice looks: those to customers as their merchant does, the others as the service. */
export function brandingOf(kind: NoticeKind, setting: Setting): LetterBranding {
  const { merchantName, branding, brand, baseUrl } = setting;
  return kindOf(kind).isForCustomers
    ? { name: merchantName, ...branding, brand }
    : serviceBranding(brand, baseUrl);
}

/** Returns what a notice says. */
export function letterOf(kind: NoticeKind, facts: Facts, setting: Setting): Letter {
  const why =
    FOOTERS[kind]?.(setting) ??
    (kindOf(kind).isForCustomers ? toCustomer(setting) : toTeam(setting));
  return { ...WORDS[kind](facts, setting), footer: `${why} ${signOff(setting.brand)}` };
}
