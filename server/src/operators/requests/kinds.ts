import { findHolds, lockHolds } from '../../merchants/holds/hold-store.ts';
import { readMerchant } from '../../merchants/service.ts';
import { accountWords } from '../../merchants/settlement-account/settlement-account.ts';
import {
  type AccountChange,
  findLatestInForce,
} from '../../merchants/settlement-account/settlement-account-store.ts';
import {
  type Readmission,
  readAccountById,
  removeAccount,
  requireTeam,
  resetAccount,
  resetSecondFactor,
} from '../../merchants/team/accounts.ts';
import { checkFees, setFees } from '../../merchants/terms/fee-service.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Platform, Work } from '../../platform/platform.ts';
import { operatorActor } from '../../platform/state/actor.ts';
import { ApiError, orNotFound } from '../../platform/values/errors.ts';
import { releaseAccount } from '../../settlements/account-hold.ts';
import type { Acting } from '../access/acting.ts';
import { FIRST_KEY_DAYS } from '../access/books/operator-key.ts';
import { insertKey } from '../access/keys.ts';
import { lockPresent } from '../access/present.ts';
import {
  addOperator,
  canSignIn,
  checkName,
  readEmail,
  recordOperatorLetIn,
  storeEmail,
  storeRoles,
} from '../access/service.ts';
import { notifyOperator } from '../notices/notify.ts';
import type { OperatorRequest, RequestInput, RequestKind, RequestPayloads } from './request.ts';

type Of<K extends RequestKind> = Extract<OperatorRequest, { kind: K }>;

/** What a kind of request does. */
interface Kind<K extends RequestKind> {
  /** Throws if it could not be done now; returns the subject as people call it. */
  check(work: Work, subject: string, wish: RequestPayloads[K]): Promise<string>;
  /** Does it, once a second operator has agreed. */
  perform(work: Work, request: Of<K>, second: Acting): Promise<void>;
}

const bothOf = ({ askedBy }: { askedBy: string }, second: Acting): string[] => [askedBy, second.id];

const readmissionOf = (request: OperatorRequest, second: Acting): Readmission => ({
  ids: bothOf(request, second),
  actor: operatorActor(second.name),
  causeId: request.requestId,
});

/** Throws 409 `operation_refused` where no email can be sent: nothing that lets somebody in is shown instead. */
function requireMail({ config }: Platform): void {
  if (config.mode === 'sandbox' || config.smtpUrl !== null) return;
  throw new ApiError(
    'operation_refused',
    'Set SMTP_URL first: what lets somebody in goes by email to them alone, and is never shown.',
  );
}

const nameOf = async ({ tx }: Work, operatorId: string): Promise<string> =>
  (await lockPresent(tx, operatorId)).name;

async function userOf({ tx }: Work, userId: string): Promise<string> {
  const { name, email } = await readAccountById(tx, userId);
  return `${name} <${email}>`;
}

async function resettable(work: Work, userId: string): Promise<string> {
  requireMail(work.platform);
  requireTeam(await readAccountById(work.tx, userId));
  return userOf(work, userId);
}

/** Sends an operator a first key by email, with which they make their own. */
async function sendFirstKey(work: Work, operatorId: string, name: string, email: string) {
  const wish = { name: 'first key, sent by email', days: FIRST_KEY_DAYS };
  const { secret } = await insertKey(work, operatorId, wish);
  await notifyOperator(
    work,
    { name, email },
    {
      what: 'key_created',
      subject: 'Your key to the operators’ console',
      lines: [
        `Sign in to the console with this key within ${FIRST_KEY_DAYS} days, and make your own under Operators:`,
        secret,
        'Nobody else has seen it. For 72 hours you read and do your daily work, and have no say in what takes two operators.',
      ],
    },
  );
}

const NEW_OPERATOR: Kind<'new_operator'> = {
  async check({ platform, tx }, _subject, { name, email }) {
    await checkName(tx, name);
    if (!canSignIn(platform))
      throw new ApiError(
        'operation_refused',
        'Set SMTP_URL or OPERATOR_SSO_ISSUER first: a new operator’s first key goes by email to them alone.',
      );
    if (email === null)
      throw new ApiError('operation_refused', 'A new operator needs an email address.');
    readEmail(email);
    return name;
  },
  async perform(work, request, second) {
    const { askedName, wish } = request;
    const by = { ids: bothOf(request, second), how: 'made' } as const;
    const { operatorId, name, email } = await addOperator(
      work,
      wish,
      `${askedName} and ${second.name}`,
      by,
    );
    const { config } = work.platform;
    const sends = config.mode === 'sandbox' || config.smtpUrl !== null;
    if (email !== null && sends) await sendFirstKey(work, operatorId, name, email);
  },
};

