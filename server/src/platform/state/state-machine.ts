/** One possible change of a row's state. */
export interface Edge<S extends string> {
  from: S;
  to: S;
  /** What causes it. */
  why: string;
  /** The event sent to the merchant; several: in the order in which they are appended. */
  event?: string | readonly string[];
}

/** The states of a noun, and every edge between them. What the table does not name cannot happen. */
export interface StateMachine<S extends string = string> {
  /** In the plural, as people say it. */
  noun: string;
  table: string;
  /** The columns of the primary key, in order. */
  key: readonly string[];
  /**
   * The table of its work, if that is another one: it holds the `stage`, and has a row in the states that have one. This row, not
   * the noun's, is then the lock of what is under way.
   */
  work?: string;
  /** The values of the row's columns in each state. */
  states: Readonly<Record<S, Readonly<Record<string, string | null>>>>;
  /** The states in which a row may be created. */
  begins: readonly S[];
  edges: readonly Edge<S>[];
}

/** Returns the events of an edge, in their order. */
export const eventsOf = ({ event = [] }: Pick<Edge<string>, 'event'>): readonly string[] =>
  typeof event === 'string' ? [event] : event;

/** Returns the states of a machine whose only column is `status`. */
export function statuses<S extends string>(...names: readonly S[]): Record<S, { status: S }> {
  return Object.fromEntries(names.map((status) => [status, { status }])) as Record<
    S,
    { status: S }
  >;
}

/** Returns edges from several states to one, for the same reason. */
export function edges<S extends string>(
  from: readonly S[],
  to: S,
  why: string,
  event?: Edge<S>['event'],
): Edge<S>[] {
  return from.map((state) => ({
    from: state,
    to,
    why,
    ...(event === undefined ? {} : { event }),
  }));
}

/** Returns the edge between two states. Throws if the table has none: a defect. */
export function edgeOf<S extends string>(machine: StateMachine<S>, from: S, to: S): Edge<S> {
  const found = machine.edges.find((edge) => edge.from === from && edge.to === to);
  if (found === undefined) throw new Error(`${machine.noun} cannot go from ${from} to ${to}`);
  return found;
}

export function hasEdge<S extends string>(machine: StateMachine<S>, from: S, to: S): boolean {
  return machine.edges.some((edge) => edge.from === from && edge.to === to);
}

/** A move of rows along the edges from some states to one. */
export interface Move<S extends string = string> {
  readonly machine: StateMachine<S>;
  readonly from: readonly S[];
  readonly to: S;
  /** Null if the states of `from` have different ones. */
  readonly statusBefore: string | null;
  readonly statusAfter: string;
  readonly events: readonly string[];
}

/**
 * Returns the move from any of these states to another. Throws if the table lacks one of the edges, or if their events
 * differ: a statement could not tell which one applies.
 */
export function transition<S extends string>(
  machine: StateMachine<S>,
  from: readonly S[],
  to: S,
): Move<S> {
  const statusOf = (state: S): string => machine.states[state].status ?? '';
  const [events = [], ...others] = from.map((state) => eventsOf(edgeOf(machine, state, to)));
  if (others.some((other) => other.join() !== events.join()))
    throw new Error(`${machine.noun} go to ${to} with different events`);
  const [before = null, ...otherStatuses] = new Set(from.map(statusOf));
  return {
    machine,
    from,
    to,
    statusBefore: otherStatuses.length > 0 ? null : before,
    statusAfter: statusOf(to),
    events,
  };
}

/** Returns the states that can be reached from one, itself included. */
export function reachable<S extends string>(machine: StateMachine<S>, from: S): Set<S> {
  const seen = new Set<S>([from]);
  for (const state of seen)
    for (const edge of machine.edges) if (edge.from === state) seen.add(edge.to);
  return seen;
}
