import type pg from 'pg';

/**
 * Opens to the service's role every table, view and sequence of a schema of which the migrations grant it nothing, and every
 * merchant's rows in all of them. Changes nothing that is right already, so a login that owns no table can call it on a database
 * that is up to date. See docs/rules/access.md#who-may-change-what-in-the-database.
 */
export async function openToEngine(client: pg.Client, schema = 'public'): Promise<void> {
  const role = await client.query(`SELECT FROM pg_roles WHERE rolname = 'recollect_engine'`);
  if (role.rowCount === 0) return; // a database without our migrations
  const missing = await client.query<{ statement: string }>(MISSING, [schema]);
  for (const { statement } of missing.rows) await client.query(statement);
}

const HAS_NO_GRANT = `NOT EXISTS (SELECT FROM aclexplode(c.relacl) g WHERE g.grantee = 'recollect_engine'::regrole)`;

/** The statements that are still to be run, each of which may be repeated. */
const MISSING = `
  SELECT statement FROM (
    SELECT c.oid::regclass AS name, format('GRANT %s TO recollect_engine', CASE c.relkind
      WHEN 'S' THEN 'USAGE ON SEQUENCE ' || c.oid::regclass
      WHEN 'v' THEN 'SELECT ON ' || c.oid::regclass
      ELSE 'SELECT, INSERT, UPDATE, DELETE ON ' || c.oid::regclass END) AS statement
    FROM pg_class c
    WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p', 'v', 'S') AND ${HAS_NO_GRANT}
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
    UNION ALL
    SELECT c.oid::regclass, format('CREATE POLICY whole_service ON %s TO recollect_engine USING (true)', c.oid::regclass)
    FROM pg_class c
    WHERE c.relnamespace = $1::regnamespace AND c.relrowsecurity
      AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'whole_service')
  ) AS missing ORDER BY name::text, statement`;
