import type { Finding } from '../server/src/laws/findings/finding.ts';
import { checkLaws } from '../server/src/laws/invariants/laws.ts';
import { compareWithIssuer } from '../server/src/laws/reconciliation/issuer-comparison.ts';
import { listWaiting } from '../server/src/payments/books/waiting-store.ts';
import { FEE_WALLET } from '../server/src/wallets/fee-wallet.ts';
import { compareDisputes } from './dispute-comparison.ts';
import { compareWithExpected } from './expectations.ts';
import { findUnbooked } from './missing-notices.ts';
import { spentOnOthers } from './operator.ts';
import { comparePayIns } from './pay-in-comparison.ts';
import type { World } from './world.ts';

interface OurPayment {
  merchantId: string;
  paymentId: string;
  walletId: string;
  status: string;
  amountPence: number;
}

/** Payments at the banks by the occurrence that they are for, those that failed or went back to the payer left out. */
function debitsOf(world: World): Map<string, { status: string; pence: number }[]> {
  const debits = new Map<string, { status: string; pence: number }[]>();
  for (const bank of world.banks.values())
    for (const [paymentId, { status, amountPence }] of bank.debits())
      debits.set(paymentId, [...(debits.get(paymentId) ?? []), { status, pence: amountPence }]);
  return debits;
}

/**
 * Our payments held against the banks' own books: never two debits of one occurrence; what succeeded here was credited
 * there, pence for pence; and (where nothing is under way) what was credited there succeeded here. Where pay-ins have no name,
 * equal ones of a wallet may pay for each other.
 */
async function compareWithBanks(world: World, isOver: boolean): Promise<string[]> {
  const ours = await world.db.read((tx) =>
    tx.rows<OurPayment>(
      'SELECT merchant_id, payment_id, wallet_id, status, amount_pence FROM payments',
    ),
  );
  const isNameless = world.issuer.ways.namelessPayIns;
  const debits = debitsOf(world);
  const wrong = isNameless ? tooManyDebits(ours, debits) : [];
  for (const { paymentId, status, amountPence } of ours) {
    const [debit, ...others] = debits.get(paymentId) ?? [];
    debits.delete(paymentId);
    if (isNameless) continue;
    if (others.length > 0) wrong.push(`${paymentId} was debited ${others.length + 1} times`);
    const isShort = debit?.pence === amountPence + 1; // its pay-in was, and a person took it
    const isEqual = debit?.pence === amountPence || isShort;
    if (status === 'success' && (debit?.status !== 'credited' || !isEqual))
      wrong.push(`${paymentId} is a success of ${amountPence}, the bank has ${debit?.status}`);
    if (debit?.status === 'credited' && status !== 'success' && isOver)
      wrong.push(`${paymentId} was credited at the bank and is ${status} here`);
  }
  for (const id of debits.keys()) wrong.push(`the bank has a payment of ${id}, we have none`);
  return wrong;
}

/** Where equal payments of a wallet may pay for each other, there are never more debits of them than payments. */
function tooManyDebits(ours: readonly OurPayment[], debits: ReturnType<typeof debitsOf>): string[] {
  const alike = Map.groupBy(ours, (row) => `${row.walletId} ${row.amountPence}`);
  return [...alike].flatMap(([name, rows]) => {
    const count = rows.reduce((sum, row) => sum + (debits.get(row.paymentId)?.length ?? 0), 0);
    return count <= rows.length ? [] : [`${name}: ${rows.length} payments, ${count} debits`];
  });
}

/** Pay-outs at the issuer, less what came back, are our settlements and refunds. */
async function comparePayOuts({ db, issuer }: World): Promise<string[]> {
  const rows = await db.read((tx) =>
    tx.rows<{ pence: number }>(
      `SELECT coalesce(sum(amount_pence), 0)::bigint AS pence FROM (
         SELECT amount_pence FROM settlements WHERE status = 'success'
         UNION ALL SELECT amount_pence FROM refunds WHERE status = 'success') paid`,
    ),
  );
  let paid = 0;
  for (const { kind, status, amountPence } of issuer.orders.values())
    if (kind === 'payout' && status === 'settled') paid += amountPence;
  for (const { movements } of issuer.wallets.values())
    for (const { kind, amountPence } of movements)
      if (kind === 'payout_return') paid -= amountPence;
  const [{ pence } = { pence: 0 }] = rows;
  return paid === pence
    ? []
    : [`the issuer paid out ${paid}, our settlements and refunds are ${pence}`];
}

