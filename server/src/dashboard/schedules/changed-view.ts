import Type, { type Static } from 'typebox';
import { Id } from '../../platform/http/schemas/schemas.ts';
import type { ChangeLineView } from '../../schedules/many/view.ts';

/** What the lines of a change of many schedules show beside them. */
export const LineShown = Type.Object({
  customer_id: Id('cus', 'Who pays.'),
  customer: Type.String({ description: 'The name, else the number.' }),
});
export type LineShown = Static<typeof LineShown>;

/** A schedule of a change of many, as the dashboard lists it. */
export type ChangedSchedule = ChangeLineView & { shown: LineShown };
