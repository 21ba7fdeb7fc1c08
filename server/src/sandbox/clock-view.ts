import Type from 'typebox';
import { Instant } from '../platform/http/schemas.ts';

/** The sandbox's clock as it is shown. */
export const ClockView = Type.Object({
  now: Instant,
  advancing: Type.Boolean({
    description: 'The clock is being moved forward; else it runs with real time.',
  }),
});
