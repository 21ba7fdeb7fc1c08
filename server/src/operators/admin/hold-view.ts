import Type, { type Static } from 'typebox';
import type { Hold } from '../../merchants/holds/hold.ts';
import { Instant, NamedObject } from '../../platform/http/schemas/schemas.ts';
import { formatInstant } from '../../platform/time/calendar.ts';

/** A hold, or a stop: docs/rules/holds.md. */
export const HoldView = NamedObject('Hold', {
  since: Instant,
  by: Type.String({ description: 'The operator who gave it.' }),
  reason: Type.String(),
});

export function viewHold({ since, by, reason }: Omit<Hold, 'endsAt'>): Static<typeof HoldView> {
  return { since: formatInstant(since), by, reason };
}
