import type { Tx } from '../server/src/platform/db/db.ts';
import type { SimulatedBank } from './bank.ts';
import type { Touched } from './touched.ts';
import type { World } from './world.ts';

/** The merchant, and the id of something of its. */
type Name = readonly [merchantId: string, id: string];

interface AccountRow {
  merchantId: string;
  accountId: string;
  kind: string;
  pence: number;
}

interface PaymentRow {
  paymentId: string;
  status: string;
  amountPence: number;
  won: number;
  lost: number;
  moved: number;
  told: number;
  toldLost: number;
  /** Failures told without a next retry and without the reason for that. */
  unexplained: number;
  strays: number;
  afterANo: number;
  /** Orders whose date is none of the database's: the simulated one tells whole minutes, processes are seconds apart. */
  offClock: number;
  /** Attempts that failed for a reason that no bank gives here, and no operator. */
  unsaid: number;
  /** The attempts under way whose bank has told that it debited the customer, and those that a stop has ended, by number. */
  debited: number[];
  stopped: number[];
  /** That of the payment, those of its attempts, and that in force when it was due: it may have failed before it moved. */
  bankConsentIds: string[];
  /** The first attempt, made when it was due, failed for want of room in the limits. */
  hadNoRoom: boolean;
  /** Of each attempt, how many of its orders were noted and not taken back. */
  noted: number[];
  /** A no met it while an order was under way: a day later it ends, though its money may come yet. */
  isStopped: boolean;
}

interface SettlementRow {
  settlementId: string;
  amountPence: number;
  /** What refunds took, less what failed ones gave back. */
  refunded: number;
  /** What the operator took of its payments. */
  fees: number;
  /** What the merchant owed and was taken off. */
  owed: number;
  payments: number;
  setApart: number;
}

/**
 * Orders outside the life of their consent; what fell due before a new one took its place may follow, unless its customer pays
 * from another account since: then only orders that may be with the bank are repeated.
 */
const ORDERS_WITHOUT_CONSENT = `SELECT count(*) FROM payment_orders o JOIN attempts x ON x.merchant_id = p.merchant_id
  AND x.payment_id = p.payment_id AND x.number = o.attempt JOIN consents c ON c.merchant_id = p.merchant_id
  AND c.consent_id = coalesce(x.consent_id, p.consent_id) WHERE o.merchant_id = p.merchant_id AND o.payment_id = p.payment_id
  AND o.taken_back_at IS NULL AND (c.granted_at IS NULL OR o.sent_at < c.granted_at
    OR (o.sent_at > c.ended_at AND NOT (c.status = 'replaced' AND p.due_date <= c.ended_at))
    OR EXISTS (SELECT 1 FROM consents n WHERE n.merchant_id = p.merchant_id AND n.schedule_id = p.schedule_id
      AND n.another_account AND n.granted_at > c.granted_at AND n.granted_at < o.sent_at
      AND NOT EXISTS (SELECT 1 FROM payment_orders e WHERE e.merchant_id = o.merchant_id AND e.payment_id = o.payment_id
        AND e.attempt = o.attempt AND e.sent_at <= n.granted_at)))`;

/** Orders that came after their schedule was cancelled, by their places in one sequence. */
const AFTER_A_NO = `SELECT count(*) FROM payment_orders o JOIN state_changes s ON s.merchant_id = p.merchant_id
  AND s.schedule_id = p.schedule_id AND s.object_id = p.schedule_id
  WHERE o.merchant_id = p.merchant_id AND o.payment_id = p.payment_id AND o.taken_back_at IS NULL
    AND s.to_state = 'cancelled' AND o.sequence > s.change_id`;

const OFF_CLOCK = `SELECT count(*) FROM payment_orders o WHERE o.merchant_id = p.merchant_id
  AND o.payment_id = p.payment_id AND o.sent_at <> date_trunc('minute', o.sent_at)`;

const HAD_NO_ROOM = `SELECT 1 FROM attempts x WHERE x.merchant_id = p.merchant_id AND x.payment_id = p.payment_id
  AND x.number = 1 AND x.error_code = 'limit_exceeded' AND x.finished_at < p.due_date + interval '1 hour'
  AND NOT EXISTS (SELECT 1 FROM state_changes s WHERE s.merchant_id = p.merchant_id AND s.schedule_id = p.schedule_id
    AND s.object_id = p.payment_id AND s.at = x.finished_at AND s.reason = 'no_room_at_another_account')
  -- Whose order of several days came first, the bank alone knows: it may count in the next period.
  AND NOT EXISTS (SELECT 1 FROM payments q JOIN payment_orders o USING (merchant_id, payment_id)
    WHERE q.merchant_id = p.merchant_id AND q.consent_id = p.consent_id
    GROUP BY q.payment_id, o.attempt HAVING max(o.sent_at)::date > min(o.sent_at)::date
      AND max(o.sent_at) > p.due_date - interval '32 days')`;

