import type { Static } from 'typebox';
import Type from 'typebox';
import type { Tx } from '../platform/db/db.ts';
import { type Route, route } from '../platform/http/calls/route.ts';
import { Instant, NamedObject, OneOf, OrNull } from '../platform/http/schemas/schemas.ts';
import { formatInstant } from '../platform/time/calendar.ts';
import type { Bank } from './bank.ts';
import { BANK_CONDITIONS, BANK_OPERATIONS, type BankConditionNow } from './condition.ts';
import { readConditions } from './condition-store.ts';
import { findStopped } from './stop-store.ts';

const condition = OneOf(
  BANK_CONDITIONS,
  'How the bank answers our calls. `operational`: as it should. `degraded`: some calls get no answer. `down`: none gets one.',
);
const since = OrNull(Instant, 'Since when it is in that condition. Null: it was not called yet.');

/** The condition of a bank and of its operations. */
export const ConditionFields = {
  condition,
  since,
  operations: Type.Array(
    NamedObject(
      'BankOperation',
      {
        operation: OneOf(
          BANK_OPERATIONS,
          '`consent`: customers agree or withdraw. `token`: we get access. `funds`: we check that the money is there. `payment`: we send a payment. `read`: we ask for its outcome.',
        ),
        condition,
        since,
      },
      'How a bank answers one kind of call.',
    ),
    { description: 'The same for each kind of call.' },
  ),
};

const BankView = NamedObject(
  'Bank',
  {
    bank_id: Type.String({ description: 'The bank’s id.', examples: ['northbank'] }),
    name: Type.String({ description: 'The name that customers know.', examples: ['Northbank'] }),
    ...ConditionFields,
    stopped: Type.Boolean({
      description: 'The operator sends no payments to this bank for now. They wait.',
    }),
  },
  'A bank that customers can choose, and how it answers.',
);

/** Shows how a bank stands. */
export const viewCondition = ({ condition: is, since: at, operations }: BankConditionNow) => ({
  condition: is,
  since: formatInstant(at),
  operations: operations.map((one) => ({ ...one, since: formatInstant(one.since) })),
});

/** Returns the banks that customers can choose, with the condition of each. */
async function listBanks(
  tx: Tx,
  now: Temporal.Instant,
  banks: ReadonlyMap<string, Pick<Bank, 'bankId' | 'name'>>,
): Promise<Static<typeof BankView>[]> {
  const offered = [...banks.values()];
  const standing = await readConditions(tx, now);
  const stopped = await findStopped(
    tx,
    offered.map(({ bankId }) => bankId),
  );
  return offered.map(({ bankId, name }) => ({
    bank_id: bankId,
    name,
    ...viewCondition(standing(bankId)),
    stopped: stopped.has(bankId),
  }));
}

/** Returns the route that lists the banks and how each answers: docs/rules/payments.md#the-condition-of-a-bank. */
export function bankRoutes(banks: ReadonlyMap<string, Bank>): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/banks',
      summary: 'List the banks and how they answer',
      description:
        'The banks that customers can choose. While a bank is down or stopped, payments there wait, and nothing is lost.',
      tag: 'Banks',
      operationId: 'listBanks',
      scope: 'schedules',
      permission: 'read',
      response: NamedObject(
        'BankList',
        {
          data: Type.Array(BankView, { description: 'All banks; there are no pages.' }),
        },
        'The banks that customers can choose.',
      ),
      handle: async ({ tx, now }) => ({ data: await listBanks(tx, now, banks) }),
    }),
  ];
}
