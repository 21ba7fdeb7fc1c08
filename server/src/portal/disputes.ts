import {
  DISPUTE_REASONS,
  type DisputeReason,
  disputableSince,
  shownToCustomer,
} from '../disputes/dispute.ts';
import { openDispute, withdrawDispute } from '../disputes/service.ts';
import { findDisputable, findDisputesOf } from '../disputes/store.ts';
import { openText } from '../disputes/texts.ts';
import { ApiError } from '../platform/values/errors.ts';
import { findSchedules, findSchedulesOfConsent } from '../schedules/books/store.ts';
import { sendOn } from './answers.ts';
import {
  type DisputablePayment,
  type DisputeForm,
  disputePage,
  disputesPage,
} from './pages/dispute.ts';
import { findConsentPage, type PortalDeps } from './service.ts';
import {
  type Answered,
  type LinkHandler,
  type PortalContext,
  show,
  showOutcome,
  showUnknown,
} from './show.ts';
import type { ConsentPageState } from './standing.ts';

/** How many payments a page lets the customer choose from; the next page has earlier ones. */
const A_PAGE = 100;

/** Reads the payments under a consent that its customer may dispute, or has, latest first: one by its id, or those of a page. */
function readDisputable(
  { authorisation: { platform } }: PortalDeps,
  { consent: { merchantId, consentId } }: ConsentPageState,
  which: { only?: string; after?: string },
): Promise<DisputablePayment[]> {
  const since = disputableSince(platform.clock.now());
  return platform.db.read(async (tx) => {
    const scheduleIds = await findSchedulesOfConsent(tx, merchantId, consentId);
    const schedules = await findSchedules(tx, merchantId, scheduleIds);
    const descriptions = new Map(schedules.map((one) => [one.scheduleId, one.description]));
    const rows = await findDisputable(tx, merchantId, { scheduleIds, since, ...which }, A_PAGE + 1);
    const ids = rows.map(({ paymentId }) => paymentId);
    const disputes = Map.groupBy(await findDisputesOf(tx, merchantId, ids), (one) => one.paymentId);
    return rows.map((row) => {
      const shown = shownToCustomer(disputes.get(row.paymentId) ?? []);
      const dispute =
        shown === null ? null : { ...shown, answerText: openText(platform.vault, shown, 'answer') };
      return { ...row, description: descriptions.get(row.scheduleId) ?? '', dispute };
    });
  });
}

/** Reads a payment under a consent that its customer may dispute, or has; null: it is none. */
async function findNamed(
  deps: PortalDeps,
  standing: ConsentPageState,
  paymentId: string | null,
): Promise<DisputablePayment | null> {
  if (paymentId === null) return null;
  const [payment = null] = await readDisputable(deps, standing, { only: paymentId });
  return payment;
}

/** What the customer has filled in. */
interface Filled {
  paymentId: string;
  reason: string;
  note: string;
}

/** Continues with a link under which payments were or are collected; another one shows its outcome. */
async function withPayments(
  context: PortalContext,
  reply: Parameters<LinkHandler>[1],
  token: string,
  goOn: (standing: ConsentPageState) => ReturnType<LinkHandler>,
): Answered {
  const standing = await findConsentPage(context.deps, token);
  if (standing === null) return showUnknown(context, reply);
  if (standing.phase !== 'granted' && standing.phase !== 'ended')
    return showOutcome(context, reply, standing);
  return goOn(standing);
}

/** Shows what the customer can say of one payment, or which payments there are: docs/rules/disputes.md#on-the-customers-page. */
export function askDispute(
  context: PortalContext,
  reply: Parameters<LinkHandler>[1],
  token: string,
  { paymentId, before }: { paymentId: string | null; before: string | null },
): Answered {
  return withPayments(context, reply, token, async (standing) => {
    const { paths, deps } = context;
    const payment = await findNamed(deps, standing, paymentId);
    if (payment !== null) {
      const html = disputePage(paths, standing, payment, null);
      return show(context, reply, { forms: 'here', html });
    }
    const found = await readDisputable(deps, standing, before === null ? {} : { after: before });
    const page = { payments: found.slice(0, A_PAGE), hasEarlier: found.length > A_PAGE };
    return show(context, reply, { forms: 'here', html: disputesPage(paths, standing, page) });
  });
}

/** Opens the customer's dispute, or shows the form again with what is missing. */
export function handleDispute(
  context: PortalContext,
  reply: Parameters<LinkHandler>[1],
  token: string,
  filled: Filled,
): Answered {
  return withPayments(context, reply, token, async (standing) => {
    const { paths, deps } = context;
    const { paymentId } = filled;
    const payment = await findNamed(deps, standing, paymentId);
    if (payment === null) return sendOn(reply, paths.link(token, 'dispute'));
    const page = `${paths.link(token, 'dispute')}?payment=${paymentId}`;
    if (payment.dispute !== null) return sendOn(reply, page);
    const reason = DISPUTE_REASONS.find((one) => one === filled.reason);
    const form: DisputeForm = { reason: reason ?? null, note: filled.note };
    if (reason === undefined) {
      const html = disputePage(paths, standing, payment, form);
      return show(context, reply, { status: 400, forms: 'here', html });
    }
    await open(deps, standing, paymentId, { reason, note: filled.note });
    return sendOn(reply, page);
  });
}

/** Opens a dispute of a payment; does nothing if it was opened, or its money given back, meanwhile. */
function open(
  { authorisation: { platform } }: PortalDeps,
  { consent: { merchantId } }: ConsentPageState,
  paymentId: string,
  said: { reason: DisputeReason; note: string },
): Promise<void> {
  return unlessDecided(async () => {
    await platform.db.transaction((tx) =>
      openDispute({ platform }, { tx, now: platform.clock.now(), merchantId }, paymentId, {
        ...said,
        raisedBy: 'customer',
      }),
    );
    platform.wake();
  });
}

/** Takes back the customer's own dispute of a payment, which they recognise after all. */
export function recognise(
  context: PortalContext,
  reply: Parameters<LinkHandler>[1],
  token: string,
  paymentId: string,
): Answered {
  return withPayments(context, reply, token, async (standing) => {
    const { refunds, authorisation } = context.deps;
    const { platform } = authorisation;
    const { merchantId } = standing.consent;
    const dispute = (await findNamed(context.deps, standing, paymentId))?.dispute ?? null;
    if (dispute?.status === 'open' && dispute.raisedBy === 'customer')
      await unlessDecided(async () => {
        await platform.db.transaction((tx) =>
          withdrawDispute(
            { platform, refunds },
            { tx, now: platform.clock.now(), merchantId },
            dispute.disputeId,
            'customer',
          ),
        );
        platform.wake();
      });
    return sendOn(reply, `${context.paths.link(token, 'dispute')}?payment=${paymentId}`);
  });
}

/** Does what may have been decided meanwhile: the page that follows shows how. */
async function unlessDecided(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
