import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../platform/db/db.ts';
import type { Platform, Work } from '../platform/platform.ts';
import { invalid, orNotFound } from '../platform/values/errors.ts';
import {
  DEFAULT_SETTINGS,
  type Merchant,
  type MerchantFields,
  type NewMerchant,
} from './merchant.ts';
import { recordMerchantChange } from './merchant-changes.ts';
import { merchantErrors, normalisedAccount } from './rules.ts';
import { normalStatementName, statementNameOf } from './statement-name.ts';
import {
  findMerchant,
  findRefundsWait,
  findScheduleSettings,
  insertMerchant,
  lockMerchant,
  type ScheduleSettings,
  updateMerchantRow,
} from './store.ts';
import { insertFormerAddress } from './team/leaving-store.ts';
import { parseTimeZone } from './time-zone.ts';

/** Runs in the transaction that creates a merchant: opens its wallet. */
export type OnCreated = (tx: Tx, merchantId: string) => Promise<void>;

function normalised<
  T extends Pick<MerchantFields, 'timeZone' | 'settlementAccount' | 'statementName'>,
>(fields: T): T {
  return {
    ...fields,
    timeZone: parseTimeZone(fields.timeZone) ?? fields.timeZone,
    settlementAccount: normalisedAccount(fields.settlementAccount),
    statementName: normalStatementName(fields.statementName),
  };
}

/** Creates a merchant in a transaction of its own, as `addMerchant` does. */
export function createMerchant(
  platform: Platform,
  input: NewMerchant,
  onCreated: OnCreated = async () => undefined,
): Promise<Merchant> {
  const now = platform.clock.now();
  return platform.db.transaction((tx) => addMerchant({ platform, tx, now }, input, onCreated));
}

/** Creates a merchant. Throws 400 `invalid_request` naming every wrong field as the API names it. */
export async function addMerchant(
  { platform, tx, now }: Work,
  input: NewMerchant,
  onCreated: OnCreated,
): Promise<Merchant> {
  const fields: MerchantFields = { ...DEFAULT_SETTINGS, ...input };
  const wrong = merchantErrors(fields, platform.config.mode);
  if (Object.keys(wrong).length > 0) throw invalid(wrong);
  const merchant: Merchant = {
    ...normalised(fields),
    merchantId: platform.ids.next('mer', now),
    createdAt: now,
  };
  await insertMerchant(tx, platform.vault, merchant);
  await onCreated(tx, merchant.merchantId);
  return merchant;
}

/** Returns the merchant. Throws 404 `not_found`. */
export async function readMerchant(
  platform: Platform,
  tx: Tx,
  merchantId: string,
): Promise<Merchant> {
  return orNotFound(await findMerchant(tx, platform.vault, merchantId), 'merchant');
}

/** Returns what a merchant's schedules need of it. Throws 404 `not_found`. */
export async function readScheduleSettings(
  tx: Tx,
  merchantId: string,
): Promise<ScheduleSettings & { statementName: string }> {
  const found = orNotFound(await findScheduleSettings(tx, merchantId), 'merchant');
  return { ...found, statementName: statementNameOf(found) };
}

/** Returns whether a merchant's refunds wait where its wallet holds less. */
export const readRefundsWait = findRefundsWait;

/** Changes the fields given, which must have been checked (`merchantErrors`). Throws 404 `not_found`. */
export async function updateMerchant(
  platform: Platform,
  tx: Tx,
  merchantId: string,
  changes: Partial<Omit<MerchantFields, 'settlementAccount'>>,
): Promise<Merchant> {
  const before = orNotFound(await lockMerchant(tx, platform.vault, merchantId), 'merchant');
  const after: Merchant = normalised({ ...before, ...changes });
  await updateMerchantRow(tx, platform.vault, after);
  if (after.email !== before.email) await insertFormerAddress(tx, before, platform.clock.now());
  await recordDetails(platform, tx, before, after);
  return after;
}

/** Names the details that changed in the audit trail, without their values: some are personal. */
async function recordDetails(
  { clock }: Platform,
  tx: Tx,
  before: Merchant,
  after: Merchant,
): Promise<void> {
  const names = Object.keys(after) as (keyof Merchant)[];
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  if (changed.length === 0) return;
  const { merchantId } = after;
  const reason = changed.map(inWords).join(', ');
  await recordMerchantChange({ tx, now: clock.now(), merchantId }, 'details_changed', reason);
}

/** Returns a field's name in words: `returnUrl` is “return url”. */
function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
