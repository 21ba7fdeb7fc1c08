import { BANK_CONDITIONS } from '../../banks/condition.ts';
import { readConditions } from '../../banks/condition-store.ts';
import { findStopped } from '../../banks/stop-store.ts';
import { asOverdue, countOverdue } from '../../laws/invariants/overdue-store.ts';
import { ISSUER } from '../../laws/reconciliation/reconciliation.ts';
import { HOLD_KINDS } from '../../merchants/holds/hold.ts';
import { countHolds } from '../../merchants/holds/hold-store.ts';
import { findUnsent } from '../../payments/books/unsent-store.ts';
import { findAllWaiting } from '../../payments/books/waiting-store.ts';
import { WAITING_REASONS } from '../../payments/payment/waiting.ts';
import type { Tx } from '../../platform/db/db.ts';
import { stagesDue } from '../../platform/engine/due.ts';
import type { Stage } from '../../platform/engine/stage.ts';
import type { Platform } from '../../platform/platform.ts';
import { listSeals } from '../../platform/seals/store.ts';
import { realNow } from '../../platform/time/clock.ts';
import { compareInstants } from '../../platform/values/instants.ts';
import { listPresent } from '../access/books/store.ts';
import { ageOf } from '../age.ts';
import { KINDS } from '../requests/request.ts';
import { countWaiting } from '../requests/store.ts';
import {
  countDeliveries,
  countDuePayments,
  countOpenDifferences,
  countUnknownPayments,
  countUnknownPayOuts,
  findLatestReport,
  listFindings,
  sumUnallocated,
} from './books-store.ts';
import type { Sample } from './metrics.ts';
import type { LabelsOf, NameOf } from './table.ts';

/** A part of the books that is read together: if that fails, the others are shown anyway. */
export interface Part {
  name: string;
  /** Everything that its samples may be of. */
  gauges: readonly NameOf<'gauge'>[];
  read(tx: Tx, now: Temporal.Instant): Promise<Sample[]>;
  /** Reads only the heads of queues. */
  onlyLooks?: boolean;
}

/** What the metrics of the books are about. */
export interface Books {
  platform: Pick<Platform, 'db' | 'clock'>;
  stages: readonly Stage[];
  banks: Iterable<string>;
}

const MS_PER_SECOND = 1000;

const sample = <N extends NameOf<'gauge'>>(name: N, labels: LabelsOf<N>, value: number) =>
  ({ name, labels, value }) as Sample;

/** Returns the parts of the books that a scrape reads. */
export function partsOf({ stages, banks }: Books): Part[] {
  return [
    lag(stages),
    payments(banks),
    PAY_OUTS,
    WEBHOOKS,
    UNALLOCATED,
    INVARIANTS,
    RECONCILIATION,
    holds(banks),
    conditions(banks),
    OPERATORS,
    VAULT,
  ];
}

const lag = (stages: readonly Stage[]): Part => ({
  name: 'stages',
  gauges: ['recollect_stage_oldest_due_age_seconds'],
  onlyLooks: true,
  async read(tx, now) {
    const { due } = await stagesDue(tx, stages, now);
    return stages.map((stage) =>
      sample(
        'recollect_stage_oldest_due_age_seconds',
        { stage: stage.name },
        ageOf(due.get(stage) ?? null, now),
      ),
    );
  },
});

const payments = (banks: Iterable<string>): Part => ({
  name: 'payments',
  gauges: [
    'recollect_payments_due',
    'recollect_payments_oldest_due_age_seconds',
    'recollect_payments_outcome_unknown',
    'recollect_payments_outcome_unknown_oldest_age_seconds',
  ],
  async read(tx, now) {
    const [due, unknown] = await Promise.all([
      countDuePayments(tx, now, banks),
      countUnknownPayments(tx, now, banks),
    ]);
    return [
      ...due.flatMap(({ bank, step, count, oldest }) => [
        sample('recollect_payments_due', { bank, step }, count),
        sample('recollect_payments_oldest_due_age_seconds', { bank, step }, ageOf(oldest, now)),
      ]),
      ...unknown.flatMap(({ bank, count, oldest }) => [
        sample('recollect_payments_outcome_unknown', { bank }, count),
        sample(
          'recollect_payments_outcome_unknown_oldest_age_seconds',
          { bank },
          ageOf(oldest, now),
        ),
      ]),
    ];
  },
});

