import { EVENTS } from '../../server/src/app/wiring/events.ts';
import { FREQUENCY_BOUNDS, FREQUENCY_TYPES } from '../../server/src/schedules/terms/frequency.ts';
import { DEFAULT_EVENT_KINDS, EVENT_KINDS } from '../../server/src/webhooks/endpoint.ts';

const DAYS: Readonly<Record<number, string>> = { 7: '1 (Monday) to 7', 31: '1 to 31' };

/** Returns the table of how often a schedule can collect. */
export function frequencyTable(): string {
  const rows = FREQUENCY_TYPES.map((type) => {
    const { noun, lastDay, longestInterval } = FREQUENCY_BOUNDS[type];
    return `| \`${type}\` | ${noun} | ${DAYS[lastDay ?? 0] ?? 'refused'} | 1 to ${longestInterval} |`;
  });
  return `| type | every | \`day\` | \`interval\` |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

/** Returns the table of the event kinds: who gets each, and when. */
export function eventKindTable(): string {
  const rows = EVENT_KINDS.map((kind) => {
    const sentTo = DEFAULT_EVENT_KINDS.includes(kind) ? 'every endpoint' : 'opt-in';
    return `| \`${kind}\` | ${sentTo} | ${EVENTS[kind].description} |`;
  });
  return `| kind | sent to | when |\n|---|---|---|\n${rows.join('\n')}\n`;
}