/** Each refund that is a success was paid once and did not come back; no other was paid. */
async function compareRefunds({ db, issuer }: World): Promise<string[]> {
  const rows = await db.read((tx) =>
    tx.rows<{ refundId: string; amountPence: number; status: string }>(
      'SELECT refund_id, amount_pence, status FROM refunds',
    ),
  );
  const all = issuer.all();
  const back = new Set(all.map(({ originalMovementId }) => originalMovementId));
  const paid = all.filter(
    ({ kind, status, movementId }) =>
      kind === 'payout' && status === 'settled' && !back.has(movementId),
  );
  const byKey = Map.groupBy(paid, ({ idempotencyKey }) => idempotencyKey);
  return rows.flatMap(({ refundId: id, amountPence: pence, status }) => {
    const amounts = (byKey.get(id) ?? []).map(({ amountPence }) => amountPence);
    const expected = status === 'success' ? [pence] : [];
    return `${amounts}` === `${expected}`
      ? []
      : [`${id} of ${pence} is ${status}, the issuer has paid ${amounts}`];
  });
}

/** What our books have transferred as fees is in the fee wallet, from which nobody takes anything here. */
async function compareFees({ db, issuer }: World): Promise<string[]> {
  const rows = await db.read((tx) =>
    tx.rows<{ pence: number }>(
      `SELECT coalesce(sum(amount_pence), 0)::bigint AS pence FROM transfers WHERE kind = 'fee_out'`,
    ),
  );
  const wallets = [...issuer.wallets.values()].map(({ wallet }) => wallet);
  const own = wallets.filter(({ externalReference }) => externalReference === FEE_WALLET);
  const there = own.reduce((sum, { balancePence }) => sum + balancePence, 0);
  const [{ pence } = { pence: 0 }] = rows;
  return there === pence && own.length <= 1
    ? []
    : [`${own.length} fee wallets have ${there}, our books have transferred ${pence}`];
}

/** A bank wanted the customer of an unsent payment only hours ago: customers confirm every three hours. */
const JUST_ASKED = `SELECT FROM consents c
  JOIN attempts a ON a.merchant_id = c.merchant_id AND a.payment_id = p.payment_id AND a.number = w.attempt
  WHERE c.merchant_id = p.merchant_id AND c.consent_id = p.consent_id AND c.status = 'granted' AND c.suspended_at IS NOT NULL
    AND a.sent_at IS NULL AND w.due_at < a.started_at + interval '4 hours'`;

/** Must be empty after a healthy week. */
const LEFT: Readonly<Record<string, string>> = {
  'payments under way': `SELECT payment_id || ' ' || status || coalesce(' ' || stage, '') AS what
    FROM payments p FULL JOIN payment_work w USING (merchant_id, payment_id)
    WHERE (status = 'processing' OR stage <> 'wait' OR (status = 'pending' AND (due_at IS NULL OR next_retry_at IS NULL)
      AND due_at IS DISTINCT FROM due_date)) -- an ad-hoc payment may wait for its day
      AND NOT EXISTS (${JUST_ASKED})`,
  'settlements under way': `SELECT settlement_id || ' ' || status AS what FROM settlements
    WHERE status IN ('pending', 'processing')`,
  'refunds under way': `SELECT refund_id || ' ' || status AS what FROM refunds WHERE stage IN ('pay', 'track')`,
  'fees under way': `SELECT settlement_id AS what FROM fee_transfers WHERE taken_pence IS NULL`,
  'notices not acted on': `SELECT notification_id AS what FROM inbox WHERE due_at IS NOT NULL`,
  'deliveries under way': `SELECT delivery_id AS what FROM deliveries WHERE status NOT IN ('delivered', 'failed')`,
  'events without delivery': `SELECT event_id AS what FROM events e WHERE NOT EXISTS
    (SELECT 1 FROM deliveries d WHERE d.merchant_id = e.merchant_id AND d.event_id = e.event_id)`,
  'consents half granted': `SELECT consent_id AS what FROM consents WHERE status = 'authorised'`,
  'agreed consents dropped for a change': `SELECT object_id AS what FROM state_changes s
    WHERE from_state = 'authorised' AND to_state = 'dropped' AND NOT EXISTS (SELECT 1 FROM state_changes x
      WHERE x.merchant_id = s.merchant_id AND x.object_id = s.schedule_id AND x.at = s.at AND x.to_state = 'cancelled')`,
  'bank consents not ended': `SELECT bank_consent_id AS what FROM bank_revocations WHERE due_at IS NOT NULL`,
};

