import type { SettlementAccount } from '../src/merchants/merchant.ts';
import {
  agreeAsOperator,
  requestAsOperator,
} from '../src/merchants/settlement-account/settlement-account-by-operators.ts';
import { applyDueChange } from '../src/merchants/settlement-account/settlement-account-service.ts';
import type { Platform } from '../src/platform/platform.ts';

/** Changes a merchant's settlement account as two operators do, and lets the day until it is in force pass at once. */
export async function setAccount(
  platform: Platform,
  merchantId: string,
  account: SettlementAccount,
): Promise<void> {
  const now = platform.clock.now();
  await platform.db.transaction(async (tx) => {
    const asked = { tx, now, merchantId };
    const word = (id: string, by: string) => ({ id, by, reason: 'a test' });
    const change = await requestAsOperator(
      platform,
      asked,
      account,
      word('opr_hill', 'Ms Hill'),
      null,
    );
    await agreeAsOperator(platform, asked, change.changeId, word('opr_dale', 'Mr Dale'));
    await applyDueChange(platform, { ...asked, now: change.takesEffectAt });
  });
}