const NOTED = `SELECT (count(o.call) FILTER (WHERE o.taken_back_at IS NULL))::int FROM attempts x
  LEFT JOIN payment_orders o ON o.merchant_id = x.merchant_id AND o.payment_id = x.payment_id AND o.attempt = x.number
  WHERE x.merchant_id = p.merchant_id AND x.payment_id = p.payment_id GROUP BY x.number ORDER BY x.number`;

/** A technical failure has the message of a bank, which is always `no` here, or of an operator who gave the payment up. */
const UNREPORTED = `x.error_code = 'rejected' OR x.error_code = 'technical' AND x.error_message NOT IN
  ('no', 'The bank did not carry out the payment.', 'The payment could not be sent to the bank.')`;

/** What ends an attempt in place of its bank. */
const STOPS = `('consent_revoked', 'schedule_cancelled', 'schedule_paused')`;

const OF_PAYMENT = 'WHERE x.merchant_id = p.merchant_id AND x.payment_id = p.payment_id';
const EVENTS = `SELECT count(*) FROM events x WHERE x.merchant_id = p.merchant_id AND x.schedule_id = p.schedule_id
  AND x.subject_id = p.payment_id`;

const IN_FORCE_WHEN_DUE = `SELECT x.consent_id FROM consents x WHERE x.merchant_id = p.merchant_id
  AND x.schedule_id = p.schedule_id AND x.granted_at <= p.due_date ORDER BY x.granted_at DESC LIMIT 1`;

const PAYMENTS = `SELECT p.payment_id, p.status, p.amount_pence,
  (SELECT count(*) FROM attempts x ${OF_PAYMENT} AND x.status = 'success') AS won,
  (SELECT count(*) FROM attempts x ${OF_PAYMENT} AND x.status = 'failed') AS lost,
  (SELECT count(*) FROM transfers x WHERE x.merchant_id = p.merchant_id AND x.source_id = p.payment_id
    AND x.kind = 'move') AS moved,
  (${EVENTS} AND x.kind = 'collection.success') AS told,
  (${EVENTS} AND x.kind = 'collection.failed') AS told_lost,
  (${EVENTS} AND x.kind = 'collection.failed' AND x.body::jsonb #>> '{data,next_retry_at}' IS NULL
    AND x.body::jsonb #>> '{data,no_retry_reason}' IS NULL) AS unexplained,
  (${ORDERS_WITHOUT_CONSENT}) AS strays, (${AFTER_A_NO}) AS after_a_no, (${OFF_CLOCK}) AS off_clock,
  (SELECT count(*) FROM attempts x ${OF_PAYMENT} AND (${UNREPORTED})) AS unsaid,
  ARRAY(SELECT x.number FROM attempts x ${OF_PAYMENT} AND x.status = 'processing'
    AND x.bank_status IN ('ACSC', 'ACCC')) AS debited,
  ARRAY(SELECT x.number FROM attempts x ${OF_PAYMENT} AND x.status = 'failed' AND x.error_code IN ${STOPS}) AS stopped,
  EXISTS (${HAD_NO_ROOM}) AS had_no_room,
  ARRAY(SELECT c.bank_consent_id FROM consents c WHERE c.merchant_id = p.merchant_id AND c.bank_consent_id IS NOT NULL
    AND (c.consent_id = p.consent_id OR c.consent_id IN (SELECT x.consent_id FROM attempts x ${OF_PAYMENT})
      OR c.consent_id = (${IN_FORCE_WHEN_DUE}))) AS bank_consent_ids,
  ARRAY(${NOTED}) AS noted,
  p.error_code IN ${STOPS}
    OR EXISTS (SELECT 1 FROM payment_work x ${OF_PAYMENT} AND x.stopped_by IS NOT NULL) AS is_stopped
  FROM payments p WHERE (p.merchant_id, p.payment_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))`;

