import type { SettlementAccount } from '../../../merchants/merchant.ts';
import { merchantErrors } from '../../../merchants/rules.ts';
import {
  agreeAsOperator,
  cancelChangeAsOperator,
  requestAsOperator,
} from '../../../merchants/settlement-account-by-operators.ts';
import { requireRole } from '../../../operators/access/acting.ts';
import { showMerchant } from '../../../operators/merchants/service.ts';
import { type Config, ConfigError } from '../../../platform/config/config.ts';
import type { Asked, Platform } from '../../../platform/platform.ts';
import { invalid } from '../../../platform/values/errors.ts';
import { withPlatform } from '../session/offline.ts';
import { actingOf, requireKey } from '../session/operator.ts';

/** Options of `merchant account`; without any, the account and the change that waits are only shown. */
export interface AccountOptions {
  sortCode?: string;
  accountNumber?: string;
  accountName?: string;
  agree?: string;
  takeBack?: string;
  reason?: string;
}

type Change = (platform: Platform, asked: Asked) => Promise<unknown>;

/**
 * `merchant account`. Throws ConfigError for options that do not go together, 400 `invalid_request`, 404 `not_found`, 409
 * `operation_refused`.
 */
export async function accountCommand(
  config: Config,
  merchantId: string,
  options: AccountOptions,
): Promise<object> {
  const change = changeOf(config, options);
  return withPlatform(config, async (platform) => {
    const asked = { now: platform.clock.now(), merchantId };
    if (change !== null) await platform.db.transaction((tx) => change(platform, { tx, ...asked }));
    const { settlement_account, pending_settlement_account } = await platform.db.read((tx) =>
      showMerchant(platform, tx, merchantId),
    );
    return { merchant_id: merchantId, settlement_account, pending_settlement_account };
  });
}

/** Returns what the options ask for; null: only to be shown. */
function changeOf(config: Config, options: AccountOptions): Change | null {
  const account = accountOf(config, options);
  const { agree, takeBack, reason } = options;
  const wishes = [account, agree, takeBack].filter((wish) => wish !== undefined).length;
  if (wishes > 1)
    throw new ConfigError('give an account, --agree or --take-back, and only one of them');
  if (wishes === 0) return null;
  if (reason === undefined || reason.trim() === '')
    throw new ConfigError('--reason must say why; it is kept in the audit trail');
  if (agree !== undefined) requireKey(config);
  return (platform, asked) => {
    const acting = actingOf(config);
    requireRole(acting, 'payments');
    const word = { id: acting.id, by: acting.name, reason };
    if (account !== undefined) return requestAsOperator(platform, asked, account, word);
    if (agree !== undefined) return agreeAsOperator(platform, asked, agree, word);
    return cancelChangeAsOperator(platform, asked, takeBack ?? '', word);
  };
}

function accountOf(
  { mode }: Config,
  { sortCode, accountNumber, accountName: name }: AccountOptions,
): SettlementAccount | undefined {
  if (sortCode === undefined && accountNumber === undefined && name === undefined) return undefined;
  if (sortCode === undefined || accountNumber === undefined || name === undefined)
    throw new ConfigError('--sort-code, --account-number and --account-name go together');
  const settlementAccount = { sortCode, accountNumber, name };
  const wrong = merchantErrors({ settlementAccount }, mode);
  if (Object.keys(wrong).length > 0) throw invalid(wrong);
  return settlementAccount;
}
