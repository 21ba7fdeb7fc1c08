import { refused } from './problem.ts';

/** Readers for JSON of unknown shape: each returns the value or throws a 400 with the path. */

export type Json = Record<string, unknown>;

/** Reads a JSON object (U004 if absent, U002 if something else). */
export function objectAt(parent: Json, name: string, path: string): Json {
  const value = parent[name];
  if (value === undefined) throw refused('U004', `${path} is missing`, path);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refused('U002', `${path} must be an object`, path);
  }
  return value as Json;
}

/** Reads a JSON array with at least one member. */
export function listAt(parent: Json, name: string, path: string): unknown[] {
  const value = parent[name];
  if (value === undefined) throw refused('U004', `${path} is missing`, path);
  if (!Array.isArray(value) || value.length === 0) {
    throw refused('U002', `${path} must be a list with at least one member`, path);
  }
  return value;
}

/** Reads a string of 1 to `max` characters. */
export function textAt(parent: Json, name: string, path: string, max = 256): string {
  const value = parent[name];
  if (value === undefined) throw refused('U004', `${path} is missing`, path);
  if (typeof value !== 'string' || value.length === 0 || value.length > max) {
    throw refused('U002', `${path} must be a text of 1 to ${max} characters`, path);
  }
  return value;
}

/** Reads one or more strings of a closed set. */
export function choicesAt(
  parent: Json,
  name: string,
  path: string,
  allowed: readonly string[],
): string[] {
  const values = listAt(parent, name, path);
  const stranger = values.find((value) => !allowed.includes(String(value)));
  if (stranger !== undefined) throw refused('U002', `${path} does not take ${stranger}`, path);
  return values.map(String);
}

/** Reads a date-time with an offset. */
export function instantAt(parent: Json, name: string, path: string): Temporal.Instant | null {
  const value = parent[name];
  if (value === undefined) return null;
  try {
    return Temporal.Instant.from(String(value));
  } catch {
    throw refused('U003', `${path} must be an ISO 8601 date-time with an offset`, path);
  }
}
