import { PREPARED_ACTS } from '../../server/src/agents/prepared/act.ts';
import { CONSENTS } from '../../server/src/consents/consent.ts';
import { DISPUTES } from '../../server/src/disputes/dispute.ts';
import { ACCOUNT_CHANGES } from '../../server/src/merchants/settlement-account/settlement-account.ts';
import { NOTICES } from '../../server/src/notices/notice.ts';
import { REQUESTS } from '../../server/src/operators/requests/request.ts';
import { ATTEMPTS, PAYMENTS } from '../../server/src/payments/payment/states.ts';
import { ITEMS } from '../../server/src/payments/payment/unallocated-item.ts';
import { eventsOf, type StateMachine } from '../../server/src/platform/state/state-machine.ts';
import { REFUNDS } from '../../server/src/refunds/refund.ts';
import { SCHEDULE_STATES } from '../../server/src/schedules/terms/schedule.ts';
import { SETTLEMENTS } from '../../server/src/settlements/settlement.ts';
import { WALLETS } from '../../server/src/wallets/wallet.ts';
import { DELIVERIES } from '../../server/src/webhooks/delivery.ts';
import { ENDPOINTS } from '../../server/src/webhooks/endpoint.ts';

/** In the order of a collection's life. The machines have different state types; here they are only drawn. */
export const MACHINES = [
  SCHEDULE_STATES,
  CONSENTS,
  WALLETS,
  PAYMENTS,
  ATTEMPTS,
  ITEMS,
  REFUNDS,
  DISPUTES,
  SETTLEMENTS,
  DELIVERIES,
  NOTICES,
  ENDPOINTS,
  ACCOUNT_CHANGES,
  PREPARED_ACTS,
  REQUESTS,
] as readonly unknown[] as readonly StateMachine[];

/** The path of the page. */
export const PAGE = 'docs/state-machines.md';

const INTRODUCTION = `# State machines

What each noun may become, why, and which event its merchant is sent. Drawn from the tables in the code by
\`npm run generate -- state-machines\`; \`npm run check\` fails where it is stale. Nothing else writes a status: a move that a
table does not name cannot be made.
`;

/** Draws every state machine as Markdown. */
export function stateMachinesPage(): string {
  return [INTRODUCTION, ...MACHINES.map(section)].join('\n');
}

function section(machine: StateMachine): string {
  const { noun, table, work } = machine;
  const under = work === undefined ? '' : `, while it is under way with a row in \`${work}\``;
  return `## ${capital(noun)}\n\nTable \`${table}\`${under}.\n\n${columns(machine)}${diagram(machine)}\n`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function diagram({ begins, states, edges }: StateMachine): string {
  const ends = Object.keys(states).filter((state) => !edges.some(({ from }) => from === state));
  const lines = [
    ...begins.map((state) => `[*] --> ${state}`),
    ...edges.map(({ from, to, why, event }) => {
      const label = event === undefined ? why : `${why} (${eventsOf({ event }).join(', ')})`;
      return `${from} --> ${to} : ${label.replaceAll(':', ',')}`;
    }),
    ...ends.map((state) => `${state} --> [*]`),
  ];
  return ['```mermaid', 'stateDiagram-v2', ...lines.map((line) => `  ${line}`), '```'].join('\n');
}

/** Describes how a state is stored, if that is more than a status of the same name. */
function columns({ states, table, work = table }: StateMachine): string {
  const rows = Object.entries(states);
  const names = Object.keys(rows[0]?.[1] ?? {});
  if (names.length < 2) return '';
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const lines = [
    line(['state', ...names.map((name) => `\`${name === 'stage' ? work : table}.${name}\``)]),
    line(['---', ...names.map(() => '---')]),
    ...rows.map(([state, values]) => line([state, ...names.map((name) => values[name] ?? '')])),
  ];
  return `${lines.join('\n')}\n\n`;
}
