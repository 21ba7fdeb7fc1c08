import pg from 'pg';

const HEADER = `-- The schema after all migrations, for reading and comparing.
-- Written by \`npm run generate -- schema\`; a test compares it with what the migrations make. Do not edit.
`;

/** Tables and views of the schema `public`, without those of an extension. */
const RELATIONS = `
  SELECT c.oid, c.relname AS name, c.relkind AS kind, c.relrowsecurity AS secured,
         c.relforcerowsecurity AS forced, array_to_string(c.reloptions, ', ') AS options,
         pg_get_partkeydef(c.oid) AS partitioned,
         CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid) END AS definition
  FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
  ORDER BY c.relname COLLATE "C"`;

const COLUMNS = `
  SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS required,
         (SELECT collname FROM pg_collation WHERE oid = a.attcollation AND collname <> 'default') AS collation,
         a.attidentity AS identity, a.attgenerated AS generated, pg_get_expr(d.adbin, d.adrelid) AS value
  FROM pg_attribute a
  LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped
  ORDER BY a.attnum`;

/** NOT NULL is shown with the column: PostgreSQL 18 lists it among the constraints, older versions do not. */
const CONSTRAINTS = `
  SELECT format('  CONSTRAINT %I %s', conname, pg_get_constraintdef(oid)) AS line
  FROM pg_constraint WHERE conrelid = $1 AND contype IN ('p', 'u', 'c', 'f', 'x')
  ORDER BY position(contype::text IN 'pucfx'), conname COLLATE "C"`;

/** What is listed below a table: indexes that are not part of a constraint, triggers, policies. */
const ATTACHED = `
  SELECT line FROM (
    SELECT 1 AS part, c.relname AS name, pg_get_indexdef(i.indexrelid) || ';' AS line
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE i.indrelid = $1
      AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
    UNION ALL
    SELECT 2, tgname, pg_get_triggerdef(oid) || ';' FROM pg_trigger
    WHERE tgrelid = $1 AND NOT tgisinternal
    UNION ALL
    SELECT 3, polname, format('CREATE POLICY %I ON %s AS %s FOR %s TO %s', polname, polrelid::regclass,
        CASE WHEN polpermissive THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END,
        CASE polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE'
          WHEN 'd' THEN 'DELETE' ELSE 'ALL' END,
        (SELECT string_agg(CASE WHEN r = 0 THEN 'PUBLIC' ELSE r::regrole::text END, ', ' ORDER BY r::regrole::text)
          FROM unnest(polroles) r))
      || coalesce(' USING (' || pg_get_expr(polqual, polrelid) || ')', '')
      || coalesce(' WITH CHECK (' || pg_get_expr(polwithcheck, polrelid) || ')', '') || ';'
    FROM pg_policy WHERE polrelid = $1
  ) AS attached ORDER BY part, name COLLATE "C"`;

const grantsOf = (acl: string, kind: string, object: string, owner: string, from: string) => `
  SELECT line COLLATE "C" AS line FROM (SELECT format('GRANT %s ON ${kind}%s TO %s;',
      string_agg(g.privilege_type, ', ' ORDER BY g.privilege_type),
      ${object}, CASE WHEN g.grantee = 0 THEN 'PUBLIC' ELSE g.grantee::regrole::text END) AS line
  FROM ${from}, aclexplode(${acl}) g
  WHERE g.grantee <> ${owner}
  GROUP BY ${object}, g.grantee) AS grants ORDER BY 1`;

const GRANTS = grantsOf('c.relacl', '', '$1::regclass', 'c.relowner', 'pg_class c').replace(
  'WHERE ',
  'WHERE c.oid = $1 AND ',
);

const COLUMN_GRANTS = `
  SELECT format('GRANT %s (%I) ON %s TO %s;', g.privilege_type, a.attname, $1::regclass, g.grantee::regrole)
    COLLATE "C" AS line
  FROM pg_attribute a, aclexplode(a.attacl) g WHERE a.attrelid = $1 ORDER BY 1`;

