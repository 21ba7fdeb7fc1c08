import { isAfter } from '../../platform/values/instants.ts';
/** A position in two lists at once: how far each was shown. */
export interface MergePosition {
  change: number;
  event: number;
}

type Change = { changeId: number; at: Temporal.Instant };
type SequencedEvent = { sequence: number; createdAt: Temporal.Instant };

export type Merged<C, E> = { change: C; event: null } | { change: null; event: E };

/**
 * Merges two sorted lists, latest first. The later head goes first; at the same moment the event does, because it reports the
 * change. Neither list is reordered, so a page can begin anywhere.
 */
export function mergeLatest<C extends Change, E extends SequencedEvent>(
  changes: readonly C[],
  events: readonly E[],
): Merged<C, E>[] {
  const merged: Merged<C, E>[] = [];
  let [c, e] = [0, 0];
  while (c < changes.length || e < events.length) {
    const [change, event] = [changes[c], events[e]];
    if (event !== undefined && (change === undefined || !isLater(change.at, event.createdAt))) {
      merged.push({ change: null, event });
      e += 1;
    } else if (change !== undefined) {
      merged.push({ change, event: null });
      c += 1;
    }
  }
  return merged;
}

/** Returns how far both lists are shown after these entries. */
export function positionAfter(
  before: MergePosition,
  entries: readonly Merged<{ changeId: number }, { sequence: number }>[],
): MergePosition {
  return entries.reduce<MergePosition>(
    (shown, { change, event }) => ({
      change: change?.changeId ?? shown.change,
      event: event?.sequence ?? shown.event,
    }),
    before,
  );
}

function isLater(a: Temporal.Instant, b: Temporal.Instant): boolean {
  return isAfter(a, b);
}
