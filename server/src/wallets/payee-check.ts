import type { SettlementAccount } from '../merchants/merchant.ts';
import { recordMerchantChange } from '../merchants/merchant-changes.ts';
import { normalisedAccount } from '../merchants/rules.ts';
import {
  COUNTED_FOR,
  hasCheckedEnough,
  isFresh,
  lastVerdict,
  type PayeeAnswer,
  type PayeeCheck,
  type PayeeReason,
  payeeWords,
  unavailable,
} from '../merchants/settlement-account/payee-check.ts';
import {
  findAskedSince,
  findWithReason,
  insertCheck,
  setAnswer,
} from '../merchants/settlement-account/payee-check-store.ts';
import { accountWords } from '../merchants/settlement-account/settlement-account.ts';
import { lockedMerchant } from '../merchants/settlement-account/settlement-account-service.ts';
import type { Tx } from '../platform/db/db.ts';
import { endsWithin } from '../platform/network/ends-within.ts';
import type { Asked, Platform } from '../platform/platform.ts';
import type { Issuer } from './issuer.ts';
import { findMerchantWallet } from './store.ts';

/** What checking a name takes. */
export interface PayeeDeps {
  platform: Platform;
  issuer: Issuer;
  /** How long the caller waits for the bank; 5 seconds by default. */
  patienceMs?: number;
}

/** Who has a name checked for a merchant. */
export interface Checker {
  merchantId: string;
  /** In the audit trail's format. */
  by: string;
  /** Runs a transaction in their name. */
  transact<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Throws unless they may ask for another settlement account. */
  refuse(asked: Asked): Promise<unknown>;
}

const PATIENCE_MS = 5_000;
/** What the schemes allow. */
const LONGEST_NAME = 140;

/**
 * Has the bank of an account say whether the name is its holder's, and records it: docs/rules/access.md#the-name-on-the-account.
 * The account's fields must have been checked. Calls the issuer, so never use it within a transaction. Whatever the issuer and
 * the bank do, it returns in time; throws only what `refuse` throws, and 404 `not_found`.
 */
export async function checkPayee(
  deps: PayeeDeps,
  checker: Checker,
  wanted: SettlementAccount,
): Promise<PayeeCheck> {
  const account = normalisedAccount(wanted);
  const { check, walletId } = await checker.transact((tx) => begin(deps, checker, tx, account));
  if (walletId === null) return check;
  const answer = await checkWithTimeout(deps, account, walletId);
  const { platform } = deps;
  await checker.transact(async (tx) => {
    await setAnswer(tx, platform.vault, check, answer);
    const asked = { tx, now: platform.clock.now(), merchantId: checker.merchantId };
    const words = `${accountWords(account)}, ${payeeWords(answer)}`;
    await recordMerchantChange(asked, 'payee_checked', words);
  });
  return { ...check, ...answer };
}

/**
 * Returns the check with the wallet to ask from; null: there is nothing to ask. The merchant is locked and the check is counted
 * before the call, so that many at once cannot pass the limit, and a crash leaves a check without an answer.
 */
async function begin(
  { platform, issuer }: PayeeDeps,
  { merchantId, by, refuse }: Checker,
  tx: Tx,
  account: SettlementAccount,
): Promise<{ check: PayeeCheck; walletId: string | null }> {
  const { vault, ids } = platform;
  const now = platform.clock.now();
  const asked = { tx, now, merchantId };
  await lockedMerchant(platform, asked);
  await refuse(asked);
  const since = now.subtract(COUNTED_FOR);
  const recent = await findAskedSince(tx, vault, merchantId, since);
  const verdict = lastVerdict(recent, account);
  const isEnough = hasCheckedEnough(recent, by);
  // Or else a verdict could be made to vanish by asking about other names until there are too many.
  if (verdict !== null && (isEnough || isFresh(verdict, now)))
    return { check: verdict, walletId: null };
  const wallet = await findMerchantWallet(tx, merchantId);
  const walletId = wallet?.status === 'open' ? wallet.issuerWalletId : null;
  let reason: PayeeReason = 'no_answer';
  if (!issuer.limits.checksPayees) reason = 'not_offered';
  else if (walletId === null) reason = 'no_wallet_yet';
  else if (isEnough) reason = 'too_many_checks';
  const counted = { merchantId, reason, since };
  // What asked nobody is counted against no limit: one row a day stands for all of a reason.
  const same = reason === 'no_answer' ? null : await findWithReason(tx, vault, counted);
  if (same !== null) return { check: same, walletId: null };
  const check: PayeeCheck = {
    ...unavailable(reason),
    merchantId,
    checkId: ids.next('chk', now),
    account,
    askedBy: by,
    askedAt: now,
  };
  await insertCheck(tx, vault, check);
  return { check, walletId: reason === 'no_answer' ? walletId : null };
}

async function checkWithTimeout(
  { issuer, patienceMs = PATIENCE_MS }: PayeeDeps,
  account: SettlementAccount,
  walletId: string,
): Promise<PayeeAnswer> {
  let answer = unavailable('no_answer');
  try {
    const asked = issuer.checkPayee(account, walletId).then((given) => {
      answer = withoutOthersNames(given);
    });
    return (await endsWithin(asked, patienceMs)) ? answer : unavailable('no_answer');
  } catch {
    // The issuer's calls are counted by their outcome, and a check that failed stops nothing.
    return unavailable('no_answer');
  }
}

/** Whatever an issuer sends along, only a close match shows whose account it is. */
function withoutOthersNames(given: PayeeAnswer): PayeeAnswer {
  const name = given.result === 'close_match' ? given.bankName : null;
  return { ...given, bankName: name?.slice(0, LONGEST_NAME) ?? null };
}
