import Type from 'typebox';
import { Amount, Described, NamedObject, OrNull } from '../../platform/http/schemas/schemas.ts';

const firstPaymentFields = {
  amount: Described(Amount, 'What it collects, once.'),
};

const FIRST_DESCRIPTION =
  'What it is for, as the customer reads it. Null: what the schedule is for.';

/** The first payment in responses: docs/rules/payments.md#the-first-payment. */
export const FirstPaymentAnswer = NamedObject(
  'FirstPayment',
  {
    ...firstPaymentFields,
    description: OrNull(Type.String(), FIRST_DESCRIPTION),
  },
  'A payment that is collected once, as soon as the customer has agreed.',
);

/** The first payment in requests. */
export const FirstPaymentInput = Type.Object(
  {
    ...firstPaymentFields,
    description: Type.Optional(
      OrNull(
        Type.String({ minLength: 1, maxLength: 255, examples: ['Joining fee'] }),
        FIRST_DESCRIPTION,
      ),
    ),
  },
  {
    title: 'FirstPaymentInput',
    additionalProperties: false,
    description: 'A payment that is collected once, as soon as the customer has agreed.',
  },
);
