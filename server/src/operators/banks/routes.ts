import type { Static } from 'typebox';
import type { Tx } from '../../platform/db/db.ts';
import { pageOf, slicePage } from '../../platform/http/lists/page.ts';
import { Fields, IdParams, ListOf, ListQuery } from '../../platform/http/schemas/schemas.ts';
import { notFound } from '../../platform/values/errors.ts';
import { ADMIN_REASON, type AdminRoute, adminRoute } from '../admin/route.ts';
import { readDays } from './day.ts';
import { readBanks } from './read.ts';
import { resumeBank, stopBank, trustBankAgain } from './service.ts';
import { BankView, type NamedBank, type Registration, viewBank } from './view.ts';

const tag = 'Banks';

interface Read {
  tx: Tx;
  now: Temporal.Instant;
}

/** The banks of this process now, and our registrations with the direct ones. */
interface Configured {
  configured: readonly NamedBank[];
  registered: readonly Registration[];
}

/** Returns every bank, configured or with consents, by id. */
async function listBanks(
  { tx, now }: Read,
  { configured, registered }: Configured,
): Promise<Static<typeof BankView>[]> {
  const names = new Map(configured.map(({ bankId, name }) => [bankId, name]));
  const banks = await readBanks(tx, now, [...names.keys()]);
  const dayOf = await readDays(tx, now, banks);
  return banks.map((bank) => {
    const { bankId } = bank;
    const registration = registered.find((one) => one.bankId === bankId) ?? null;
    return viewBank(bank, names.get(bankId) ?? null, registration, dayOf(bank));
  });
}

async function showBank(
  read: Read,
  configured: Configured,
  bankId: string,
): Promise<Static<typeof BankView>> {
  const bank = (await listBanks(read, configured)).find(({ id }) => id === bankId);
  if (bank === undefined) throw notFound('bank');
  return bank;
}

const DECISIONS = [
  {
    verb: 'stop',
    operationId: 'stopBank',
    command: 'bank stop',
    summary: 'Stop all payment orders to a bank',
    decide: stopBank,
  },
  {
    verb: 'resume',
    operationId: 'resumeBank',
    command: 'bank resume',
    summary: 'Send payment orders to a bank again',
    decide: resumeBank,
  },
  {
    verb: 'trust',
    operationId: 'trustBank',
    command: 'bank trust',
    summary: "Act on a bank's answers about consents again",
    decide: trustBankAgain,
  },
] as const;

/** The endpoints of banks; `banks`: those of this process now; `direct`: our registrations with them. */
export function bankRoutes(
  banks: ReadonlyMap<string, NamedBank>,
  direct: () => readonly Registration[],
): AdminRoute[] {
  const configured = (): Configured => ({
    configured: [...banks.values()],
    registered: direct(),
  });
  return [
    adminRoute({
      method: 'GET',
      role: 'auditor',
      path: '/banks',
      summary: 'List banks and their state',
      tag,
      operationId: 'listBanks',
      command: 'bank list',
      query: ListQuery,
      response: ListOf(BankView),
      handle: async (call) =>
        slicePage('banks', await listBanks(call, configured()), pageOf(call), ({ id }) => id),
    }),
    adminRoute({
      method: 'GET',
      role: 'auditor',
      path: '/banks/:id',
      summary: 'Read a bank',
      tag,
      operationId: 'getBank',
      command: 'bank show',
      params: IdParams,
      response: BankView,
      errors: ['not_found'],
      handle: ({ tx, now, params }) => showBank({ tx, now }, configured(), params.id),
    }),
    ...DECISIONS.map(({ verb, operationId, command, summary, decide }) =>
      adminRoute({
        method: 'POST',
        role: 'payments',
        path: `/banks/:id/${verb}`,
        summary,
        description: 'A bank that is in that state already stays as it is.',
        tag,
        operationId,
        command,
        params: IdParams,
        body: Fields({ reason: ADMIN_REASON }),
        response: BankView,
        errors: ['not_found'],
        async handle({ tx, now, operator, params, body }) {
          const word = { by: operator.name, reason: body.reason };
          await decide({ tx, now, bankId: params.id }, word, [...banks.keys()]);
          return showBank({ tx, now }, configured(), params.id);
        },
      }),
    ),
  ];
}
