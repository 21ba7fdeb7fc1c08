import type { Config } from '../config/config.ts';
import { type Db, openDb } from './db.ts';

/** The connections of a process: one pool for requests, one for collections, so neither can starve the other. */
export interface Pools {
  api: Db;
  engine: Db;
}

/** A process without an engine still takes in the notifications of banks and issuer, as collections. */
const WITHOUT_ENGINE = 0.25;
/** A process that runs only the engine answers health checks. */
const WITHOUT_API = 0.25;
const MIN = 2;

/** Returns how many of the connections of a process are for requests, and how many for collections. */
export function shareOut({
  mode,
  roles,
  databaseConnections: all,
}: Pick<Config, 'mode' | 'roles' | 'databaseConnections'>): Record<keyof Pools, number> {
  const serves = roles.includes('api') || roles.includes('portal');
  // Where the sandbox's clock is moved by a request, the collections are made by the process that serves it.
  const collects = roles.includes('engine') || mode === 'sandbox';
  const part = serves && collects ? 0.5 : collects ? 1 - WITHOUT_API : WITHOUT_ENGINE;
  const engine = Math.min(all - MIN, Math.max(MIN, Math.round(all * part)));
  return { api: all - engine, engine };
}

/** Opens both pools. */
export function openPools(config: Config, url: string): Pools & { close(): Promise<void> } {
  const { api, engine } = shareOut(config);
  const pools = { api: openDb(url, api), engine: openDb(url, engine) };
  return {
    ...pools,
    close: async () => void (await Promise.all([pools.api.close(), pools.engine.close()])),
  };
}
