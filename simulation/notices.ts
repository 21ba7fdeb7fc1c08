import type { Db } from '../server/src/platform/db/db.ts';
import { type Notification, receiveNotifications } from '../server/src/platform/inbox.ts';
import type { Movement } from '../server/src/wallets/issuer.ts';
import { ISSUER_SOURCE, type StoredNotice } from '../server/src/wallets/routes.ts';
import type { Agenda } from './agenda.ts';
import type { SimulatedIssuer } from './issuer.ts';
import type { Troubles } from './troubles.ts';

const LONGEST_DELAY_MINUTES = 45;
/** How often a notice cannot be acted on when it comes, and is left to the stage. */
const LEFT_TO_THE_STAGE = 0.3;
const REVERSED = { code: 'taken_back', message: 'Taken back' };

type Notify = (source: string, id: string, body: object) => void;

/** What a notice goes through on its way. */
interface NotifierDeps {
  db: Pick<Db, 'transaction'>;
  clock: { at: Temporal.Instant };
  troubles: Troubles;
  agenda: Agenda;
  /** Gives a notice to the process that answers; false: it died over it. */
  receive(notice: Notification): Promise<boolean>;
}

/** Notices come late, twice, in another order, or not at all; one that is not acknowledged comes again. */
export function makeNotifier({ db, clock, troubles, agenda, receive }: NotifierDeps): Notify {
  const { chance } = troubles;
  const send = async (notice: Notification, time: number): Promise<void> => {
    const { source, notificationId } = notice;
    if (chance.happens(LEFT_TO_THE_STAGE, source, notificationId, time, 'left'))
      await db.transaction((tx) => receiveNotifications(tx, clock.at, [notice]));
    else if (!(await receive(notice)))
      agenda.add(clock.at.add({ minutes: 1 }), `notice ${notificationId} ${time} again`, () =>
        send(notice, time),
      );
  };
  return (source, id, body) => {
    const notificationId = `${id}-${troubles.countOf(source, id)}`;
    const about = [source, notificationId] as const;
    // Money that was taken back nobody else tells of: its notice is repeated until it has arrived.
    const mayBeLost = !('originalMovementId' in body);
    if (mayBeLost && troubles.strikes('noticeLost', ...about)) return;
    const times = troubles.strikes('noticeRepeated', ...about) ? 3 : 1;
    for (let time = 0; time < times; time++) {
      const isPrompt = chance.happens(0.5, ...about, time, 'prompt');
      const minutes = isPrompt ? 0 : chance.whole(1, LONGEST_DELAY_MINUTES, ...about, time);
      const again = time === 2 ? `${notificationId}-again` : notificationId;
      const notice = { source, notificationId: again, body: JSON.stringify(body) };
      agenda.add(clock.at.add({ minutes }), `notice ${again} ${time}`, () => send(notice, time));
    }
  };
}

export function notifyOfMoney(issuer: SimulatedIssuer, notify: Notify): void {
  const tell = (id: string, notice: StoredNotice): void => notify(ISSUER_SOURCE, id, notice);
  issuer.onPayIn = (wallet, movement) => {
    if (issuer.ways.namelessPayIns) movement.endToEndId = null;
    tell(movement.movementId, payInOf(wallet.externalReference, movement));
  };
  issuer.onMovement = (externalReference, { movementId, reference }) =>
    tell(movementId, { kind: 'movement', externalReference, movementId, reference });
  issuer.onTakenBack = ({ externalReference }, kind, back) =>
    tell(back.movementId, reversalOf(externalReference, kind, back));
  issuer.tellAgain = (movement) => {
    const { kind, toIssuerWalletId, originalMovementId } = movement;
    const recalled = issuer.all().find((one) => one.movementId === originalMovementId);
    const walletId = kind === 'payin_recall' ? recalled?.toIssuerWalletId : toIssuerWalletId;
    const reference = issuer.wallets.get(walletId ?? '')?.wallet.externalReference ?? '';
    if (kind === 'payin') tell(movement.movementId, payInOf(reference, movement));
    else
      tell(
        movement.movementId,
        reversalOf(reference, kind === 'payin_recall' ? 'recalled' : 'returned', movement),
      );
  };
}

function payInOf(externalReference: string, movement: Movement): StoredNotice {
  const { movementId, amountPence, endToEndId, createdAt } = movement;
  const at = createdAt.toString();
  return { kind: 'payin', externalReference, movementId, endToEndId, amountPence, at, payer: null };
}

function reversalOf(
  externalReference: string,
  kind: 'returned' | 'recalled',
  { movementId, amountPence, originalMovementId }: Movement,
): StoredNotice {
  if (originalMovementId === null) throw new Error('money of nothing came back');
  const what = { movementId, originalMovementId, amountPence, reason: REVERSED };
  return { kind, externalReference, ...what };
}
