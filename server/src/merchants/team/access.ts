import { isAfter } from '../../platform/values/instants.ts';
/** How the members of a team sign in. Minutes are of real time; null: the service's own limit. */
export interface AccessRules {
  /** Members without a second factor can do nothing until they have set one up. */
  requiresSecondFactor: boolean;
  /** How long a session lasts without use. */
  sessionIdleMinutes: number | null;
  /** How long a session lasts, however much it is used. */
  sessionLongestMinutes: number | null;
}

export type SessionLimits = Pick<AccessRules, 'sessionIdleMinutes' | 'sessionLongestMinutes'>;

const HOUR = 60;
const DAY = 24 * HOUR;

/** The bounds of a session's lifetime, in minutes. A session that nobody uses ends after 7 days in any case. */
export const IDLE_MINUTES = { least: 5, most: 7 * DAY };
export const LONGEST_MINUTES = { least: HOUR, most: 30 * DAY };

export const NO_RULES: AccessRules = {
  requiresSecondFactor: false,
  sessionIdleMinutes: null,
  sessionLongestMinutes: null,
};

/** Uses are recorded once a minute, so the limit without use begins to count up to a minute too early. */
export const USE_RECORDED_EVERY = Temporal.Duration.from({ minutes: 1 });

/** Whether a session is over by these limits. Instants are real time. */
export function isOver(
  session: { createdAt: Temporal.Instant; usedAt: Temporal.Instant },
  limits: SessionLimits,
  now: Temporal.Instant,
): boolean {
  const { sessionIdleMinutes: idle, sessionLongestMinutes: longest } = limits;
  const ends = [
    ...(idle === null ? [] : [session.usedAt.add({ minutes: idle }).add(USE_RECORDED_EVERY)]),
    ...(longest === null ? [] : [session.createdAt.add({ minutes: longest })]),
  ];
  return ends.some((end) => !isAfter(end, now));
}

/** Returns what is wrong with the limits, by the name of the field. */
export function limitErrors(limits: SessionLimits): Record<string, string> {
  const { sessionIdleMinutes: idle, sessionLongestMinutes: longest } = limits;
  return idle !== null && longest !== null && idle > longest
    ? { session_idle_minutes: 'must not be longer than session_longest_minutes' }
    : {};
}

/** Says how long sessions last: "Sessions end after 30 minutes without use, and 12 hours after signing in." */
export function sessionsInWords(limits: SessionLimits): string {
  const { sessionIdleMinutes: idle, sessionLongestMinutes: longest } = limits;
  const unused = `after ${inWords(idle ?? IDLE_MINUTES.most)} without use`;
  return longest === null
    ? `Sessions end ${unused}.`
    : `Sessions end ${unused}, and ${inWords(longest)} after signing in.`;
}

/** Says the rules in full sentences. */
export function rulesInWords(rules: AccessRules): string {
  const factor = rules.requiresSecondFactor
    ? 'Every member needs a second factor.'
    : 'A second factor is optional.';
  return `${factor} ${sessionsInWords(rules)}`;
}

/** Formats minutes by the largest unit that leaves no rest: `90 minutes`, `2 hours`, `7 days`. */
function inWords(minutes: number): string {
  const [unit, size] =
    minutes % DAY === 0 ? ['day', DAY] : minutes % HOUR === 0 ? ['hour', HOUR] : ['minute', 1];
  const count = minutes / Number(size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