/** Objects that do not belong to a table. */
const GLOBAL = {
  extensions: `
    SELECT format('CREATE EXTENSION %I;', extname) AS line FROM pg_extension
    WHERE extname <> 'plpgsql' ORDER BY extname COLLATE "C"`,
  types: `
    SELECT format('CREATE TYPE %I AS ENUM (%s);', t.typname,
      string_agg(quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder)) AS line
    FROM pg_type t JOIN pg_enum e ON e.enumtypid = t.oid
    WHERE t.typnamespace = 'public'::regnamespace GROUP BY t.typname ORDER BY t.typname COLLATE "C"`,
  domains: `
    SELECT format('CREATE DOMAIN %I AS %s', t.typname, format_type(t.typbasetype, t.typtypmod))
      || CASE WHEN t.typnotnull THEN ' NOT NULL' ELSE '' END
      || coalesce(' DEFAULT ' || t.typdefault, '')
      || coalesce((SELECT string_agg(format(' CONSTRAINT %I %s', conname, pg_get_constraintdef(oid)), '' ORDER BY conname)
           FROM pg_constraint WHERE contypid = t.oid AND contype = 'c'), '') || ';' AS line
    FROM pg_type t WHERE t.typnamespace = 'public'::regnamespace AND t.typtype = 'd'
    ORDER BY t.typname COLLATE "C"`,
  functions: `
    SELECT rtrim(pg_get_functiondef(p.oid), E'\n') || ';' AS line FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace AND p.prokind IN ('f', 'p')
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
    ORDER BY p.proname COLLATE "C", pg_get_function_identity_arguments(p.oid)`,
  functionGrants: grantsOf(
    'p.proacl',
    'FUNCTION ',
    'p.oid::regprocedure',
    'p.proowner',
    'pg_proc p',
  ).replace('WHERE ', "WHERE p.pronamespace = 'public'::regnamespace AND "),
  sequences: `
    SELECT format('CREATE SEQUENCE %I AS %s INCREMENT %s START %s;', c.relname,
      format_type(s.seqtypid, NULL), s.seqincrement, s.seqstart) AS line
    FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid
    WHERE c.relnamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype IN ('i', 'e'))
    ORDER BY c.relname COLLATE "C"`,
  sequenceGrants: grantsOf(
    'c.relacl',
    'SEQUENCE ',
    'c.oid::regclass',
    'c.relowner',
    'pg_class c',
  ).replace('WHERE ', "WHERE c.relkind = 'S' AND "),
} as const;

type Relation = {
  readonly oid: number;
  readonly name: string;
  readonly kind: string;
  readonly secured: boolean;
  readonly forced: boolean;
  readonly options: string | null;
  readonly partitioned: string | null;
  readonly definition: string | null;
};

type Column = {
  readonly name: string;
  readonly type: string;
  readonly collation: string | null;
  readonly required: boolean;
  readonly identity: string;
  readonly generated: string;
  readonly value: string | null;
};

/** Returns the schema `public` of a database as text: the same text for the same schema, however it was created. */
export async function schemaText(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const parts = [HEADER];
    for (const part of ['extensions', 'types', 'domains', 'functions', 'functionGrants'] as const)
      parts.push(...(await lines(client, GLOBAL[part])));
    for (const part of ['sequences', 'sequenceGrants'] as const)
      parts.push(...(await lines(client, GLOBAL[part])));
    const { rows } = await client.query<Relation>(RELATIONS);
    for (const relation of rows) parts.push(await relationText(client, relation));
    return `${parts.map((part) => part.trimEnd()).join('\n\n')}\n`;
  } finally {
    await client.end();
  }
}

async function relationText(client: pg.Client, relation: Relation): Promise<string> {
  const text = relation.definition ? viewText(relation) : await tableText(client, relation);
  const attached = await lines(client, ATTACHED, relation.oid);
  const grants = await lines(client, GRANTS, relation.oid);
  const columnGrants = await lines(client, COLUMN_GRANTS, relation.oid);
  const security = relation.secured
    ? [`ALTER TABLE ${relation.name} ENABLE ROW LEVEL SECURITY;`]
    : [];
  if (relation.forced) security.push(`ALTER TABLE ${relation.name} FORCE ROW LEVEL SECURITY;`);
  return [text, ...security, ...attached, ...grants, ...columnGrants].join('\n');
}

function viewText({ name, kind, options, definition }: Relation): string {
  const view = kind === 'm' ? 'MATERIALIZED VIEW' : 'VIEW';
  return `CREATE ${view} ${name}${options ? ` WITH (${options})` : ''} AS\n${definition}`;
}

async function tableText(client: pg.Client, relation: Relation): Promise<string> {
  const { rows } = await client.query<Column>(COLUMNS, [relation.oid]);
  const body = [...rows.map(columnText), ...(await lines(client, CONSTRAINTS, relation.oid))];
  const partitioned = relation.partitioned ? ` PARTITION BY ${relation.partitioned}` : '';
  const options = relation.options ? ` WITH (${relation.options})` : '';
  return `CREATE TABLE ${relation.name} (\n${body.join(',\n')}\n)${partitioned}${options};`;
}

function columnText(column: Column): string {
  const words = [`  ${column.name} ${column.type}`];
  if (column.collation !== null) words.push(`COLLATE "${column.collation}"`);
  if (column.required) words.push('NOT NULL');
  if (column.identity)
    words.push(`GENERATED ${column.identity === 'a' ? 'ALWAYS' : 'BY DEFAULT'} AS IDENTITY`);
  if (column.generated) words.push(`GENERATED ALWAYS AS (${column.value})`);
  else if (column.value !== null) words.push(`DEFAULT ${column.value}`);
  return words.join(' ');
}

async function lines(client: pg.Client, sql: string, oid?: number): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(sql, oid === undefined ? [] : [oid]);
  return rows.map(({ line }) => line.trimEnd());
}
