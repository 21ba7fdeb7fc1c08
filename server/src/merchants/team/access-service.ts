import { isDeepStrictEqual } from 'node:util';
import type { AskedBy } from '../../platform/platform.ts';
import { ApiError, invalid } from '../../platform/values/errors.ts';
import { recordMerchantChange } from '../merchant-changes.ts';
import { lockMerchantRow } from '../store.ts';
import { type AccessRules, limitErrors, rulesInWords } from './access.ts';
import { findAccessRules, saveAccessRules } from './access-store.ts';
import { findMember } from './store.ts';

/**
 * Changes a team's rules for signing in, from each member's next request on. Whoever requires a second factor must have one, so
 * that they do not lock themselves out. Throws 400 `invalid_request`, 403 `second_factor_required`.
 */
export async function changeAccess(asked: AskedBy, rules: AccessRules): Promise<AccessRules> {
  const { tx, merchantId, actorId } = asked;
  const wrong = limitErrors(rules);
  if (Object.keys(wrong).length > 0) throw invalid(wrong);
  await lockMerchantRow(tx, merchantId);
  const before = await findAccessRules(tx, merchantId);
  if (isDeepStrictEqual(before, rules)) return before;
  const member = await findMember(tx, merchantId, actorId);
  if (rules.requiresSecondFactor && member?.twoFactor !== true)
    throw new ApiError(
      'second_factor_required',
      'Set up a second factor for yourself first, under Settings, Your security.',
    );
  await saveAccessRules(tx, merchantId, rules);
  await recordMerchantChange(asked, 'access_changed', rulesInWords(rules));
  return rules;
}
