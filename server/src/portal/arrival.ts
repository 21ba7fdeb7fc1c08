import type { FastifyReply, FastifyRequest } from 'fastify';
import { dropAuthorisation } from '../consents/drop.ts';
import { field } from './answers.ts';
import { type Answered, type Desk, sendHome, show, showOffer, showUnknown } from './desk.ts';
import { invalidAnswerPage, lateOutagePage, PROBLEMS } from './pages/problem.ts';
import { droppedPage, strangerOutcomePage, strangerPage } from './pages/stranger.ts';
import { findAway, findLeft, takeAnswer } from './service.ts';
import { readOffer } from './views.ts';

const stateOf = (answer: string): string => new URLSearchParams(answer).get('state') ?? '';

/** The customer is back from the bank, or has said whether it was they who went there. */
export function arriveFromBank(desk: Desk, request: FastifyRequest, reply: FastifyReply): Answered {
  const pending = field(request.body, 'pending');
  if (pending !== '') return hearStranger(desk, request, reply, pending);
  const answer = field(request.body, 'fragment');
  return desk.journeys.isOwn(request, stateOf(answer))
    ? takeOwn(desk, reply, answer)
    : askStranger(desk, reply, answer, false);
}

/** The browser that left brings the answer. */
async function takeOwn(desk: Desk, reply: FastifyReply, answer: string): Answered {
  const arrival = await takeAnswer(desk.deps, answer);
  if (arrival.outcome === 'unknown') {
    const left = await findLeft(desk.deps, stateOf(answer));
    if (left === null) return showUnknown(desk, reply, PROBLEMS.unanswered);
    return showOffer(desk, reply, left.standing, {
      about: 'changed',
      bankId: null,
      shown: left.terms,
      wasAtBank: true,
    });
  }
  const { outcome, standing } = arrival;
  if (outcome === 'outage') {
    const html = lateOutagePage(desk.paths, standing, answer);
    return show(desk, reply, { status: 503, forms: 'away', html });
  }
  if (outcome === 'done') return sendHome(desk, reply, standing);
  return show(desk, reply, { status: 400, html: invalidAnswerPage(desk.paths, standing) });
}

/** Another browser brings it: nothing is asked of the bank before they have said that it was they who started it. */
async function askStranger(
  desk: Desk,
  reply: FastifyReply,
  answer: string,
  isAgain: boolean,
): Answered {
  const state = stateOf(answer);
  const standing = await findAway(desk.deps, state);
  if (standing === null) {
    const left = await findLeft(desk.deps, state);
    return showUnknown(desk, reply, left === null ? PROBLEMS.unanswered : PROBLEMS.changed);
  }
  const offer = standing.phase === 'deciding' ? await readOffer(desk.deps, standing) : null;
  if (offer === null) return show(desk, reply, { html: strangerOutcomePage(desk.paths, standing) });
  const sealed = desk.journeys.hold(reply, state, answer);
  const bankName =
    offer.banks.find(({ bankId }) => bankId === standing.consent.bank_id)?.name ?? 'your bank';
  const html = strangerPage(desk.paths, standing, offer, bankName, { sealed, isAgain });
  return show(desk, reply, { status: isAgain ? 503 : 200, forms: 'away', html });
}

/** They have said whether it was they. */
async function hearStranger(
  desk: Desk,
  request: FastifyRequest,
  reply: FastifyReply,
  pending: string,
): Answered {
  const held = desk.journeys.held(request, pending);
  if (held === null) return showUnknown(desk, reply, PROBLEMS.unanswered);
  const state = stateOf(held.answer);
  const said = field(request.body, 'started');
  if (said === 'no') return dropAsTold(desk, reply, state);
  if (said !== 'yes') return askStranger(desk, reply, held.answer, false);
  const before = await findAway(desk.deps, state);
  if (held.isLate || before?.phase === 'expired') {
    desk.journeys.end(reply, state);
    return showUnknown(desk, reply, PROBLEMS.late);
  }
  const arrival = await takeAnswer(desk.deps, held.answer);
  if (arrival.outcome === 'unknown') return askStranger(desk, reply, held.answer, false);
  const { outcome, standing } = arrival;
  if (outcome === 'outage') return askStranger(desk, reply, held.answer, true);
  desk.journeys.end(reply, state);
  if (outcome === 'invalid') return showUnknown(desk, reply, PROBLEMS.notHeld);
  if (standing.merchant.returnUrl !== null && !['deciding', 'finishing'].includes(standing.phase))
    return sendHome(desk, reply, standing);
  return show(desk, reply, { html: strangerOutcomePage(desk.paths, standing) });
}

async function dropAsTold(desk: Desk, reply: FastifyReply, state: string): Answered {
  const standing = await findAway(desk.deps, state);
  desk.journeys.end(reply, state);
  if (standing === null) return showUnknown(desk, reply, PROBLEMS.unanswered);
  const isDropped = await dropAuthorisation(desk.deps.authorisation, standing.consent);
  const page = isDropped ? droppedPage : strangerOutcomePage;
  return show(desk, reply, { html: page(desk.paths, standing) });
}
