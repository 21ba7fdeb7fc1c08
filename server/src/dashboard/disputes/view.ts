import Type, { type Static } from 'typebox';
import type { DisputeView } from '../../disputes/view.ts';

/** What the list of disputes shows beside the API's view of each. */
export const DisputeShown = Type.Object({
  customer: Type.String({ description: 'The name, else the number.' }),
  description: Type.String({ description: 'Of the schedule.' }),
});
export type DisputeItem = DisputeView & { shown: Static<typeof DisputeShown> };
