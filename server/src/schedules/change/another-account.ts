import { openForAnotherAccount, openLinks } from '../../consents/service.ts';
import type { Asked, Platform } from '../../platform/platform.ts';
import { ApiError, orNotFound } from '../../platform/values/errors.ts';
import { lockSchedule, readTerms } from '../books/store.ts';
import { sendConsentLink } from './send-link.ts';
import { parametersFor, type ScheduleDeps, showSchedule } from './service.ts';
import type { ScheduleView } from './view.ts';

/**
 * Makes a new link at which the customer agrees to the terms that were asked for last, from whichever account they choose. The
 * link before it stops working; a consent in force stays in force until the customer has agreed. Throws 404, 409
 * `schedule_cancelled`, 409 `schedule_ended`, and 409 `request_in_progress` while a consent is being set up. See
 * docs/rules/consents.md#another-account.
 */
export async function requestAnotherAccount(
  deps: ScheduleDeps,
  asked: Asked,
  scheduleId: string,
): Promise<ScheduleView> {
  await openLink(deps.platform, asked, scheduleId, false);
  await sendConsentLink(deps.platform, asked, scheduleId);
  return showSchedule(deps, asked, scheduleId);
}

/**
 * Opens the link at which a customer who asks for it chooses another account: the one that waits for them already, or a new one.
 * Returns its address. Throws as `requestAnotherAccount` does, and 403 for a customer whose account the merchant has named.
 */
export async function chooseAnotherAccount(
  platform: Platform,
  asked: Asked,
  scheduleId: string,
): Promise<string> {
  await openLink(platform, asked, scheduleId, true);
  const url = (await openLinks(platform, asked, [scheduleId])).get(scheduleId);
  if (url === undefined) throw new Error(`no link of the schedule ${scheduleId} is open`);
  return url;
}

async function openLink(
  platform: Platform,
  { tx, now, merchantId }: Asked,
  scheduleId: string,
  isCustomer: boolean,
): Promise<void> {
  const schedule = orNotFound(await lockSchedule(tx, merchantId, scheduleId), 'schedule');
  const { customerId, termsVersion, status, customerType } = schedule;
  if (isCustomer && customerType === 'bank_account')
    throw new ApiError('forbidden', 'The business has named the account to pay from.');
  if (status === 'cancelled')
    throw new ApiError('schedule_cancelled', 'A cancelled schedule collects nothing more.');
  const terms = await readTerms(tx, merchantId, scheduleId, termsVersion);
  if (parametersFor(terms, { now, until: now, maxRetries: schedule.maxRetries }) === null)
    throw new ApiError('schedule_ended', 'No collection of this schedule is to come any more.');
  const wanted = { merchantId, scheduleId, customerId, termsVersion };
  await openForAnotherAccount({ platform, tx, now }, wanted, isCustomer);
}
