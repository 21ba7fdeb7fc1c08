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

const Cell = (description: string) =>
  OrNull(Type.String(), `${description} Null: the line has none.`);

/** The body of POST /schedules/import: a heading and some of a file's lines. */
export const ImportInput = Fields(
  {
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
        description:
          'The number in the whole file of the first line after the heading. Default: 2.',
      }),
    ),
    check_only: Type.Optional(
      Type.Boolean({
        description:
          'Only check: the response says what would become of each line, and nothing is created.',
      }),
    ),
  },
  'Some lines of a file.',
);
export type ImportInput = Static<typeof ImportInput>;

/** The results of the lines: docs/rules/import.md. */
export const ImportAnswer = NamedObject(
  'Import',
  {
    data: Type.Array(
      NamedObject(
        'ImportedLine',
        {
          line: Type.Integer({
            minimum: 2,
            description: 'Where in the file it begins. The heading is line 1.',
          }),
          status: OneOf(
            ['valid', 'created', 'existing', 'invalid'],
            '`created`: it is a schedule now. `valid`: a check found nothing wrong. `existing`: an earlier import created it. `invalid`: `errors` say why not.',
          ),
          key: OrNull(
            Type.String(),
            'Lines with the same key stand for the same schedule. Null: the line cannot be read that far.',
          ),
          import_reference: Cell('The line’s own name, by which it is recognised.'),
          customer: NamedObject(
            'ImportedCustomer',
            {
              name: Cell('The name of the customer.'),
              email: Cell('Their email address.'),
              phone: Cell('Their phone number, as it is stored.'),
            },
            'Who pays, as the line says.',
          ),
          description: Cell('What the payments are for.'),
          amount: OrNull(AmountOrZero, 'What each occurrence collects. Null: it cannot be read.'),
          schedule_id: OrNull(Id('sch'), 'The schedule of the line. Null: there is none.'),
          consent_url: OrNull(
            Type.String({ examples: ['http://localhost:4000/consent/3yQm0c6vZsHk1t8…'] }),
            'The link on which the customer agrees. Null: in a check, and once they have decided.',
          ),
          errors: Type.Array(
            NamedObject(
              'ImportError',
              {
                column: OrNull(Type.String(), 'The column. Null: the line as a whole.'),
                reason: Type.String({
                  description: 'What is wrong.',
                  examples: ['must be an amount in pounds, such as 49.99'],
                }),
              },
              'Something wrong with a line.',
            ),
            { description: 'What is wrong with the line. Empty unless it is `invalid`.' },
          ),
        },
        'The result of one line of a file.',
      ),
      { description: 'The lines, in the order of the file.' },
    ),
  },
  'The results of the lines of a request.',
);
export type ImportAnswer = Static<typeof ImportAnswer>;
/** The result of one line. */
export type ImportedLineView = ImportAnswer['data'][number];
