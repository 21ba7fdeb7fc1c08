import { ApiError } from '../platform/values/errors.ts';

/** Throws 409 `merchant_suspended`: docs/rules/holds.md#a-suspended-merchant. */
export function refuseSuspended(isSuspended: boolean): void {
  if (isSuspended)
    throw new ApiError(
      'merchant_suspended',
      'The operator has suspended this merchant: no new schedules and no new payments. Contact the operator.',
    );
}
