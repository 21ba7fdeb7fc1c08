import {
  DISPUTE_REASONS,
  type DisputeReason,
  disputableSince,
  shownToCustomer,
} from '../disputes/dispute.ts';
import { openDispute, withdrawDispute } from '../disputes/service.ts';
import { findDisputesOf } from '../disputes/store.ts';
import { openText } from '../disputes/texts.ts';
import { listPayments } from '../payments/books/list-store.ts';
import type { PaymentRow } from '../payments/books/read-store.ts';
import type { Tx } from '../platform/db/db.ts';
import type { Platform } from '../platform/platform.ts';
import { ApiError } from '../platform/values/errors.ts';
import { compareInstants, isBefore } from '../platform/values/instants.ts';
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

/** How many payments of a schedule can be chosen from: a daily one's of thirteen months. */
const CHOICE = { limit: 400, offset: 0 };

/** Whether anything of a payment can still be given back. */
const hasLeft = ({ amountPence, refundedPence, returnedPence }: PaymentRow): boolean =>
  amountPence > (refundedPence ?? 0) + (returnedPence ?? 0);

/** Reads the payments under a consent that its customer may dispute, or has, latest first. */
async function readDisputable(
  { vault }: Pick<Platform, 'vault'>,
  tx: Tx,
  now: Temporal.Instant,
  { consent: { merchantId, consentId } }: ConsentPageState,
): Promise<DisputablePayment[]> {
  const ids = await findSchedulesOfConsent(tx, merchantId, consentId);
  const schedules = await findSchedules(tx, merchantId, ids);
  const all: DisputablePayment[] = [];
  for (const { scheduleId, description } of schedules) {
    const filter = { scheduleId, status: 'success', sort: '-due_date' } as const;
    const { data } = await listPayments(tx, merchantId, filter, CHOICE);
    const paymentIds = data.map(({ paymentId }) => paymentId);
    const disputes = await findDisputesOf(tx, merchantId, paymentIds);
    for (const row of data) {
      const shown = shownToCustomer(disputes.filter((one) => one.paymentId === row.paymentId));
      const dispute =
        shown === null ? null : { ...shown, answerText: openText(vault, shown, 'answer') };
      const isLate = isBefore(row.completedAt ?? row.dueDate, disputableSince(now));
      if (dispute !== null || (!isLate && hasLeft(row))) all.push({ ...row, description, dispute });
    }
  }
  return all.sort((a, b) => compareInstants(b.dueDate, a.dueDate));
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
  goOn: (standing: ConsentPageState, all: DisputablePayment[]) => ReturnType<LinkHandler>,
): Answered {
  const standing = await findConsentPage(context.deps, token);
  if (standing === null) return showUnknown(context, reply);
  if (standing.phase !== 'granted' && standing.phase !== 'ended')
    return showOutcome(context, reply, standing);
  const { platform } = context.deps.authorisation;
  const now = platform.clock.now();
  return goOn(
    standing,
    await platform.db.read((tx) => readDisputable(platform, tx, now, standing)),
  );
}

/** Shows what the customer can say of one payment, or which payments there are: docs/rules/disputes.md#on-the-customers-page. */
export function askDispute(
  context: PortalContext,
  reply: Parameters<LinkHandler>[1],
  token: string,
  paymentId: string | null,
): Answered {
  return withPayments(context, reply, token, async (standing, all) => {
    const payment = all.find((one) => one.paymentId === paymentId);
    const { paths } = context;
    const html =
      payment === undefined
        ? disputesPage(paths, standing, all)
        : disputePage(paths, standing, payment, null);
    return show(context, reply, { forms: 'here', html });
  });
}

/** Opens the customer's dispute, or shows the form again with what is missing. */
export function handleDispute(
  context: PortalContext,
  reply: Parameters<LinkHandler>[1],
  token: string,
  filled: Filled,
): Answered {
  return withPayments(context, reply, token, async (standing, all) => {
    const { paths, deps } = context;
    const { paymentId } = filled;
    const payment = all.find((one) => one.paymentId === paymentId);
    if (payment === undefined) return sendOn(reply, paths.link(token, 'dispute'));
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
  return withPayments(context, reply, token, async ({ consent: { merchantId } }, all) => {
    const { refunds, authorisation } = context.deps;
    const { platform } = authorisation;
    const dispute = all.find((one) => one.paymentId === paymentId)?.dispute ?? null;
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
