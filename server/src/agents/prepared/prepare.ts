import type { Tx } from '../../platform/db/db.ts';
import type { CallWithOwnTransactions } from '../../platform/http/calls/route.ts';
import { actorOf } from '../../platform/state/actor.ts';
import { ApiError } from '../../platform/values/errors.ts';
import { countAct } from '../acts/count-act.ts';
import { type ActInputs, type ActResult, aboutId } from '../acts/money-act.ts';
import { readGround } from '../acts/read-ground.ts';
import { besideEarlier, decisiveOf, PREPARED_FOR, type PreparedAct } from './act.ts';
import { type ActDeps, type Doing, doingOf, refuseKey } from './deps.ts';
import { checkedInputs, marksOf, sealInputs } from './inputs.ts';
import { insertAct, moveToReplaced, notePrepared } from './state-store.ts';
import { lockEarlier } from './store.ts';

/** What is to be prepared. */
export interface Wanted extends ActInputs {
  operation: string;
  purpose: string | null;
}

type Asking = CallWithOwnTransactions<unknown, unknown, unknown>;
type Tried = Pick<
  PreparedAct,
  'ground' | 'summary' | 'amountPence' | 'asksCustomer' | 'operation' | 'aboutId'
>;

/** Carries the result of a trial out of its transaction, which is rolled back by it. */
class TrialOver extends Error {
  readonly tried: Tried;

  constructor(tried: Tried) {
    super('a trial is over');
    this.tried = tried;
  }
}

/**
 * Prepares an act: does it in a transaction that is rolled back, so that what would be refused is refused now, and stores what it
 * would do. The same act is prepared once, however often it is asked for: docs/rules/agents.md#one-act. Throws what the act's own
 * endpoint throws, and 409 `act_done_already` where another act has fulfilled the purpose.
 */
export async function prepareAct(
  deps: ActDeps,
  asked: Asking,
  wanted: Wanted,
): Promise<PreparedAct> {
  const { vault, ids, db } = deps.platform;
  const { now, merchantId, actorId, agent = '' } = asked;
  const doing = doingOf(deps, wanted.operation);
  refuseKey(asked, doing.route);
  const inputs = checkedInputs(doing.route, wanted, now);
  const marks = marksOf(vault, merchantId, wanted.operation, inputs, wanted.purpose);
  const actor = actorOf(actorId, agent);
  const store = (tried: Tried | null) => (tx: Tx) =>
    storeAct(tx, now, wanted.purpose !== null, marks.content, {
      earlier: { merchantId, keyId: actorId, identity: marks.identity },
      make: () => {
        if (tried === null) return null;
        const actId = ids.next('act', now);
        return {
          ...tried,
          ...marks,
          merchantId,
          actId,
          keyId: actorId,
          agent,
          inputs: sealInputs(vault, { merchantId, actId }, inputs),
          status: 'prepared',
          objectId: null,
          decidedBy: null,
          createdAt: now,
          expiresAt: now.add(PREPARED_FOR),
          endedAt: null,
        };
      },
    });
  // An act that is prepared or done already is not tried: what it did may stand in its own way.
  const known = await db.forMerchant(merchantId, store(null), { actor });
  if (known !== null) return known;
  const tried = await tryOut(deps, asked, doing, inputs);
  const stored = await db.forMerchant(merchantId, store(tried), { actor });
  if (stored === null) throw new Error('an act was not stored');
  return stored;
}

/** What is stored beside earlier acts. */
interface Storing {
  earlier: Pick<PreparedAct, 'merchantId' | 'keyId' | 'identity'>;
  /** Makes the act; null: it was not tried yet, so nothing is stored. */
  make(): PreparedAct | null;
}

/** Returns the act that the wish already is, or stores another one; null: it is a new one, and was not tried yet. */
async function storeAct(
  tx: Tx,
  now: Temporal.Instant,
  hasPurpose: boolean,
  content: Buffer,
  { earlier: key, make }: Storing,
): Promise<PreparedAct | null> {
  const earlier = decisiveOf(await lockEarlier(tx, key));
  const verdict = besideEarlier(earlier, { content, hasPurpose, now });
  if (earlier !== null && verdict === 'same') return earlier;
  if (earlier !== null && verdict === 'done')
    throw new ApiError(
      'act_done_already',
      `Another act has fulfilled this purpose: ${earlier.actId}. Read it, and name another purpose if you mean something else.`,
      { act_id: earlier.actId, summary: earlier.summary },
    );
  const act = make();
  if (act === null) return null;
  if (earlier !== null && verdict === 'replace') await moveToReplaced(tx, now, earlier);
  await insertAct(tx, now, act);
  await notePrepared(tx, now, act);
  return act;
}

/** Does the act in a transaction that is rolled back. Throws what it throws. */
async function tryOut(
  { platform }: ActDeps,
  asked: Asking,
  { act, route }: Doing,
  inputs: ActInputs,
): Promise<Tried> {
  const { merchantId, actorId, agent } = asked;
  try {
    return await platform.db.forMerchant(
      merchantId,
      async (tx): Promise<never> => {
        const about = aboutId(act, inputs);
        const ground = await readGround(tx, merchantId, act, about);
        const result = (await route.handle({ ...asked, ...inputs, tx, query: {} })) as ActResult;
        throw new TrialOver({
          operation: route.operationId,
          aboutId: about,
          ground,
          summary: act.sentence(inputs, result),
          amountPence: await countAct(tx, merchantId, act, { inputs, result }),
          asksCustomer: act.asksCustomer(inputs, result),
        });
      },
      { actor: actorOf(actorId, agent) },
    );
  } catch (error) {
    if (error instanceof TrialOver) return error.tried;
    throw error;
  }
}
