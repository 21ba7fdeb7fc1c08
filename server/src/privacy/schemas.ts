import Type, { type Static } from 'typebox';
import {
  Fields,
  Id,
  Instant,
  NamedObject,
  OrNull,
  Reason,
} from '../platform/http/schemas/schemas.ts';
import { formatInstant } from '../platform/time/calendar.ts';

const reason = Reason('Who asked for it, and when; kept in the activity.');

/** Why personal data are erased. */
export const ErasureBody = Fields({
  reason,
  metadata: Type.Optional(
    Type.Boolean({ description: 'Erase the metadata of their schedules too. Default: false.' }),
  ),
});

/** Why personal data are taken out. */
export const ExportQuery = Fields({ reason });

export const ErasedCustomer = NamedObject('ErasedCustomer', { id: Id('cus'), erased_at: Instant });

/** Everything that is held of one customer. */
export const CustomerExportAnswer = NamedObject('CustomerExport', {
  customer_id: Id('cus'),
  merchant_id: Id('mer'),
  exported_at: Instant,
  tables: Type.Record(
    Type.String(),
    Type.Array(Type.Record(Type.String(), OrNull(Type.String()))),
    {
      description:
        'Rows by table, unsealed, without secrets, hashes and links: each column as text, what is no text as JSON.',
    },
  ),
  cut_short: Type.Array(Type.String(), {
    description: 'Tables of which only the first 50,000 rows are there.',
  }),
  archived_before: {
    ...OrNull(Instant),
    description:
      'What happened before this moment may be in the archive, which holds ids and amounts and no personal data. Null: nothing is.',
  },
});
export type CustomerExport = Static<typeof CustomerExportAnswer>;

/** Returns the answer to an erasure. */
export function viewErased(
  customerId: string,
  erasedAt: Temporal.Instant,
): Static<typeof ErasedCustomer> {
  return { id: customerId, erased_at: formatInstant(erasedAt) };
}