const SETTLEMENTS = `SELECT s.settlement_id, s.amount_pence,
  (SELECT coalesce(sum(y.amount_pence), 0)::bigint FROM settlement_debts x JOIN debts y USING (merchant_id, debt_id)
    WHERE x.merchant_id = s.merchant_id AND x.settlement_id = s.settlement_id) AS owed,
  (SELECT coalesce(sum(y.amount_pence), 0)::bigint FROM settlement_refund_lines x
    JOIN refund_lines y USING (merchant_id, refund_id, kind)
    WHERE x.merchant_id = s.merchant_id AND x.settlement_id = s.settlement_id)
  - (SELECT coalesce(sum(x.amount_pence), 0)::bigint FROM came_back_lines x
    WHERE x.merchant_id = s.merchant_id
      AND (x.settlement_id = s.settlement_id OR s.settlement_id = ANY (x.carried_by))) AS refunded,
  (SELECT coalesce(sum(y.amount_pence), 0)::bigint FROM settlement_payments x
    JOIN payments y USING (merchant_id, payment_id)
    WHERE x.merchant_id = s.merchant_id AND x.settlement_id = s.settlement_id) AS payments,
  (SELECT coalesce(sum(y.amount_pence), 0)::bigint FROM settlement_payments x
    JOIN transfers y ON y.merchant_id = x.merchant_id AND y.source_id = x.payment_id AND y.kind = 'fee'
    WHERE x.merchant_id = s.merchant_id AND x.settlement_id = s.settlement_id) AS fees,
  (SELECT coalesce(sum(x.amount_pence), 0)::bigint FROM transfers x WHERE x.merchant_id = s.merchant_id
    AND x.source_id = s.settlement_id || '-' || s.attempts AND x.kind = 'settle') AS set_apart
  FROM settlements s WHERE (s.merchant_id, s.settlement_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))`;

const ACCOUNTS = `SELECT merchant_id, account_id, kind, balance_pence AS pence FROM accounts
  WHERE (merchant_id, account_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))`;

/** Fees are, where a lost database had more transferred than there were. */
const BELOW_ZERO = new Set(['outside', 'owed', 'fees']);

/** The laws of money after a step, for all that the step has written; said in other words than the service's own audit. */
export class StepCheck {
  readonly #world: World;
  /** A ledger of our own, from the transfers alone. */
  readonly #balances = new Map<string, number>();
  /** The attempts whose bank has told that it debited the customer, while they were under way. */
  readonly #debited = new Set<string>();

  constructor(world: World) {
    this.#world = world;
  }

  /** What the step has broken, a line each. */
  async findings(): Promise<string[]> {
    const { db, issuer, written } = this.#world;
    const banks = [...this.#world.banks.values()];
    const touched = await written();
    if (touched.length === 0) return [];
    const accounts = this.#book(touched);
    return db.read(async (tx) => [
      ...(await this.#wrongAccounts(tx, accounts)),
      ...(await this.#wrongPayments(
        tx,
        namesOf(touched, 'payment'),
        banks,
        issuer.ways.namelessPayIns,
      )),
      ...(await wrongSettlements(tx, namesOf(touched, 'settlement'))),
    ]);
  }

  /** Books the transfers in our own ledger; returns the accounts changed. */
  #book(touched: readonly Touched[]): Name[] {
    const changed = new Map<string, Name>();
    const add = (name: Name, pence: number): void => {
      const key = name.join(' ');
      this.#balances.set(key, (this.#balances.get(key) ?? 0) + pence);
      changed.set(key, name);
    };
    for (const { merchantId, debit, credit, pence } of touched) {
      if (debit === null || credit === null || pence === null) continue;
      add([merchantId, debit], -pence);
      add([merchantId, credit], pence);
    }
    return [...changed.values()];
  }

  async #wrongAccounts(tx: Tx, names: readonly Name[]): Promise<string[]> {
    if (names.length === 0) return [];
    const rows = await tx.rows<AccountRow>(ACCOUNTS, columnsOf(names));
    const wrong = rows.length === names.length ? [] : ['transfers of accounts that are not there'];
    for (const { merchantId, accountId, kind, pence } of rows) {
      const ours = this.#balances.get(`${merchantId} ${accountId}`);
      if (ours !== pence) wrong.push(`${accountId} has ${pence}, its transfers say ${ours}`);
      if (pence < 0 && !BELOW_ZERO.has(kind)) wrong.push(`${accountId} is below zero: ${pence}`);
    }
    return wrong;
  }

  async #wrongPayments(
    tx: Tx,
    names: readonly Name[],
    banks: readonly SimulatedBank[],
    areNameless: boolean,
  ): Promise<string[]> {
    if (names.length === 0) return [];
    const rows = await tx.rows<PaymentRow>(PAYMENTS, columnsOf(names));
    return rows.flatMap((row) => [
      ...wrongOf(row, banks),
      ...this.#takenBack(row),
      ...(areNameless ? [] : [...debitedTwice(row, banks), ...unlikeTheBank(row, banks)]),
    ]);
  }

  /** A bank that is silent later does not take back that it debited the customer: no stop may end such an attempt. */
  #takenBack({ paymentId: id, debited, stopped }: PaymentRow): string[] {
    for (const number of debited) this.#debited.add(`${id}-a${number}`);
    return stopped
      .map((number) => `${id}-a${number}`)
      .filter((attempt) => this.#debited.has(attempt))
      .map((attempt) => `${attempt} ended by a stop after its bank had debited the customer`);
  }
}

