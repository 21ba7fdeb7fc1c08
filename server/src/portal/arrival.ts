import type { FastifyReply, FastifyRequest } from 'fastify';
import { dropAuthorisation } from '../consents/drop.ts';
import { field } from './answers.ts';
import { askToConfirm, findToConfirm, handleConfirmation } from './confirm.ts';
import { invalidAnswerPage, lateOutagePage, PROBLEMS } from './pages/problem.ts';
import { droppedPage, strangerOutcomePage, strangerPage } from './pages/stranger.ts';
import { findAtBank, findLeft, handleBankResponse } from './service.ts';
import {
  type Answered,
  type PortalContext,
  redirectToMerchant,
  show,
  showOffer,
  showUnknown,
} from './show.ts';
import { readOffer } from './views.ts';

const stateOf = (answer: string): string => new URLSearchParams(answer).get('state') ?? '';

/** Handles a customer's return from the bank, or their answer on whether they started the journey. */
export function arriveFromBank(
  context: PortalContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Answered {
  const pending = field(request.body, 'pending');
  if (pending !== '') return handleStrangerAnswer(context, request, reply, pending);
  const answer = field(request.body, 'fragment');
  return context.journeys.isOwn(request, stateOf(answer))
    ? handleOwnReturn(context, reply, answer)
    : askStranger(context, reply, answer, false);
}

/** Handles the bank's response in the browser that left for the bank. */
async function handleOwnReturn(
  context: PortalContext,
  reply: FastifyReply,
  answer: string,
): Answered {
  const arrival = await handleBankResponse(context.deps, answer);
  if (arrival.outcome === 'unknown') {
    const state = stateOf(answer);
    const left = await findLeft(context.deps, state);
    if (left === null) return handleConfirmation(context, reply, state, answer, true);
    return showOffer(context, reply, left.standing, {
      about: 'changed',
      bankId: null,
      shown: left.terms,
      wasAtBank: true,
    });
  }
  const { outcome, standing } = arrival;
  if (outcome === 'outage') {
    const html = lateOutagePage(context.paths, standing, answer);
    return show(context, reply, { status: 503, forms: 'away', html });
  }
  if (outcome === 'done') return redirectToMerchant(context, reply, standing);
  return show(context, reply, { status: 400, html: invalidAnswerPage(context.paths, standing) });
}

/** Handles the bank's response in a different browser: asks whether the customer started this, before calling the bank. */
async function askStranger(
  context: PortalContext,
  reply: FastifyReply,
  answer: string,
  isAgain: boolean,
): Answered {
  const state = stateOf(answer);
  const standing = await findAtBank(context.deps, state);
  if (standing === null) {
    const left = await findLeft(context.deps, state);
    if (left !== null) return showUnknown(context, reply, PROBLEMS.changed);
    const confirming = await findToConfirm(context, state);
    if (confirming === null) return showUnknown(context, reply, PROBLEMS.unanswered);
    return askToConfirm(context, reply, confirming, context.journeys.hold(reply, state, answer));
  }
  const isOpen = standing.phase === 'deciding';
  const offer = isOpen ? await readOffer(context.deps, standing, standing.consent.bankId) : null;
  if (offer === null)
    return show(context, reply, { html: strangerOutcomePage(context.paths, standing) });
  const sealed = context.journeys.hold(reply, state, answer);
  const bankName =
    offer.banks.find(({ bankId }) => bankId === standing.consent.bankId)?.name ?? 'your bank';
  const html = strangerPage(context.paths, standing, offer, bankName, { sealed, isAgain });
  return show(context, reply, { status: isAgain ? 503 : 200, forms: 'away', html });
}

/** Handles the customer's answer on whether they started this. */
async function handleStrangerAnswer(
  context: PortalContext,
  request: FastifyRequest,
  reply: FastifyReply,
  pending: string,
): Answered {
  const held = context.journeys.held(request, pending);
  if (held === null) return showUnknown(context, reply, PROBLEMS.unanswered);
  const state = stateOf(held.answer);
  const said = field(request.body, 'started');
  if (said === 'no') return dropUnrequested(context, reply, state);
  if (said !== 'yes') return askStranger(context, reply, held.answer, false);
  const before = await findAtBank(context.deps, state);
  if (held.isLate || before?.phase === 'expired') {
    context.journeys.end(reply, state);
    return showUnknown(context, reply, PROBLEMS.late);
  }
  if (before === null && (await findToConfirm(context, state)) !== null) {
    context.journeys.end(reply, state);
    return handleConfirmation(context, reply, state, held.answer, false);
  }
  const arrival = await handleBankResponse(context.deps, held.answer);
  if (arrival.outcome === 'unknown') return askStranger(context, reply, held.answer, false);
  const { outcome, standing } = arrival;
  if (outcome === 'outage') return askStranger(context, reply, held.answer, true);
  context.journeys.end(reply, state);
  if (outcome === 'invalid') return showUnknown(context, reply, PROBLEMS.notHeld);
  if (standing.merchant.returnUrl !== null && !['deciding', 'finishing'].includes(standing.phase))
    return redirectToMerchant(context, reply, standing);
  return show(context, reply, { html: strangerOutcomePage(context.paths, standing) });
}

async function dropUnrequested(
  context: PortalContext,
  reply: FastifyReply,
  state: string,
): Answered {
  const standing = await findAtBank(context.deps, state);
  context.journeys.end(reply, state);
  if (standing === null) {
    const isConfirming = (await findToConfirm(context, state)) !== null;
    return showUnknown(context, reply, isConfirming ? PROBLEMS.notConfirmed : PROBLEMS.unanswered);
  }
  const isDropped = await dropAuthorisation(context.deps.authorisation, standing.consent);
  const page = isDropped ? droppedPage : strangerOutcomePage;
  return show(context, reply, { html: page(context.paths, standing) });
}
