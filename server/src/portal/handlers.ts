import type { FastifyReply } from 'fastify';
import type { Visitor } from '../consents/begin-authorisation.ts';
import { sendOn } from './answers.ts';
import {
  type Answered,
  type Desk,
  inPhase,
  sendHome,
  show,
  showOffer,
  showOutcome,
  showUnknown,
} from './desk.ts';
import { declinePage, withdrawPage } from './pages/confirm.ts';
import { managePage } from './pages/manage.ts';
import { decline, findStanding, goToBank, readShown, withdraw } from './service.ts';
import { readAgreement } from './views.ts';

/** The link as it stands: the question, the granted consent, or its outcome. */
export async function openLink(desk: Desk, reply: FastifyReply, token: string): Answered {
  const standing = await findStanding(desk.deps, token);
  if (standing === null) return showUnknown(desk, reply);
  if (standing.phase === 'deciding') return showOffer(desk, reply, standing);
  if (standing.phase !== 'granted') return showOutcome(desk, reply, standing);
  const html = managePage(desk.paths, standing, await readAgreement(desk.deps, standing));
  return show(desk, reply, { forms: 'here', html });
}

/** The closing page. */
export async function openOutcome(desk: Desk, reply: FastifyReply, token: string): Answered {
  const standing = await findStanding(desk.deps, token);
  return standing === null ? showUnknown(desk, reply) : showOutcome(desk, reply, standing);
}

/** What the customer chose, and the terms that they had before them; null: the form did not say. */
interface Chosen {
  bankId: string;
  termsVersion: number | null;
}

/** The customer chose a bank. */
export function leaveForBank(
  desk: Desk,
  reply: FastifyReply,
  token: string,
  { bankId, termsVersion }: Chosen,
  visitor: Visitor,
): Answered {
  return inPhase(desk, reply, token, 'deciding', async (standing) => {
    if (termsVersion === null) return showOffer(desk, reply, standing, { about: 'unsaid', bankId });
    const departure = await goToBank(desk.deps, standing, bankId, visitor, termsVersion);
    if (departure.to === 'bank') {
      desk.journeys.leave(reply, departure.state);
      return sendOn(reply, departure.url);
    }
    if (departure.why === 'no such bank')
      return showOffer(desk, reply, standing, { about: 'bank', bankId: null });
    if (departure.why === 'outage')
      return showOffer(desk, reply, standing, { about: 'outage', bankId });
    if (departure.why === 'changed') return showChanged(desk, reply, token, bankId, termsVersion);
    return sendOn(reply, desk.paths.link(token));
  });
}

/** The terms are not those that the customer saw: the page comes again, and says what changed. */
function showChanged(
  desk: Desk,
  reply: FastifyReply,
  token: string,
  bankId: string,
  version: number,
): Answered {
  return inPhase(desk, reply, token, 'deciding', async (standing) => {
    const shown = await readShown(desk.deps, standing, version);
    return showOffer(desk, reply, standing, { about: 'changed', bankId, shown });
  });
}

/** Asks before a no is taken. */
export function askDecline(desk: Desk, reply: FastifyReply, token: string): Answered {
  return inPhase(desk, reply, token, 'deciding', (standing) =>
    show(desk, reply, { forms: 'away', html: declinePage(desk.paths, standing) }),
  );
}

/** Takes the no. */
export function takeDecline(desk: Desk, reply: FastifyReply, token: string): Answered {
  return inPhase(desk, reply, token, 'deciding', async (standing) =>
    sendHome(desk, reply, await decline(desk.deps, standing)),
  );
}

/** Asks before a permission is withdrawn. */
export function askWithdraw(desk: Desk, reply: FastifyReply, token: string): Answered {
  return inPhase(desk, reply, token, 'granted', async (standing) => {
    const { collecting } = await readAgreement(desk.deps, standing);
    const covers = collecting.map(({ schedule }) => schedule.description);
    const html = withdrawPage(desk.paths, standing, covers);
    return show(desk, reply, { forms: 'here', html });
  });
}

/** Withdraws it. */
export function takeWithdrawal(desk: Desk, reply: FastifyReply, token: string): Answered {
  return inPhase(desk, reply, token, 'granted', async (standing) => {
    await withdraw(desk.deps, standing);
    return sendOn(reply, desk.paths.link(token, 'done'));
  });
}