const conditions = (banks: Iterable<string>): Part => ({
  name: 'banks',
  gauges: ['recollect_bank_condition', 'recollect_payment_under_way_oldest_age_seconds'],
  async read(tx, now) {
    const [standing, unsent] = await Promise.all([
      readConditions(tx, now),
      findUnsent(tx, now, banks),
    ]);
    return [...banks].flatMap((bank) => [
      ...BANK_CONDITIONS.map((condition) =>
        sample(
          'recollect_bank_condition',
          { bank, condition },
          standing(bank).condition === condition ? 1 : 0,
        ),
      ),
      sample(
        'recollect_payment_under_way_oldest_age_seconds',
        { bank },
        ageOf(unsent.get(bank)?.oldest ?? null, now),
      ),
    ]);
  },
});

/** The most of a state, or of payments that wait, that are counted. */
const MAX_WAITING = 1_000;

/** The samples of what waits for a person: payments by reason, and whatever is overdue. */
async function readWaiting(tx: Tx, now: Temporal.Instant): Promise<Sample[]> {
  const payments = await findAllWaiting(tx, now, MAX_WAITING);
  const overdue = await countOverdue(tx, now, payments.map(asOverdue), MAX_WAITING);
  return [
    ...WAITING_REASONS.flatMap((reason) => {
      const some = payments.filter(({ waiting }) => waiting.reason === reason);
      const [oldest = null] = some.map(({ waiting }) => waiting.since).sort(compareInstants);
      return [
        sample('recollect_payments_waiting', { reason }, some.length),
        sample('recollect_payments_waiting_oldest_age_seconds', { reason }, ageOf(oldest, now)),
      ];
    }),
    ...overdue.flatMap(({ life: { noun, state }, count, oldest }) => [
      sample('recollect_overdue', { noun, state }, count),
      sample('recollect_overdue_oldest_age_seconds', { noun, state }, ageOf(oldest, now)),
    ]),
  ];
}

const PAY_OUTS: Part = {
  name: 'pay_outs',
  gauges: [
    'recollect_pay_outs_outcome_unknown',
    'recollect_pay_outs_outcome_unknown_oldest_age_seconds',
    'recollect_payments_waiting',
    'recollect_payments_waiting_oldest_age_seconds',
    'recollect_overdue',
    'recollect_overdue_oldest_age_seconds',
  ],
  async read(tx, now) {
    const rows = await countUnknownPayOuts(tx);
    const unknown = rows.flatMap(({ kind, count, oldest }) => [
      sample('recollect_pay_outs_outcome_unknown', { kind }, count),
      sample('recollect_pay_outs_outcome_unknown_oldest_age_seconds', { kind }, ageOf(oldest, now)),
    ]);
    return [...unknown, ...(await readWaiting(tx, now))];
  },
};

const WEBHOOKS: Part = {
  name: 'webhooks',
  gauges: ['recollect_webhook_deliveries_waiting'],
  async read(tx, now) {
    const rows = await countDeliveries(tx, now);
    return rows.map(({ state, count }) =>
      sample('recollect_webhook_deliveries_waiting', { state }, count),
    );
  },
};

const UNALLOCATED: Part = {
  name: 'unallocated',
  gauges: [
    'recollect_unallocated_items',
    'recollect_unallocated_pence',
    'recollect_unallocated_oldest_age_seconds',
  ],
  async read(tx, now) {
    const { count, pence, oldest } = await sumUnallocated(tx);
    return [
      sample('recollect_unallocated_items', {}, count),
      sample('recollect_unallocated_pence', {}, pence),
      sample('recollect_unallocated_oldest_age_seconds', {}, ageOf(oldest, now)),
    ];
  },
};

