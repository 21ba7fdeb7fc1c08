import Type, { type Static } from 'typebox';
import { type MerchantScheme, PAYMENT_CONTEXTS, PURPOSES } from '../../merchants/terms/scheme.ts';
import { USE_CASES } from '../../platform/config/schemes.ts';
import { NamedObject, OneOf, OrNull } from '../../platform/http/schemas/schemas.ts';

/** What the payment scheme knows of a merchant, as operators see and set it. */
export const SCHEME_FIELDS = {
  use_case: OrNull(
    OneOf(USE_CASES, 'For what it takes part in commercial VRP. Kept here: no bank is told.'),
  ),
  category_code: OrNull(
    Type.String({
      pattern: '^[0-9]{3,4}$',
      description:
        'What it sells (ISO 18245). Null: banks are told nothing, or what the connection to them says.',
      examples: ['4899'],
    }),
  ),
  payment_context: OneOf(
    PAYMENT_CONTEXTS,
    'When it is paid: on its own schedule, before what it supplies, or after it.',
  ),
  purpose_code: OrNull(OneOf(PURPOSES, 'What the money is for (ISO 20022).')),
};

export const SchemeView = NamedObject('MerchantScheme', SCHEME_FIELDS);

export const viewScheme = (scheme: MerchantScheme): Static<typeof SchemeView> => ({
  use_case: scheme.useCase,
  category_code: scheme.categoryCode,
  payment_context: scheme.paymentContext,
  purpose_code: scheme.purposeCode,
});

/** Returns the fields that a body names, by the service's names. */
export const schemeOf = (body: Partial<Static<typeof SchemeView>>): Partial<MerchantScheme> => ({
  ...(body.use_case === undefined ? {} : { useCase: body.use_case }),
  ...(body.category_code === undefined ? {} : { categoryCode: body.category_code }),
  ...(body.payment_context === undefined ? {} : { paymentContext: body.payment_context }),
  ...(body.purpose_code === undefined ? {} : { purposeCode: body.purpose_code }),
});
