import Type from 'typebox';
import { type Route, route } from '../../platform/http/calls/route.ts';
import { Fields, OneOf } from '../../platform/http/schemas/schemas.ts';
import type { Asked } from '../../platform/platform.ts';
import { DayInput, type ZonedCall } from '../reports/range.ts';
import { readJournal } from './service.ts';
import { Journal, LAYOUT_NAMES, type LayoutName } from './view.ts';

const AccountInput = (of: string) =>
  Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: `The account of ${of}.` }),
  );

/** Returns the route of the journal; `zoned` takes a turn of the merchant's reports and adds its time zone to a call. */
export const journalRoute = (zoned: <T extends Asked>(call: T) => Promise<T & ZonedCall>): Route =>
  route({
    method: 'GET',
    path: '/api/reports/journal',
    summary: 'Get the settlements paid out on some days as journals for an accounting program',
    description:
      'Both days included: by default the last month that is over, a year at most. Its CSV has the layout that the program imports.',
    tag: 'Dashboard',
    operationId: 'getJournal',
    scope: null,
    permission: 'read',
    query: Fields({
      layout: Type.Unsafe<LayoutName>({ ...OneOf(LAYOUT_NAMES), default: 'xero' }),
      from: DayInput,
      to: DayInput,
      account_bank: AccountInput('what is paid out: the bank, or a clearing account'),
      account_payments: AccountInput('the payments collected'),
      account_refunds: AccountInput('refunds'),
      account_fees: AccountInput('fees'),
      account_recalls: AccountInput('recalled payments'),
    }),
    response: Journal,
    handle: async (call) => readJournal(await zoned(call), call.query),
  });
