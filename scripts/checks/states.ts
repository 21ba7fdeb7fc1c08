import { findAll, type Rule, type SourceFile, type Violation, withoutComments } from './files.ts';
import { isProductCode } from './layout.ts';

const SERVER = 'server/src/';

/** The tables whose rows follow a state machine, each with the one file that changes their state. */
const MOVERS: Readonly<Record<string, string>> = {
  schedules: 'schedules/books/state-store.ts',
  consents: 'consents/state-store.ts',
  payments: 'payments/books/payment-store.ts',
  attempts: 'payments/books/attempt-store.ts',
  unallocated_items: 'payments/books/unallocated-store.ts',
  wallets: 'wallets/store.ts',
  refunds: 'refunds/state-store.ts',
  disputes: 'disputes/state-store.ts',
  settlements: 'settlements/state-store.ts',
  deliveries: 'webhooks/state-store.ts',
  notices: 'notices/state-store.ts',
  webhook_endpoints: 'webhooks/store.ts',
  settlement_account_changes: 'merchants/settlement-account/settlement-account-store.ts',
  operator_requests: 'operators/requests/store.ts',
  prepared_acts: 'agents/prepared/state-store.ts',
};

/** Imports from the platform that make a statement change states. */
const TOOLS = /\bimport \{[^}]*\b(along|moveRows|stateOf|stateWhen)\b[^}]*\} from/g;
/** An assignment to a status or a stage, in a statement or in the columns that a claim sets. */
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
  if (!isPlatform)
    found.push(
      ...findAll(path, code, ASSIGNED, () => 'a status is set by a move along its table of edges'),
    );
  return found;
}

/** One file changes the state of each noun along its edges; no other file writes a status. */
export const statesRule: Rule = {
  name: 'states',
  check: (files) =>
    files.filter(({ path }) => isProductCode(path) && path.startsWith(SERVER)).flatMap(checkFile),
};
