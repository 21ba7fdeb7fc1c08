import Type from 'typebox';
import { mapList, pageOf, slicePage } from '../../platform/http/lists/page.ts';
import { Fields, ListOf, ListQuery, OneOf, OrNull } from '../../platform/http/schemas/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { ENTRY_KINDS } from '../../safeguarding/register/entry.ts';
import { listEntries } from '../../safeguarding/register/store.ts';
import { addEntry, endEntry } from '../../safeguarding/service.ts';
import { ADMIN_REASON, type AdminRoute, adminRoute } from '../admin/route.ts';
import { EntryView, viewEntry } from './view.ts';

const tag = 'Safeguarding';

/** The endpoints of the register: accounts, letters, agreements and others that the books cannot know. */
export const registerRoutes = (platform: Platform): AdminRoute[] => [
  adminRoute({
    method: 'GET',
    role: 'auditor',
    path: '/safeguarding/register',
    summary: 'List what was entered in the register, what was ended too',
    tag,
    operationId: 'listSafeguardingRegister',
    command: 'safeguarding register',
    query: ListQuery,
    response: ListOf(EntryView),
    async handle(call) {
      const entries = await listEntries(call.tx);
      return mapList(
        slicePage('entries', entries, pageOf(call), (one) => one.entryId),
        viewEntry,
      );
    },
  }),
  adminRoute({
    method: 'POST',
    role: 'payments',
    path: '/safeguarding/register',
    summary: 'Enter something in the register',
    tag,
    operationId: 'addSafeguardingEntry',
    command: 'safeguarding enter',
    body: Fields({
      kind: OneOf(ENTRY_KINDS),
      name: Type.String({ minLength: 1, maxLength: 200 }),
      identifier: Type.Optional(
        OrNull(
          Type.String({ minLength: 1, maxLength: 200 }),
          'An account number, a reference, or where the document lies.',
        ),
      ),
      note: Type.Optional(OrNull(Type.String({ minLength: 1, maxLength: 2000 }))),
    }),
    response: EntryView,
    async handle({ tx, now, operator, body: { kind, name, identifier, note } }) {
      const given = { kind, name, identifier: identifier ?? null, note: note ?? null };
      return viewEntry(await addEntry({ platform, tx, now }, given, operator.name));
    },
  }),
  adminRoute({
    method: 'POST',
    role: 'payments',
    path: '/safeguarding/register/:id/end',
    summary: 'End an entry of the register',
    description: 'It stays in the register as it was. What changes is ended, and entered again.',
    tag,
    operationId: 'endSafeguardingEntry',
    command: 'safeguarding end',
    params: Type.Object({ id: Type.String() }),
    body: Fields({ reason: ADMIN_REASON }),
    response: EntryView,
    errors: ['not_found'],
    handle: async ({ tx, now, operator, params, body }) =>
      viewEntry(await endEntry({ tx, now }, params.id, { who: operator.name, says: body.reason })),
  }),
];
