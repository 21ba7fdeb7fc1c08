import type { FastifyReply } from 'fastify';
import type { Visitor } from '../consents/begin-authorisation.ts';
import { sendOn } from './answers.ts';
import { declinePage, withdrawPage } from './pages/confirm.ts';
import { managePage } from './pages/manage.ts';
import { decline, findStanding, goToBank, readShown, withdraw } from './service.ts';
import {
  type Answered,
  inPhase,
  type PortalContext,
  sendHome,
  show,
  showOffer,
  showOutcome,
  showUnknown,
} from './show.ts';
import { readAgreement } from './views.ts';

/** The link as it stands: the question, the granted consent, or its outcome. */
export async function openLink(
  context: PortalContext,
  reply: FastifyReply,
  token: string,
): Answered {
  const standing = await findStanding(context.deps, token);
  if (standing === null) return showUnknown(context, reply);
  if (standing.phase === 'deciding') return showOffer(context, reply, standing);
  if (standing.phase !== 'granted') return showOutcome(context, reply, standing);
  const html = managePage(context.paths, standing, await readAgreement(context.deps, standing));
  return show(context, reply, { forms: 'here', html });
}

/** The closing page. */
export async function openOutcome(
  context: PortalContext,
  reply: FastifyReply,
  token: string,
): Answered {
  const standing = await findStanding(context.deps, token);
  return standing === null ? showUnknown(context, reply) : showOutcome(context, reply, standing);
}

/** What the customer chose, and the terms that they had before them; null: the form did not say. */
interface Chosen {
  bankId: string;
  termsVersion: number | null;
}

/** The customer chose a bank. */
export function leaveForBank(
  context: PortalContext,
  reply: FastifyReply,
  token: string,
  { bankId, termsVersion }: Chosen,
  visitor: Visitor,
): Answered {
  return inPhase(context, reply, token, 'deciding', async (standing) => {
    if (termsVersion === null)
      return showOffer(context, reply, standing, { about: 'unsaid', bankId });
    const departure = await goToBank(context.deps, standing, bankId, visitor, termsVersion);
    if (departure.to === 'bank') {
      context.journeys.leave(reply, departure.state);
      return sendOn(reply, departure.url);
    }
    if (departure.why === 'no such bank')
      return showOffer(context, reply, standing, { about: 'bank', bankId: null });
    if (departure.why === 'outage')
      return showOffer(context, reply, standing, { about: 'outage', bankId });
    if (departure.why === 'changed')
      return showChanged(context, reply, token, bankId, termsVersion);
    return sendOn(reply, context.paths.link(token));
  });
}

/** The terms are not those that the customer saw: the page comes again, and says what changed. */
function showChanged(
  context: PortalContext,
  reply: FastifyReply,
  token: string,
  bankId: string,
  version: number,
): Answered {
  return inPhase(context, reply, token, 'deciding', async (standing) => {
    const shown = await readShown(context.deps, standing, version);
    return showOffer(context, reply, standing, { about: 'changed', bankId, shown });
  });
}

/** Asks before a no is taken. */
export function askDecline(context: PortalContext, reply: FastifyReply, token: string): Answered {
  return inPhase(context, reply, token, 'deciding', (standing) =>
    show(context, reply, { forms: 'away', html: declinePage(context.paths, standing) }),
  );
}

/** Takes the no. */
export function takeDecline(context: PortalContext, reply: FastifyReply, token: string): Answered {
  return inPhase(context, reply, token, 'deciding', async (standing) =>
    sendHome(context, reply, await decline(context.deps, standing)),
  );
}

/** Asks before a permission is withdrawn. */
export function askWithdraw(context: PortalContext, reply: FastifyReply, token: string): Answered {
  return inPhase(context, reply, token, 'granted', async (standing) => {
    const { collecting } = await readAgreement(context.deps, standing);
    const covers = collecting.map(({ schedule }) => schedule.description);
    const html = withdrawPage(context.paths, standing, covers);
    return show(context, reply, { forms: 'here', html });
  });
}

/** Withdraws it. */
export function takeWithdrawal(
  context: PortalContext,
  reply: FastifyReply,
  token: string,
): Answered {
  return inPhase(context, reply, token, 'granted', async (standing) => {
    await withdraw(context.deps, standing);
    return sendOn(reply, context.paths.link(token, 'done'));
  });
}
