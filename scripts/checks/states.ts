import { findAll, type Rule, type SourceFile, type Violation, withoutComments } from './files.ts';
import { isProductCode } from './layout.ts';

const SERVER = 'server/src/';

/** The tables whose rows move along a table of edges, each with the one file that moves them. */
const MOVERS: Readonly<Record<string, string>> = {
  payments: 'payments/payment-store.ts',
  attempts: 'payments/attempt-store.ts',
  unallocated_items: 'payments/unallocated/store.ts',
  wallets: 'wallets/store.ts',
  settlements: 'settlements/state-store.ts',
  deliveries: 'webhooks/state-store.ts',
};

/** Where a status is written in the statement itself: nouns that are asserted against their edges by their own service. */
const WRITTEN_OUT = [
  'consents/state-store.ts',
  'schedules/store.ts',
  'webhooks/store.ts',
  'merchants/settlement-account-store.ts',
].map((file) => SERVER + file);

/** What makes a statement move rows, from the platform. */
const TOOLS = /\bimport \{[^}]*\b(along|moveRows|stateOf|stateWhen)\b[^}]*\} from/g;
/** An assignment to a status or a stage, in a statement or in what a claim sets. */
const ASSIGNED =
  /(\bSET\s|\bset: *[`'"])((?!\b(WHERE|FROM|RETURNING)\b)[^`;])*?(?<![.\w])(?<!\b(WHEN|AND|OR)\s)(status|stage) = /g;

function checkFile({ path, text }: SourceFile): Violation[] {
  const code = withoutComments(text);
  const found = Object.entries(MOVERS).flatMap(([table, file]) =>
    path === SERVER + file
      ? []
      : findAll(
          path,
          code,
          new RegExp(`\\bINSERT INTO ${table}\\b`, 'g'),
          () => `only ${file} may write the state of ${table}`,
        ),
  );
  const isMover = Object.values(MOVERS).some((file) => path === SERVER + file);
  const isPlatform = path.startsWith(`${SERVER}platform/`);
  if (!isMover && !isPlatform)
    found.push(
      ...findAll(
        path,
        code,
        TOOLS,
        () => 'rows are moved by the file that scripts/checks/states.ts names',
      ),
    );
  if (!isPlatform && !WRITTEN_OUT.includes(path))
    found.push(
      ...findAll(path, code, ASSIGNED, () => 'a status is set by a move along its table of edges'),
    );
  return found;
}

/** One file moves the rows of each noun along its edges; nothing else writes a status. */
export const statesRule: Rule = {
  name: 'states',
  check: (files) =>
    files.filter(({ path }) => isProductCode(path) && path.startsWith(SERVER)).flatMap(checkFile),
};
