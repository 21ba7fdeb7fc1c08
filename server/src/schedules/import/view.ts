import Type, { type Static } from 'typebox';
import {
  AmountOrZero,
  Fields,
  Id,
  NamedObject,
  OneOf,
  OrNull,
} from '../../platform/http/schemas/schemas.ts';
import { MAX_LINES } from './csv.ts';

const Text = OrNull(Type.String());

/** The body of POST /schedules/import: a heading and some of a file's lines. */
export const ImportInput = Fields({
  csv: Type.String({
    minLength: 1,
    description: `The heading and at most ${MAX_LINES} lines of a CSV file.`,
    examples: [
      'customer_phone,amount,frequency,day,description\r\n+447700900123,49.99,monthly,10,Broadband\r\n',
    ],
  }),
  first_line: Type.Optional(
    Type.Integer({
      minimum: 2,
      maximum: 1_000_000,
      description: 'Where in the file the first line after the heading begins. Default: 2.',
    }),
  ),
  check_only: Type.Optional(
    Type.Boolean({ description: 'Says what would become of each line, and creates nothing.' }),
  ),
});
export type ImportInput = Static<typeof ImportInput>;

/** The results of the lines: docs/rules/import.md. */
export const ImportAnswer = NamedObject('Import', {
  data: Type.Array(
    NamedObject('ImportedLine', {
      line: Type.Integer({ minimum: 2, description: 'Where in the file it begins.' }),
      status: OneOf(
        ['valid', 'created', 'existing', 'invalid'],
        'valid: it would be created; existing: it was imported before.',
      ),
      key: OrNull(
        Type.String({
          description:
            'Lines of one key stand for one schedule. Null: the line cannot be read so far.',
        }),
      ),
      import_reference: Text,
      customer: NamedObject('ImportedCustomer', { name: Text, email: Text, phone: Text }),
      description: Text,
      amount: OrNull(AmountOrZero),
      schedule_id: OrNull(Id('sch')),
      consent_url: OrNull(
        Type.String({
          description: 'While a consent waits for the customer; null in a check.',
          examples: ['http://localhost:4000/consent/3yQm0c6vZsHk1t8…'],
        }),
      ),
      errors: Type.Array(
        NamedObject('ImportError', {
          column: OrNull(Type.String({ description: 'Null: the line as a whole.' })),
          reason: Type.String({ examples: ['must be an amount in pounds, such as 49.99'] }),
        }),
      ),
    }),
  ),
});
export type ImportAnswer = Static<typeof ImportAnswer>;
/** The result of one line. */
export type ImportedLineView = ImportAnswer['data'][number];