/** Those of a kind that the step has written, each once. */
function namesOf(touched: readonly Touched[], kind: Touched['kind']): Name[] {
  const all = new Map<string, Name>();
  for (const row of touched) if (row.kind === kind) all.set(row.id, [row.merchantId, row.id]);
  return [...all.values()];
}

/** As the statements take them: the merchants, and beside them the ids. */
const columnsOf = (names: readonly Name[]): [string[], string[]] => [
  names.map(([merchantId]) => merchantId),
  names.map(([, id]) => id),
];

function wrongOf(row: PaymentRow, banks: readonly SimulatedBank[]): string[] {
  const { paymentId: id, status } = row;
  const successes = status === 'success' ? 1 : 0;
  const wrong: string[] = [];
  const expect = (holds: boolean, line: string): void => {
    if (!holds) wrong.push(`${id} is ${status}: ${line}`);
  };
  expect(row.won <= 1 && row.won >= successes, `${row.won} attempts worked`);
  expect(row.moved === successes, `its money moved ${row.moved} times`);
  expect(row.told === successes, `told ${row.told} times of a success`);
  expect(row.toldLost >= row.lost, `${row.lost} attempts failed, ${row.toldLost} have an event`);
  expect(row.unexplained === 0, `${row.unexplained} failures without a retry and without a reason`);
  expect(row.strays === 0, `${row.strays} orders sent without a consent`);
  expect(row.afterANo === 0, `${row.afterANo} orders sent after a cancellation`);
  expect(row.offClock === 0, `${row.offClock} orders dated by a process, not by the database`);
  expect(row.unsaid === 0, `${row.unsaid} attempts failed for a reason that nobody gave`);
  const mayLackRoom = row.bankConsentIds.some((consent) =>
    banks.some((bank) => bank.lowered.has(consent) || bank.countsForgotten(consent)),
  );
  expect(!row.hadNoRoom || mayLackRoom, 'it found no room in the limits when it was due');
  for (const [n, noted] of row.noted.entries()) {
    const arrived = arrivedOf(banks, `${id}-a${n + 1}`);
    expect(
      arrived <= noted,
      `${arrived} orders of attempt ${n + 1} have arrived, ${noted} were sent`,
    );
  }
  return wrong;
}

function debitedTwice({ paymentId: id }: PaymentRow, banks: readonly SimulatedBank[]): string[] {
  const debits = banks.flatMap((bank) => bank.liveOf(id));
  return debits.length > 1 ? [`${id} was debited ${debits.length} times`] : [];
}

/** A payment is what the bank has: equal ones may pay for each other where pay-ins have no name. */
function unlikeTheBank(row: PaymentRow, banks: readonly SimulatedBank[]): string[] {
  const { paymentId: id, status, amountPence: pence } = row;
  const [debit] = banks.flatMap((bank) => bank.liveOf(id));
  if (status === 'processing' || row.isStopped) return [];
  if (status !== 'success')
    return debit === undefined || banks.some((bank) => bank.isForgotten(debit))
      ? []
      : [`${id} is ${status}: the bank has its money ${debit.status}`];
  // A penny less has come, and a person took it for the payment.
  const isEqual = debit?.amountPence === pence || debit?.amountPence === pence + 1;
  if (debit?.status === 'credited' && isEqual) return [];
  return [`${id} is a success of ${pence}, ${debit?.amountPence} ${debit?.status} at the bank`];
}

const arrivedOf = (banks: readonly SimulatedBank[], instructionId: string): number =>
  banks.reduce((sum, bank) => sum + bank.arrivedOf(instructionId), 0);

async function wrongSettlements(tx: Tx, names: readonly Name[]): Promise<string[]> {
  if (names.length === 0) return [];
  const rows = await tx.rows<SettlementRow>(SETTLEMENTS, columnsOf(names));
  return rows
    .filter(
      (s) =>
        s.amountPence !== s.payments - s.refunded - s.fees - s.owed || s.amountPence !== s.setApart,
    )
    .map(
      (s) =>
        `${s.settlementId} is ${s.amountPence}, its payments ${s.payments} less ${s.refunded}, ${s.fees} and ${s.owed}, set apart ${s.setApart}`,
    );
}
