import pg from 'pg';

/** A session as a client sees it. */
export interface Session {
  query(sql: string): Promise<{ rows: { pid?: number }[] }>;
  end(): Promise<void>;
}

/** A pooler may happen to give a client the same connection twice. */
const ROUNDS = 3;

async function openSession(url: string): Promise<Session> {
  const client = new pg.Client({ connectionString: url, application_name: 'recollect' });
  client.on('error', () => undefined); // the statement in progress fails
  await client.connect();
  return client;
}

async function pidOf(session: Session): Promise<number | undefined> {
  const { rows } = await session.query('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid;
}

/**
 * Returns whether a pooler in between gives each transaction a connection of its own choice: two clients then meet on one, or one
 * of them finds itself on another. Such a pooler loses and mixes up what a session keeps: docs/scale.md#pgbouncer.
 */
export async function poolsTransactions(
  url: string,
  connect: (url: string) => Promise<Session> = openSession,
): Promise<boolean> {
  const one = await connect(url);
  try {
    const other = await connect(url);
    try {
      return await areMixed(one, other);
    } finally {
      await other.end();
    }
  } finally {
    await one.end();
  }
}

async function areMixed(one: Session, other: Session): Promise<boolean> {
  const ones = new Set<number | undefined>();
  const others = new Set<number | undefined>();
  for (let round = 0; round < ROUNDS; round++) {
    ones.add(await pidOf(one));
    await other.query('BEGIN');
    others.add(await pidOf(other));
    ones.add(await pidOf(one));
    await other.query('ROLLBACK');
    others.add(await pidOf(other)); // one more, so that a pooler that goes round gives another connection in the next round
  }
  return ones.size > 1 || others.size > 1 || !ones.isDisjointFrom(others);
}
