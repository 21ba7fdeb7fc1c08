import { claim, earliestDue } from '../platform/claim.ts';
import type { Stage } from '../platform/engine.ts';
import { mapInParallel } from '../platform/lanes.ts';
import type { Issuer, Movement } from '../wallets/issuer.ts';
import {
  destinationOfRow,
  openSettlement,
  recordAsked,
  recordPayOut,
  type SettlementDeps,
} from './service.ts';
import { payOutKey, statementReference } from './settlement.ts';
import {
  CLAIMED_COLUMNS,
  findMerchantsDue,
  nextSettlementDue,
  type SettlementRow,
} from './store.ts';

const LEASE_MS = 60_000;
const WIDTH = 16;

/** Merchants with money due out: one settlement per merchant and day. */
export function openSettlementsStage(deps: SettlementDeps): Stage {
  return {
    name: 'settlements.open',
    batch: 50,
    nextDue: nextSettlementDue,
    run: (now, limit) =>
      deps.platform.db.transaction(async (tx) => {
        const merchants = await findMerchantsDue(tx, now, limit);
        for (const merchantId of merchants) await openSettlement(deps, tx, now, merchantId);
        return merchants.length;
      }),
  };
}

/** Settlements to be paid out: the issuer is ordered to, under a key of our own. */
export function payStage(deps: SettlementDeps, issuer: Issuer): Stage {
  return askingStage(deps, 'pay', async (row) => {
    const wallet = await deps.platform.db.read((tx) => deps.merchantWallet(tx, row.merchant_id));
    if (wallet.issuerWalletId === null) throw new Error("the merchant's wallet is not open yet");
    return issuer.payOut({
      idempotencyKey: payOutKey(row.settlement_id, row.attempts),
      fromIssuerWalletId: wallet.issuerWalletId,
      destination: destinationOfRow(deps.platform, row),
      amountPence: row.amount_pence,
      reference: statementReference(row.settlement_id),
    });
  });
}

/** Settlements that the issuer is paying out: asks until it is done; a notification makes this due now. */
export function trackSettlementsStage(deps: SettlementDeps, issuer: Issuer): Stage {
  return askingStage(deps, 'track', (row) => issuer.readMovement(row.issuer_movement_id ?? ''));
}

function askingStage(
  deps: SettlementDeps,
  stage: 'pay' | 'track',
  ask: (row: SettlementRow) => Promise<Movement>,
): Stage {
  const { platform } = deps;
  return {
    name: `settlements.${stage}`,
    batch: 50,
    nextDue: (tx) => earliestDue(tx, 'settlements', `stage = '${stage}'`),
    async run(now, limit) {
      const rows = await platform.db.transaction((tx) =>
        claim<SettlementRow>(tx, now, LEASE_MS, limit, {
          table: 'settlements',
          key: ['merchant_id', 'settlement_id'],
          where: `t.stage = '${stage}'`,
          set: 'polls = t.polls + 1',
          returning: CLAIMED_COLUMNS,
        }),
      );
      await mapInParallel(rows, WIDTH, async (row) => {
        const movement = await askOrNull(deps, row, ask);
        await platform.db.transaction(async (tx) => {
          const at = platform.clock.now();
          if (movement === null || movement.status === 'pending')
            await recordAsked(tx, at, row, movement?.movementId ?? null);
          else await recordPayOut(deps, tx, at, row, movement);
        });
      });
      return rows.length;
    },
  };
}

/** Null: it is not known what became of the pay-out; the issuer is asked again under the same key. */
async function askOrNull(
  deps: SettlementDeps,
  row: SettlementRow,
  ask: (row: SettlementRow) => Promise<Movement>,
): Promise<Movement | null> {
  try {
    return await ask(row);
  } catch (error) {
    const name = { settlement_id: row.settlement_id, err: error };
    deps.platform.log.warn(name, 'the issuer did not tell of a pay-out, it is asked again');
    return null;
  }
}
