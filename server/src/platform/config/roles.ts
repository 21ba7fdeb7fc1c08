import { availableParallelism, totalmem } from 'node:os';
import { type Finding, problem } from './finding.ts';
import { integer, oneOf, type ValuesOf, variable } from './readers.ts';

export const ROLES = ['api', 'portal', 'engine'] as const;
export type Role = (typeof ROLES)[number];

/** The engine processes that were started as one. */
export interface Engines {
  /** How many they are. 1: this process alone, or it has no engine. */
  count: number;
  /** Which of them this one is. The first starts the others. */
  number: number;
}

const MOST = 64;
/**
 * The most that `auto` takes: with the connections of as many engines, an API and a portal, the default of PostgreSQL's
 * max_connections is nearly used up.
 */
const MOST_AUTOMATIC = 4;
const MEMORY_OF_AN_ENGINE = 512 * 2 ** 20;
const HIGHEST_PORT = 65_535;

function roles(value: string): readonly Role[] {
  const named = value.split(',').map((role) => oneOf(ROLES)(role.trim()));
  if (new Set(named).size < named.length) throw new Error('must name each role once');
  return named;
}

function engines(value: string): number | 'auto' {
  if (value === 'auto') return value;
  try {
    return integer(1, MOST)(value);
  } catch {
    throw new Error(`must be auto, or a whole number from 1 to ${MOST}`);
  }
}

/** The settings of what a process does. */
export const ROLE_VARIABLES = {
  ROLES: variable('what this process does: api, portal, engine', 'api,portal,engine', roles),
  ENGINES: variable(
    'how many engine processes a process with the role engine is, itself included; auto: one for each core but one, 4 at most',
    'auto',
    engines,
  ),
} as const;

type RoleValues = ValuesOf<typeof ROLE_VARIABLES> & {
  readonly MODE: 'sandbox' | 'live' | null;
  readonly OPERATOR_PORT: number | null;
};

/** What a machine has for us. */
export interface Machine {
  cores: number;
  memoryBytes: number;
}

/** Returns what this process may use: the machine, or what a container, a unit or an affinity leaves of it. */
function thisMachine(): Machine {
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return { cores: availableParallelism(), memoryBytes: Math.min(limit, totalmem()) };
}

/** Returns how many engines a machine carries: PostgreSQL and the other roles have a core, and each engine has its memory. */
export function enginesFor({ cores, memoryBytes }: Machine): number {
  const fitting = Math.min(cores - 1, Math.floor(memoryBytes / MEMORY_OF_AN_ENGINE));
  return Math.max(1, Math.min(fitting, MOST_AUTOMATIC));
}

/** Returns the engines that are started. The sandbox has one: whoever moves its clock makes the collections. */
export function enginesOf(v: RoleValues, machine: Machine = thisMachine()): Engines {
  const isSeveral = v.MODE === 'live' && v.ROLES?.includes('engine') === true;
  const wanted = v.ENGINES === 'auto' ? enginesFor(machine) : (v.ENGINES ?? 1);
  return { count: isSeveral ? wanted : 1, number: 1 };
}

/** Returns the operators' port of an engine: the first has the one that is set, each further one the next. 0: any free one. */
export const operatorPortOf = (first: number, number: number): number =>
  first === 0 ? 0 : first + number - 1;

/** Finds engines that there cannot be. */
export function engineFindings(v: RoleValues): Finding[] {
  if (v.MODE === 'sandbox' && v.ENGINES !== 'auto' && (v.ENGINES ?? 1) > 1)
    return [
      problem(
        'ENGINES',
        'must be auto or 1 in the sandbox, where whoever moves the clock makes the collections',
      ),
    ];
  const { count } = enginesOf(v);
  if (operatorPortOf(v.OPERATOR_PORT ?? 0, count) <= HIGHEST_PORT) return [];
  return [
    problem(
      'OPERATOR_PORT',
      `must be at most ${HIGHEST_PORT - count + 1} with ${count} engines, each of which has the next port`,
    ),
  ];
}
