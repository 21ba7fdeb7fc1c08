import type { FastifyReply } from 'fastify';
import { AuthorisationInvalid } from '../banks/bank.ts';
import { beginConfirmation, completeConfirmation, findConfirmation } from '../consents/confirm.ts';
import { sendOn } from './answers.ts';
import {
  confirmOutagePage,
  confirmOutcomePage,
  strangerConfirmPage,
} from './pages/confirm-again.ts';
import { PROBLEMS } from './pages/problem.ts';
import { canLeaveLater, isOutage, refreshed } from './service.ts';
import {
  type Answered,
  inPhase,
  type LinkHandler,
  type PortalContext,
  show,
  showUnknown,
} from './show.ts';
import type { ConsentPageState } from './standing.ts';

/** The way to the bank and back of a customer who confirms a granted consent: docs/rules/consents.md#renewed-authentication. */

/** Sends the customer to the bank. */
export const leaveToConfirm: LinkHandler = (context, reply, token) =>
  inPhase(context, reply, token, 'granted', async (standing) => {
    const { authorisation } = context.deps;
    try {
      const begun = await beginConfirmation(authorisation, standing.consent);
      if (begun === null) return sendOn(reply, context.paths.link(token));
      context.journeys.leave(reply, begun.state, 'answer');
      return sendOn(reply, begun.url);
    } catch (error) {
      if (!canLeaveLater(error)) throw error;
      const bank_id = standing.consent.bankId ?? '';
      authorisation.platform.log.report('portal.bank_unavailable', { bank_id, err: error });
      return show(context, reply, {
        status: 503,
        forms: 'away',
        html: confirmOutagePage(context.paths, standing, null),
      });
    }
  });

/** Returns the consent that a customer left to confirm with this state; null: none. */
export async function findToConfirm(
  { deps }: PortalContext,
  state: string,
): Promise<ConsentPageState | null> {
  const consent = await findConfirmation(deps.authorisation, state);
  return consent === null ? null : refreshed(deps, consent);
}

/** Handles the bank's response. `isOwn`: in the browser that left for the bank; others see no link. */
export async function handleConfirmation(
  context: PortalContext,
  reply: FastifyReply,
  state: string,
  answer: string,
  isOwn: boolean,
): Answered {
  const { authorisation } = context.deps;
  try {
    const confirmed = await completeConfirmation(authorisation, state, answer);
    if (confirmed.outcome === 'unknown') return showUnknown(context, reply, PROBLEMS.unanswered);
    const standing = await refreshed(context.deps, confirmed.consent);
    const html = confirmOutcomePage(context.paths, standing, confirmed.outcome, isOwn);
    return show(context, reply, { html });
  } catch (error) {
    const isInvalid = error instanceof AuthorisationInvalid;
    if (!isInvalid && !isOutage(error)) throw error;
    authorisation.platform.log.report('portal.return_failed', { err: error });
    const standing = await findToConfirm(context, state);
    if (isInvalid || standing === null || !isOwn)
      return showUnknown(context, reply, PROBLEMS.notConfirmed);
    const html = confirmOutagePage(context.paths, standing, answer);
    return show(context, reply, { status: 503, forms: 'away', html });
  }
}

/** Asks a browser that did not leave for the bank whether its customer started this. */
export function askToConfirm(
  context: PortalContext,
  reply: FastifyReply,
  standing: ConsentPageState,
  sealed: string,
): FastifyReply {
  const html = strangerConfirmPage(context.paths, standing, sealed);
  return show(context, reply, { forms: 'here', html });
}