/** What a person looks at once a day is decided at the second look. */
const TWO_DAILY_CHECKS = Temporal.Duration.from({ hours: 48 });
/** An attempt without an outcome is a person's when it is a day old. */
const A_DAY = Temporal.Duration.from({ hours: 24 });

/** What waits for a person, and was there at two looks. */
async function findUndecided({ db, clock }: World): Promise<string[]> {
  const since = clock.at.subtract(TWO_DAILY_CHECKS);
  return db.read(async (tx) => {
    const items = await tx.rows<{ itemId: string; reason: string }>(
      `SELECT item_id, reason FROM unallocated_items WHERE status = 'open' AND opened_at < $1`,
      [since],
    );
    const waiting = await listWaiting(tx, clock.at, Number.MAX_SAFE_INTEGER);
    return [
      ...items.map(({ itemId: id, reason }) => `money without a place: ${id}, ${reason}`),
      ...waiting
        .filter((row) => Temporal.Instant.compare(row.since, since) < 0)
        .map((row) => `payment waits for a person: ${row.payment_id}, ${row.waits_for}`),
    ];
  });
}

/** What is left, but for payments whose money an equal one took lately: the operator ends them when they are a day old. */
async function findLeft(world: World): Promise<string[]> {
  const { clock } = world;
  const isSpent = await spentOnOthers(world, clock.at.subtract(TWO_DAILY_CHECKS).subtract(A_DAY));
  const wrong: string[] = await findUndecided(world);
  for (const [name, sql] of Object.entries(LEFT))
    for (const { what } of await world.db.read((tx) => tx.rows<{ what: string }>(sql)))
      if (!isSpent.has(what.split(' ', 1).join())) wrong.push(`${name}: ${what}`);
  return wrong;
}

/** What has ended here has ended at its bank: there, nobody could collect under it. */
async function compareConsents({ db, banks }: World): Promise<string[]> {
  const rows = await db.read((tx) =>
    tx.rows<{ consentId: string; bankId: string; bankConsentId: string; status: string }>(
      `SELECT consent_id, bank_id, bank_consent_id, status FROM consents
       WHERE ended_at IS NOT NULL AND bank_consent_id IS NOT NULL`,
    ),
  );
  return rows
    .filter((row) => banks.get(row.bankId)?.consents.get(row.bankConsentId)?.status === 'AUTH')
    .map((row) => `${row.consentId} is ${row.status}, and its bank would still pay`);
}

interface LimitRow {
  consentId: string;
  bankId: string;
  bankConsentId: string;
  lookedAt: Temporal.Instant | null;
  most: number;
}

/** The limits of a consent that was looked at after its customer lowered them are those of the bank. */
async function compareLimits({ db, banks }: World): Promise<string[]> {
  const rows = await db.read((tx) =>
    tx.rows<LimitRow>(
      `SELECT consent_id, bank_id, bank_consent_id, looked_at, (control_parameters->>'maximumAmountPence')::int AS most
       FROM consents WHERE status = 'granted'`,
    ),
  );
  return rows.flatMap(({ consentId, bankId, bankConsentId, lookedAt, most }) => {
    const bank = banks.get(bankId);
    const loweredAt = bank?.lowered.get(bankConsentId);
    if (!loweredAt || !lookedAt || Temporal.Instant.compare(lookedAt, loweredAt) <= 0) return [];
    const there = bank?.consents.get(bankConsentId)?.controlParameters.maximumAmountPence;
    return there === most
      ? []
      : [`${consentId} allows ${most} a payment here, ${there} at its bank`];
  });
}

