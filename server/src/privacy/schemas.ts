import Type, { type Static } from 'typebox';
import {
  Described,
  Fields,
  Id,
  Instant,
  NamedObject,
  OrNull,
  Reason,
} from '../platform/http/schemas/schemas.ts';
import { formatInstant } from '../platform/time/calendar.ts';

const reason = Reason(
  'Who asked for it and when, such as `asked by letter of 5 January`. It is kept in the activity.',
);

/** Why personal data are erased. */
export const ErasureBody = Fields(
  {
    reason,
    metadata: Type.Optional(
      Type.Boolean({
        description: 'Erases the metadata of their schedules too. Default: false.',
      }),
    ),
  },
  'Why personal data are erased.',
);

/** Why personal data are taken out. */
export const ExportQuery = Fields({ reason });

export const ErasedCustomer = NamedObject(
  'ErasedCustomer',
  {
    id: Id('cus', 'The customer’s id, which payments and schedules keep.'),
    erased_at: Described(Instant, 'When they were erased; a second erasure changes nothing.'),
  },
  'A customer whose personal data are erased.',
);

/** Everything that is held of one customer. */
export const CustomerExportAnswer = NamedObject(
  'CustomerExport',
  {
    customer_id: Id('cus', 'The customer.'),
    merchant_id: Id('mer', 'The merchant, which is you.'),
    exported_at: Described(Instant, 'When it was read.'),
    tables: Type.Record(
      Type.String(),
      Type.Array(Type.Record(Type.String(), OrNull(Type.String()))),
      {
        description:
          'The rows by table, in plain text and without secrets, hashes and links: each column as text, and what is no text as JSON.',
      },
    ),
    cut_short: Type.Array(Type.String(), {
      description: 'Tables with more than 50,000 rows, of which only the first ones are here.',
    }),
    archived_before: OrNull(
      Instant,
      'What happened before this moment may be in the archive, which has ids and amounts and no personal data. Null: nothing is archived.',
    ),
  },
  'Everything that is held of one customer.',
);
export type CustomerExport = Static<typeof CustomerExportAnswer>;

/** Returns the answer to an erasure. */
export function viewErased(
  customerId: string,
  erasedAt: Temporal.Instant,
): Static<typeof ErasedCustomer> {
  return { id: customerId, erased_at: formatInstant(erasedAt) };
}