const STATES = ['kept', 'broken', 'unknown'] as const;

function stateOf(holds: boolean | null): (typeof STATES)[number] {
  if (holds === null) return 'unknown';
  return holds ? 'kept' : 'broken';
}

const INVARIANTS: Part = {
  name: 'invariants',
  gauges: ['recollect_invariant', 'recollect_invariant_last_check_timestamp_seconds'],
  async read(tx) {
    const rows = await listFindings(tx);
    return rows.flatMap(({ law, holds, checkedAt: at }) => [
      ...STATES.map((state) =>
        sample('recollect_invariant', { law, state }, stateOf(holds) === state ? 1 : 0),
      ),
      sample(
        'recollect_invariant_last_check_timestamp_seconds',
        { law },
        at.epochMilliseconds / MS_PER_SECOND,
      ),
    ]);
  },
};

const RECONCILIATION: Part = {
  name: 'reconciliation',
  gauges: [
    'recollect_reconciliation_open_items',
    'recollect_reconciliation_oldest_open_age_seconds',
    'recollect_reconciliation_last_report_timestamp_seconds',
    'recollect_reconciliation_last_report_complete',
  ],
  async read(tx, now) {
    const [open, report] = await Promise.all([
      countOpenDifferences(tx, ISSUER),
      findLatestReport(tx, ISSUER),
    ]);
    const samples: Sample[] = [
      sample('recollect_reconciliation_open_items', {}, open.count),
      sample('recollect_reconciliation_oldest_open_age_seconds', {}, ageOf(open.oldest, now)),
    ];
    if (report === null) return samples;
    return [
      ...samples,
      sample(
        'recollect_reconciliation_last_report_timestamp_seconds',
        {},
        report.madeAt.epochMilliseconds / MS_PER_SECOND,
      ),
      sample('recollect_reconciliation_last_report_complete', {}, report.isComplete ? 1 : 0),
    ];
  },
};

const holds = (banks: Iterable<string>): Part => ({
  name: 'holds',
  gauges: ['recollect_merchants_held', 'recollect_bank_stopped'],
  async read(tx) {
    const [counts, stopped] = await Promise.all([countHolds(tx), findStopped(tx, [...banks])]);
    return [
      ...HOLD_KINDS.map((hold) =>
        sample('recollect_merchants_held', { hold }, counts.get(hold) ?? 0),
      ),
      ...[...banks].map((bank) =>
        sample('recollect_bank_stopped', { bank }, stopped.has(bank) ? 1 : 0),
      ),
    ];
  },
});

const OPERATORS: Part = {
  name: 'operators',
  gauges: ['recollect_operator_requests_waiting', 'recollect_operator_key_expiry_seconds'],
  async read(tx, now) {
    const at = realNow();
    const waiting = new Map((await countWaiting(tx, now)).map(({ kind, count }) => [kind, count]));
    const ends = (await listPresent(tx, at)).flatMap(({ keysEndAt }) =>
      keysEndAt === null ? [] : [keysEndAt.since(at).total('seconds')],
    );
    return [
      ...KINDS.map((kind) =>
        sample('recollect_operator_requests_waiting', { kind }, waiting.get(kind) ?? 0),
      ),
      ...(ends.length === 0
        ? []
        : [sample('recollect_operator_key_expiry_seconds', {}, Math.min(...ends))]),
    ];
  },
};

const VAULT: Part = {
  name: 'vault',
  gauges: ['recollect_vault_seals'],
  async read(tx) {
    const keys = await listSeals(tx);
    return keys.map(({ keyId, seals }) => sample('recollect_vault_seals', { key: keyId }, seals));
  },
};
