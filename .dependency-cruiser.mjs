// The structure of the house as rules on imports: `npm run check` runs them, `npx depcruise server` shows them alone.
// TypeScript 7 has no parser for other tools, so files are read with swc; it counts `import type` like any import.
import { posix } from 'node:path';
import swc from '@swc/core';
import {
  FOLDER_FRONTS,
  FOLDER_ORDER,
  PURE_FILES,
  SLICES,
  TEST_CODE,
  TOOLING,
} from './scripts/checks/layout.ts';

// dependency-cruiser has swc read TypeScript, but never with JSX: it would stop at the first page of the dashboard. Nor does
// it know `using`, which declares as `const` does.
const { parseFileSync } = swc;
swc.parseFileSync = (file, options) =>
  withConst(parseFileSync(file, { ...options, tsx: file.endsWith('.tsx') }));

function withConst(node) {
  if (Array.isArray(node)) return node.map(withConst);
  if (node === null || typeof node !== 'object') return node;
  const parts = Object.fromEntries(
    Object.entries(node).map(([name, part]) => [name, withConst(part)]),
  );
  if (node.type !== 'UsingDeclaration') return parts;
  return { ...parts, type: 'VariableDeclaration', kind: 'const', declarations: parts.decls };
}

const alternatives = (names) => `(${names.join('|')})`;
const escaped = (path) => path.replaceAll('.', '[.]');
const NOT_PRODUCT = `${TEST_CODE}|${TOOLING}`;
const NODE_MODULES_WITH_IO =
  '^(node:)?(child_process|cluster|dgram|dns|fs|http|http2|https|net|process|readline|sqlite|tls|worker_threads)(/|$)';
const PACKAGES_WITH_IO = '(^|/)node_modules/(pg|undici|fastify|ioredis|openid-client|pino)/';
const DB = '^server/src/platform/((connection|cluster|db)/.*|config/config|platform)[.]ts$';

const sliceOrder = SLICES.slice(0, -1).map((slice, index) => ({
  name: `slice-order-${slice}`,
  comment: `${slice} may import from itself and from slices before it in the written order`,
  severity: 'error',
  from: { path: `^server/src/${slice}/`, pathNot: TEST_CODE },
  to: { path: `^server/src/${alternatives(SLICES.slice(index + 1))}/` },
}));

const placeOf = (name) => (name.endsWith('.ts') ? `${escaped(name)}$` : `${name}/`);

/** Within a folder that has an order, nothing but its own place and those before it. */
const folderOrder = Object.entries(FOLDER_ORDER).flatMap(([parent, places]) => [
  ...places.map((place, index) => ({
    name: `folder-order-${posix.basename(parent)}-${place}`,
    comment: `${place} may import from itself and from what stands before it in ${parent}'s written order`,
    severity: 'error',
    from: { path: `^${parent}/${placeOf(place)}`, pathNot: TEST_CODE },
    to: {
      path: `^${parent}/`,
      pathNot: `^${parent}/${alternatives(places.slice(0, index + 1).map(placeOf))}`,
    },
  })),
  {
    name: `folder-unknown-${posix.basename(parent)}`,
    comment: `a folder of ${parent} stands in the written order (scripts/checks/layout.ts)`,
    severity: 'error',
    from: {
      path: `^${parent}/[^/]+/`,
      pathNot: `^${parent}/${alternatives(places.map(placeOf))}|${TEST_CODE}`,
    },
    to: {},
  },
]);

const folderFronts = Object.entries(FOLDER_FRONTS).map(([folder, fronts]) => ({
  name: `folder-front-${posix.basename(folder)}`,
  comment: `what lies outside of ${folder} asks ${fronts.join(' or ')}`,
  severity: 'error',
  from: { pathNot: `^${folder}/|${NOT_PRODUCT}` },
  to: { path: `^${folder}/`, pathNot: `^${folder}/${alternatives(fronts.map(escaped))}$` },
}));

