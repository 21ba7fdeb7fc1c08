import { Collections, type Debit, type Name } from './book/collections.ts';
import { type Moved, PayOuts, type Wallet } from './book/pay-outs.ts';
import type { World } from './world.ts';

/**
 * What should have been collected, paid out and refunded, held against the books of the banks and of the issuer. From our
 * database comes nothing but the names under which merchants know their payments: of which schedule and moment each is.
 */
export async function compareWithExpected(world: World, isOver: boolean): Promise<string[]> {
  const { book, clock, history, receivers } = world;
  const now = clock.at.epochMilliseconds;
  const names = await namesOf(world);
  const collections = new Collections(book);
  const wrong = collections.findings(names, debitsOf(world), receivers, now);
  const schedules = new Map(names.map((name) => [name.paymentId, name.scheduleId]));
  const scheduleOf = (paymentId: string): string | null => schedules.get(paymentId) ?? null;
  const payOuts = new PayOuts(book, { ...movedOf(world), scheduleOf }, now);
  wrong.push(...payOuts.findings(isOver));
  if (isOver) {
    history.count(`expected: ${collections.sharp} collections to the minute`);
    history.count(`expected: ${collections.lenient} collections with an allowance`);
    history.count(`expected: ${payOuts.sharp} merchants to the penny`);
  }
  return wrong;
}

async function namesOf({ db }: World): Promise<Name[]> {
  const rows = await db.read((tx) =>
    tx.rows<{
      paymentId: string;
      scheduleId: string;
      dueDate: Temporal.Instant;
      once: boolean;
      first: boolean;
    }>(
      `SELECT payment_id, schedule_id, due_date, ad_hoc IS NOT NULL AS once, is_first IS NOT NULL AS first
       FROM payments`,
    ),
  );
  return rows.map((row) => ({
    paymentId: row.paymentId,
    scheduleId: row.scheduleId,
    due: row.dueDate.epochMilliseconds,
    isAdHoc: row.once,
    isFirst: row.first,
  }));
}

function debitsOf({ banks }: World): Debit[] {
  return [...banks.values()].flatMap((bank) =>
    [...bank.all()].map(([paymentId, payment]) => ({
      bankId: bank.bankId,
      consentId: payment.bankConsentId,
      paymentId,
      pence: payment.amountPence,
      at: payment.at.epochMilliseconds,
      isKept: bank.isLive(payment),
    })),
  );
}

/** What moved at the issuer, and the wallets there, from its own books. */
export function movedOf({ issuer }: World): { moved: Moved[]; wallets: Wallet[] } {
  const moved = issuer.all().map((one): Moved => {
    const source = issuer.sourceOf(one.movementId);
    return {
      movementId: one.movementId,
      key: one.idempotencyKey,
      kind: one.kind,
      status: one.status,
      from: one.fromIssuerWalletId,
      to: one.toIssuerWalletId,
      pence: one.amountPence,
      createdAt: one.createdAt.epochMilliseconds,
      completedAt: (one.completedAt ?? one.createdAt).epochMilliseconds,
      account: (one.destination ?? one.payer)?.accountNumber ?? null,
      originalId: one.originalMovementId,
      paymentId: one.kind === 'payin' && source !== null ? paymentOf(source.endToEndId) : null,
    };
  });
  const wallets = [...issuer.wallets.values()].map(({ wallet }) => ({
    id: wallet.issuerWalletId,
    reference: wallet.externalReference,
    pence: wallet.balancePence,
  }));
  return { moved, wallets };
}

const paymentOf = (endToEndId: string): string => endToEndId.replace(/-a\d+$/, '');
