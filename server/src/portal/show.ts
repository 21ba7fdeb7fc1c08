import type { FastifyReply } from 'fastify';
import { type PageToSend, sendOn, sendPage } from './answers.ts';
import type { Journeys } from './journey.ts';
import { consentPage } from './pages/consent.ts';
import type { Complaint } from './pages/decision.ts';
import { outcomePage } from './pages/outcome.ts';
import { PROBLEMS, type Problem, problemPage } from './pages/problem.ts';
import { type Paths, returnAddress } from './paths.ts';
import { findConsentPage, type PortalDeps } from './service.ts';
import type { ConsentPageState, Phase } from './standing.ts';
import { readOffer } from './views.ts';

/** The context of every portal response. */
export interface PortalContext {
  deps: PortalDeps;
  paths: Paths;
  journeys: Journeys;
}

export type Answered = Promise<FastifyReply>;

/** Handles a request for a link. */
export type LinkHandler = (context: PortalContext, reply: FastifyReply, token: string) => Answered;

/** Sends a page. */
export function show({ deps }: PortalContext, reply: FastifyReply, page: PageToSend): FastifyReply {
  return sendPage(reply, deps.authorisation.platform.config, page);
}

/** Shows that a link leads nowhere, and nothing else. */
export function showUnknown(
  context: PortalContext,
  reply: FastifyReply,
  problem: Problem = PROBLEMS.unknown,
): FastifyReply {
  return show(context, reply, { status: 404, html: problemPage(context.paths, problem) });
}

/** Links that no longer work respond 410 Gone; the others show a page. */
const STATUS: Partial<Record<Phase, number>> = { expired: 410, dropped: 410 };

/** Shows the status if nothing is left to decide. */
export function showOutcome(
  context: PortalContext,
  reply: FastifyReply,
  standing: ConsentPageState,
): FastifyReply {
  const status = STATUS[standing.phase] ?? 200;
  const script = standing.phase === 'finishing' ? 'follow' : undefined;
  return show(context, reply, { status, html: outcomePage(context.paths, standing), script });
}

const COMPLAINT_STATUS: Readonly<Record<Complaint['about'], number>> = {
  bank: 400,
  outage: 503,
  wider: 409,
  changed: 409,
  unsaid: 409,
  limits: 400,
};

/** Shows the request to the customer, with what went wrong on the last try. */
export async function showOffer(
  context: PortalContext,
  reply: FastifyReply,
  standing: ConsentPageState,
  complaint: Complaint | null = null,
): Answered {
  const limitsOf = complaint?.about === 'wider' ? complaint.bankId : null;
  const offer = await readOffer(context.deps, standing, limitsOf);
  if (offer === null) return showOutcome(context, reply, { ...standing, phase: 'expired' });
  const status = complaint === null ? 200 : COMPLAINT_STATUS[complaint.about];
  const html = consentPage(context.paths, standing, offer, complaint);
  return show(context, reply, { status, forms: 'away', html, script: 'follow' });
}

/** Redirects the customer to the merchant, or to a closing page: docs/rules/consents.md#back-to-the-merchant. */
export function redirectToMerchant(
  { paths }: PortalContext,
  reply: FastifyReply,
  standing: ConsentPageState,
): FastifyReply {
  const { token, phase, merchant, schedule } = standing;
  const isOpen = phase === 'deciding' || phase === 'finishing';
  if (merchant.returnUrl === null || isOpen) return sendOn(reply, paths.link(token, 'done'));
  return sendOn(reply, returnAddress(merchant.returnUrl, schedule.scheduleId, schedule.status));
}

/** Continues if the link is in this phase; otherwise redirects to the link, which shows its status. */
export async function inPhase(
  context: PortalContext,
  reply: FastifyReply,
  token: string,
  phase: Phase,
  goOn: (standing: ConsentPageState) => FastifyReply | Answered,
): Answered {
  const standing = await findConsentPage(context.deps, token);
  if (standing === null) return showUnknown(context, reply);
  return standing.phase === phase ? goOn(standing) : sendOn(reply, context.paths.link(token));
}