export default {
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
  forbidden: [
    ...sliceOrder,
    ...folderOrder,
    ...folderFronts,
    {
      name: 'slice-unknown',
      comment: 'a folder of server/src stands in the written order (scripts/checks/layout.ts)',
      severity: 'error',
      from: {
        path: '^server/src/[^/]+/',
        pathNot: `^server/src/${alternatives(SLICES)}/|${TEST_CODE}`,
      },
      to: {},
    },
    {
      name: 'main-is-last',
      comment: 'the files directly in server/src start the program; no slice knows them',
      severity: 'error',
      from: { path: '^server/src/[^/]+/', pathNot: TEST_CODE },
      to: { path: '^server/src/[^/]+[.]ts$' },
    },
    {
      name: 'no-cycle',
      comment: 'no cycles, not even of types',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'pure-files',
      comment:
        'types, state tables and decisions reach no database, network or file, through nobody',
      severity: 'error',
      from: { path: `^server/src/${alternatives(PURE_FILES.map(escaped))}$` },
      to: { path: `${NODE_MODULES_WITH_IO}|${PACKAGES_WITH_IO}|${DB}`, reachable: true },
    },
    {
      name: 'test-code-stays-out',
      comment: 'product code imports no test, test support, contract suite or script',
      severity: 'error',
      from: { path: '^(server|sandbox|sdk|dashboard)/', pathNot: NOT_PRODUCT },
      to: { path: NOT_PRODUCT, pathNot: 'node_modules' },
    },
    {
      name: 'server-not-sandbox',
      comment: 'the sandbox shares no code with the server: else they only agree with themselves',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^sandbox/' },
    },
    {
      name: 'sandbox-not-server',
      comment: 'the sandbox shares no code with the server: else they only agree with themselves',
      severity: 'error',
      from: { path: '^sandbox/' },
      to: { path: '^server/' },
    },
    {
      name: 'sandbox-on-demand',
      comment:
        'the tarball for production has no sandbox: what serves loads it in sandbox mode alone, by an import where it is needed',
      severity: 'error',
      from: { path: '^server/src/app/', pathNot: TEST_CODE },
      to: { path: '^server/src/sandbox/', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'expected-book-stands-alone',
      comment:
        'what should have been collected is computed from nothing of the product: else it would only agree with itself',
      severity: 'error',
      from: { path: '^simulation/book/' },
      to: { pathNot: '^simulation/book/' },
    },
    {
      name: 'sdk-stands-alone',
      comment: 'the SDK is published: it knows the API and nothing of how it is made',
      severity: 'error',
      from: { path: '^sdk/', pathNot: TEST_CODE },
      to: { path: '^(server|sandbox|dashboard|scripts|test)/' },
    },
    {
      name: 'dashboard-is-a-client',
      comment:
        'the dashboard knows the API: through the SDK, and by the shapes of its own and the operators’ endpoints’ answers',
      severity: 'error',
      from: { path: '^dashboard/', pathNot: TEST_CODE },
      to: {
        path: '^(server|sandbox|scripts|test)/',
        pathNot: '^server/src/((dashboard|operators)/[^.]*view|operators/health/report)[.]ts$',
      },
    },
    {
      name: 'nobody-imports-the-dashboard',
      comment: 'the web app is built and served as files',
      severity: 'error',
      from: { path: '^(server|sandbox|sdk)/' },
      to: { path: '^dashboard/' },
    },
    {
      name: 'pg-behind-the-platform',
      comment: 'PostgreSQL is reached through platform/db/db.ts',
      severity: 'error',
      from: {
        path: '^(server|sandbox|sdk|dashboard|scripts)/',
        pathNot: `^server/src/platform/(connection|cluster|db|postgres)/|${TEST_CODE}`,
      },
      to: { path: '(^|/)node_modules/(pg|@types/pg)/' },
    },
    {
      name: 'openid-client-at-the-edge',
      comment:
        'OpenID Connect is spoken by the open banking connector, and with teams’ identity providers',
      severity: 'error',
      from: {
        path: '^(server|sandbox|sdk|dashboard)/',
        pathNot: `^server/src/banks/open-banking/|^server/src/merchants/sign-in/sso/providers[.]ts$|${TEST_CODE}`,
      },
      to: { path: '(^|/)node_modules/openid-client/' },
    },
    {
      name: 'undici-at-the-edge',
      comment:
        'calls to the outside are made by connectors, the senders of webhooks and texts, single sign-on, the command line, and the sandbox control',
      severity: 'error',
      from: {
        path: '^(server|sdk|dashboard)/',
        pathNot: `^server/src/(banks/open-banking|sandbox)/|^server/src/wallets/issuer-http[.]ts$|^server/src/platform/network/(request-begun|guarded-agents|partner-channel)[.]ts$|^server/src/(webhooks/sender|notices/texts|merchants/sign-in/sso/providers|app/cli/client/(call|mcp-work))[.]ts$|${TEST_CODE}`,
      },
      to: { path: '(^|/)node_modules/undici/' },
    },
    {
      name: 'sign-in-libraries-at-the-door',
      comment:
        'who may come in is decided in merchants/sign-in, and asked for by dashboard/src/api',
      severity: 'error',
      from: {
        path: '^(server|sandbox|sdk|dashboard)/',
        pathNot: `^server/src/merchants/sign-in/|^dashboard/src/api/|${TEST_CODE}`,
      },
      to: { path: '(^|/)node_modules/(better-auth|@better-auth|@simplewebauthn)/' },
    },
    {
      name: 'unresolvable',
      comment: 'an import that leads nowhere',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
};
