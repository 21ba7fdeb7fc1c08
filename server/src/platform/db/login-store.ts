import type { Tx } from './db.ts';

/** What a login may do in a database; names are quoted as SQL wants them. */
export interface Login {
  login: string;
  database: string;
  isSuperuser: boolean;
  mayCreateRoles: boolean;
  mayCreateTables: boolean;
  ownsTables: boolean;
  isMigrated: boolean;
  /** The roles of the service that the database's server lacks, and those that this login may not take on. */
  missing: string[];
  foreign: string[];
}

const LOGIN = `
  SELECT quote_ident(session_user) AS login, quote_ident(current_database()) AS database,
    r.rolsuper AS is_superuser, r.rolcreaterole OR r.rolsuper AS may_create_roles,
    has_schema_privilege(session_user, 'public', 'CREATE') AS may_create_tables,
    EXISTS (SELECT FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relowner = r.oid) AS owns_tables,
    to_regclass('public.migrations') IS NOT NULL AS is_migrated,
    ARRAY(SELECT name FROM unnest($1::text[]) AS name
      WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) ORDER BY name) AS missing,
    ARRAY(SELECT rolname::text FROM pg_roles
      WHERE rolname = ANY ($1::text[]) AND NOT pg_has_role(session_user, oid, 'MEMBER') ORDER BY rolname) AS foreign
  FROM pg_roles r WHERE r.rolname = session_user`;

const ROLES = ['recollect_api', 'recollect_engine'];
/** Returns what the login of this connection may do. */
export const readLogin = (tx: Tx): Promise<Login | null> => tx.row<Login>(LOGIN, [ROLES]);
