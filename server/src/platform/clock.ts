/** Business time. Protocol time (TLS, JWT, webhook timestamps) is `realNow`. */
export interface Clock {
  now(): Temporal.Instant;
}

/** The machine's clock, in milliseconds: what the wire carries. */
export function realNow(): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(Date.now());
}

/** The clock of a live service. */
export const realClock: Clock = { now: realNow };