/** What we know at the end of a payment that succeeded is the bank's last word on it, where its money told which it was. */
async function compareEvidence({ db, banks, issuer }: World): Promise<string[]> {
  if (issuer.ways.namelessPayIns) return [];
  const rows = await db.read((tx) =>
    tx.rows<{ bankPaymentId: string; bankId: string; bankStatus: string }>(
      `SELECT a.bank_payment_id, p.bank_id, a.bank_status FROM attempts a JOIN payments p USING (merchant_id, payment_id)
       WHERE a.status = 'success' AND a.bank_payment_id IS NOT NULL AND a.bank_status <> 'ACCC'`,
    ),
  );
  return rows
    .filter((row) => banks.get(row.bankId)?.hasReportedCredit(row.bankPaymentId))
    .map((row) => `${row.bankPaymentId} is ${row.bankStatus} here and credited at its bank`);
}

/** What we hold for delivered, its receiver has acknowledged, and the other way round. */
async function compareWithReceivers({ db, receivers }: World): Promise<string[]> {
  const rows = await db.read((tx) =>
    tx.rows<{ url: string; eventId: string; status: string }>(
      `SELECT e.url, d.event_id, d.status FROM deliveries d JOIN webhook_endpoints e USING (merchant_id, endpoint_id)`,
    ),
  );
  return rows
    .filter((d) => {
      const name = `${d.url} ${d.eventId}`;
      if (d.status === 'failed' && receivers.refusedAgain.has(name)) return false;
      return (d.status === 'delivered') !== receivers.acknowledged.has(name);
    })
    .map((d) => `${d.eventId} is ${d.status}, which ${d.url} does not say`);
}

/** Reports are made on business days of the day before: over Easter, five days may lie between two. */
const MAX_DAYS_BETWEEN_REPORTS = 6;

/** The daily reconciliation went on to the end, and whatever differed has been put right. */
async function findUnreconciled({ db, clock }: World): Promise<string[]> {
  const [last] = await db.read((tx) =>
    tx.rows<{ date: Temporal.PlainDate; unknown: string | null; open: string[] }>(
      `SELECT date, unknown, array(SELECT what FROM reconciliation_items WHERE resolved_at IS NULL ORDER BY 1) AS open
       FROM reconciliations ORDER BY date DESC LIMIT 1`,
    ),
  );
  if (last === undefined) return ['there is no reconciliation'];
  const { days } = last.date.until(clock.at.toZonedDateTimeISO('Europe/London').toPlainDate());
  return [
    ...(days > MAX_DAYS_BETWEEN_REPORTS ? [`the last reconciliation is that of ${last.date}`] : []),
    ...(last.unknown === null ? [] : [`reconciliation of ${last.date}: ${last.unknown}`]),
    ...last.open.map((what) => `reconciliation of ${last.date}: ${what}`),
  ];
}

/** What differs from the issuer, but for wallets to which money came whose notice was lost: the next report finds it. */
async function compareWallets(world: World): Promise<Finding> {
  const { platform, issuer } = world;
  const finding = await compareWithIssuer(platform, issuer);
  if (finding.broken.length === 0) return finding;
  const wallets = (await findUnbooked(world)).map(({ toIssuerWalletId }) =>
    issuer.wallets.get(toIssuerWalletId ?? '')?.wallet.externalReference.replace('/', ' '),
  );
  const isLate = (line: string): boolean => wallets.some((name) => line.startsWith(`${name}:`));
  return { ...finding, broken: finding.broken.filter((line) => !isLate(line)) };
}

/** Everything that is wrong now, a line each; `isOver`: after a calm week, when nothing may be left either. */
export async function findings(world: World, isOver: boolean): Promise<string[]> {
  const { troubles, platform } = world;
  const wasCalm = troubles.isCalm;
  troubles.isCalm = true; // the one who compares is not troubled
  const all = [...(await checkLaws(platform)), await compareWallets(world)];
  troubles.isCalm = wasCalm;
  const laws = all.flatMap(({ law, broken }) => broken.map((line) => `${law}: ${line}`));
  const books = [
    ...(await compareWithBanks(world, isOver)),
    ...(await comparePayIns(world, isOver)),
    ...(await compareWithExpected(world, isOver)),
    ...(await compareDisputes(world, isOver)),
    ...(isOver
      ? [
          ...(await comparePayOuts(world)),
          ...(await compareRefunds(world)),
          ...(await compareFees(world)),
        ]
      : []),
  ];
  if (!isOver) return [...laws, ...books];
  const left = [
    await findLeft(world),
    await compareWithReceivers(world),
    await compareConsents(world),
    await compareLimits(world),
    await compareEvidence(world),
    await findUnreconciled(world),
  ];
  return [...laws, ...books, ...left.flat()];
}