const OPERATOR_KEY: Kind<'operator_key'> = {
  async check(work, operatorId) {
    requireMail(work.platform);
    const { name, email } = await lockPresent(work.tx, operatorId);
    if (email === null)
      throw new ApiError('operation_refused', `${name} has no address: set one first.`);
    return name;
  },
  async perform(work, request, second) {
    const { operatorId, name, email } = await lockPresent(work.tx, request.subject);
    await recordOperatorLetIn(work, operatorId, { ids: bothOf(request, second), how: 'key' });
    if (email === null) throw new ApiError('operation_refused', `${name} has no address any more.`);
    await sendFirstKey(work, operatorId, name, email);
  },
};

const OPERATOR_EMAIL: Kind<'operator_email'> = {
  async check(work, operatorId, { email }) {
    readEmail(email);
    return nameOf(work, operatorId);
  },
  async perform(work, request, second) {
    const { operatorId } = await lockPresent(work.tx, request.subject);
    await recordOperatorLetIn(work, operatorId, { ids: bothOf(request, second), how: 'identity' });
    await storeEmail(work, operatorId, request.wish.email);
  },
};

const OPERATOR_ROLES: Kind<'operator_roles'> = {
  check: (work, operatorId) => nameOf(work, operatorId),
  async perform(work, request, second) {
    const operator = await lockPresent(work.tx, request.subject);
    await recordOperatorLetIn(work, operator.operatorId, {
      ids: bothOf(request, second),
      how: 'promoted',
    });
    await storeRoles(work, operator, request.wish.roles, second.name);
  },
};

const USER_RESET: Kind<'user_reset'> = {
  check: resettable,
  perform: (work, request, second) =>
    resetAccount(work, request.subject, readmissionOf(request, second)),
};

const USER_SECOND_FACTOR: Kind<'user_second_factor'> = {
  async check(work, userId) {
    const name = await resettable(work, userId);
    const { twoFactor } = await readAccountById(work.tx, userId);
    if (!twoFactor) throw new ApiError('operation_refused', `${name} has no second factor.`);
    return name;
  },
  perform: (work, request, second) =>
    resetSecondFactor(work, request.subject, readmissionOf(request, second)),
};

const USER_REMOVAL: Kind<'user_removal'> = {
  check: (work, userId) => userOf(work, userId),
  async perform(work, { subject, wish }, second) {
    const { email } = await readAccountById(work.tx, subject);
    await removeAccount(work, email, operatorActor(second.name), wish);
  },
};

/** Returns the change after which pay-outs are held. Throws 404 `not_found`. */
async function findHeldChange(
  { vault }: Platform,
  tx: Tx,
  merchantId: string,
): Promise<AccountChange> {
  const { account_changed: hold } = await findHolds(tx, merchantId);
  orNotFound(hold ?? null, 'hold after a change of the account');
  return orNotFound(await findLatestInForce(tx, vault, merchantId), 'change in force');
}

/** Returns what is asked for to release the pay-outs of a merchant that are held now. Throws 404 `not_found`. */
export async function releaseOf(
  { platform, tx }: Work,
  merchantId: string,
  reason: string,
): Promise<RequestInput> {
  const { changeId } = await findHeldChange(platform, tx, merchantId);
  return { kind: 'release_pay_outs', wish: { changeId }, subject: merchantId, reason };
}

const RELEASE_PAY_OUTS: Kind<'release_pay_outs'> = {
  async check({ platform, tx }, merchantId, { changeId }) {
    await lockHolds(tx);
    const { name } = await readMerchant(platform, tx, merchantId);
    const change = await findHeldChange(platform, tx, merchantId);
    if (change.changeId !== changeId)
      throw new ApiError('operation_refused', 'Another account came into force meanwhile.');
    return `${name} to ${accountWords(change.newAccount)} (${changeId})`;
  },
  async perform({ tx, now }, { subject: merchantId, askedName, reason }, { name }) {
    await releaseAccount({ tx, now, merchantId }, `${askedName} and ${name}: ${reason}`);
  },
};

const MERCHANT_FEES: Kind<'merchant_fees'> = {
  async check({ platform, tx, now }, merchantId, wish) {
    checkFees(feesOf(wish), now);
    return (await readMerchant(platform, tx, merchantId)).name;
  },
  async perform({ platform, tx, now }, { subject: merchantId, wish }, second) {
    await setFees(platform, { tx, now, merchantId }, feesOf(wish), operatorActor(second.name));
  },
};

const feesOf = ({ day, ...terms }: RequestPayloads['merchant_fees']) => ({
  ...terms,
  day: day === null ? null : Temporal.PlainDate.from(day),
});

/** What each kind of request checks when it is asked for, and does when a second operator has agreed. */
export const KIND_WORK: { readonly [K in RequestKind]: Kind<K> } = {
  new_operator: NEW_OPERATOR,
  operator_key: OPERATOR_KEY,
  operator_email: OPERATOR_EMAIL,
  operator_roles: OPERATOR_ROLES,
  user_reset: USER_RESET,
  user_second_factor: USER_SECOND_FACTOR,
  user_removal: USER_REMOVAL,
  release_pay_outs: RELEASE_PAY_OUTS,
  merchant_fees: MERCHANT_FEES,
};
