import type { SandboxAccount, SandboxBank } from '@recollect/sdk';
import { useSchedule, useScheduleConsent } from '../../api/schedules.ts';

/** A customer at a sandbox bank. */
export interface Granter {
  bankId: string;
  account: SandboxAccount;
}

/** Returns the sandbox's customer who granted the consent that a schedule collects under; null: nobody yet, or not known yet. */
export function useGranter(scheduleId: string, banks: readonly SandboxBank[]): Granter | null {
  const bankId = useScheduleConsent(scheduleId).data?.agreement?.bank.id;
  const ending = useSchedule(scheduleId).data?.paying_account?.account_number.replace(/\D/g, '');
  if (bankId === undefined || ending === undefined || ending === '') return null;
  const bank = banks.find((one) => one.bank_id === bankId);
  const account = bank?.accounts.find((one) => one.account_number.endsWith(ending));
  return account === undefined ? null : { bankId, account };
}
