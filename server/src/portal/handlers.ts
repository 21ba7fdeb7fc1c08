import type { FastifyReply } from 'fastify';
import type { Visitor } from '../consents/begin-authorisation.ts';
import { agreementFile } from './agreement-paper.ts';
import { readAllPayments } from './all-payments.ts';
import { sendOn } from './answers.ts';
import { allPaymentsPage } from './pages/all-payments.ts';
import { declinePage, withdrawPage } from './pages/confirm.ts';
import { managePage } from './pages/manage.ts';
import {
  decline,
  findConsentPage,
  findProgress,
  openAnotherAccount,
  readTermsVersion,
  startAuthorisation,
  withdraw,
} from './service.ts';
import {
  type Answered,
  inPhase,
  type LinkHandler,
  type PortalContext,
  redirectToMerchant,
  show,
  showOffer,
  showOutcome,
  showUnknown,
} from './show.ts';
import { readAgreement } from './views.ts';

/** Shows what a link is for now: the request for consent, the granted consent, or its outcome. */
export const openLink: LinkHandler = async (context, reply, token) => {
  const standing = await findConsentPage(context.deps, token);
  if (standing === null) return showUnknown(context, reply);
  if (standing.phase === 'deciding') return showOffer(context, reply, standing);
  if (standing.phase !== 'granted') return showOutcome(context, reply, standing);
  const agreement = await readAgreement(context.deps, standing);
  const forms = agreement.notice?.kind === 'reauthentication_needed' ? 'away' : 'here';
  return show(context, reply, { forms, html: managePage(context.paths, standing, agreement) });
};

/**
 * Shows the closing page. `shown`: the version of the terms on the page that followed the link here, if one did. A request that
 * is still open on other terms is shown again, with what changed.
 */
export async function openOutcome(
  context: PortalContext,
  reply: FastifyReply,
  token: string,
  shown: number | null,
): Answered {
  const standing = await findConsentPage(context.deps, token);
  if (standing === null) return showUnknown(context, reply);
  const { phase, consent } = standing;
  if (phase === 'deciding' && shown !== null && shown !== consent.termsVersion)
    return showChanged(context, reply, token, null, shown);
  return showOutcome(context, reply, standing);
}

/** Sends how far a link has come, to a page that follows it. */
export const sendProgress: LinkHandler = async ({ deps }, reply, token) => {
  const found = await findProgress(deps, token);
  return reply
    .code(found === null ? 404 : 200)
    .header('cache-control', 'no-store')
    .send({ progress: found });
};

/** The chosen bank, and the version of the terms on the page; null: the form did not include it. */
interface Chosen {
  bankId: string;
  termsVersion: number | null;
  /** The bank whose own limits were on the page, if any. */
  limitsOf: string | null;
}

/** Shows everything that the customer has agreed to. Only a granted link does: others may not have reached the customer yet. */
export const openAllPayments: LinkHandler = (context, reply, token) =>
  inPhase(context, reply, token, 'granted', async (standing) => {
    const all = await readAllPayments(context.deps, standing);
    return show(context, reply, { html: allPaymentsPage(context.paths, standing, all) });
  });

/** Handles the choice of a bank. */
export function leaveForBank(
  context: PortalContext,
  reply: FastifyReply,
  token: string,
  { bankId, termsVersion, limitsOf }: Chosen,
  visitor: Visitor,
): Answered {
  return inPhase(context, reply, token, 'deciding', async (standing) => {
    if (termsVersion === null)
      return showOffer(context, reply, standing, { about: 'unsaid', bankId });
    const departure = await startAuthorisation(context.deps, standing, bankId, visitor, {
      termsVersion,
      limitsOf,
    });
    if (departure.to === 'bank') {
      context.journeys.leave(reply, departure.state, departure.returns);
      return sendOn(reply, departure.url);
    }
    if (departure.why === 'no such bank')
      return showOffer(context, reply, standing, { about: 'bank', bankId: null });
    if (departure.why === 'outage' || departure.why === 'wider')
      return showOffer(context, reply, standing, { about: departure.why, bankId });
    if (departure.why === 'changed')
      return showChanged(context, reply, token, bankId, termsVersion);
    return sendOn(reply, context.paths.link(token));
  });
}

/** Shows the request again with what changed: the terms are not those that the customer saw. */
export function showChanged(
  context: PortalContext,
  reply: FastifyReply,
  token: string,
  bankId: string | null,
  version: number,
): Answered {
  return inPhase(context, reply, token, 'deciding', async (standing) => {
    const shown = await readTermsVersion(context.deps, standing, version);
    const wasAtBank = standing.consent.leftTermsVersion === version;
    return showOffer(context, reply, standing, { about: 'changed', bankId, shown, wasAtBank });
  });
}

/** Sends what the customer agreed to as PDF, also when it has ended. */
export async function sendAgreement(
  context: PortalContext,
  reply: FastifyReply,
  token: string,
): Answered {
  const standing = await findConsentPage(context.deps, token);
  if (standing === null) return showUnknown(context, reply);
  if (standing.phase !== 'granted' && standing.phase !== 'ended')
    return sendOn(reply, context.paths.link(token));
  const { platform, banks } = context.deps.authorisation;
  const { merchantId, consentId } = standing.consent;
  const bankName = (bankId: string): string => banks.get(bankId)?.name ?? 'your bank';
  const file = await platform.db.read((tx) =>
    agreementFile({ platform, bankName }, { tx, now: platform.clock.now(), merchantId }, consentId),
  );
  return reply
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${file.name}"`)
    .type('application/pdf')
    .send(file.bytes);
}

/** Asks for confirmation before declining. */
export const askDecline: LinkHandler = (context, reply, token) =>
  inPhase(context, reply, token, 'deciding', (standing) =>
    show(context, reply, { forms: 'away', html: declinePage(context.paths, standing) }),
  );

/** Declines. */
export const handleDecline: LinkHandler = (context, reply, token) =>
  inPhase(context, reply, token, 'deciding', async (standing) =>
    redirectToMerchant(context, reply, await decline(context.deps, standing)),
  );

/** Sends the customer of a granted consent to the link at which they choose another account. */
export function leaveForAnotherAccount(
  context: PortalContext,
  reply: FastifyReply,
  token: string,
  scheduleId: string,
): Answered {
  return inPhase(context, reply, token, 'granted', async (standing) => {
    const url = await openAnotherAccount(context.deps, standing, scheduleId);
    return sendOn(reply, url ?? context.paths.link(token));
  });
}

/** Asks for confirmation before withdrawing a permission. */
export const askWithdraw: LinkHandler = (context, reply, token) =>
  inPhase(context, reply, token, 'granted', async (standing) => {
    const { collecting } = await readAgreement(context.deps, standing);
    const covers = collecting.map(({ schedule }) => schedule.description);
    const html = withdrawPage(context.paths, standing, covers);
    return show(context, reply, { forms: 'here', html });
  });

/** Withdraws the permission. */
export const handleWithdrawal: LinkHandler = (context, reply, token) =>
  inPhase(context, reply, token, 'granted', async (standing) => {
    await withdraw(context.deps, standing);
    return sendOn(reply, context.paths.link(token, 'done'));
  });
