import type { FastifyReply } from 'fastify';
import { LARGEST_AMOUNT, parsePounds } from '../platform/values/money.ts';
import { changeLimitsAsked, type RequestedLimits } from '../schedules/change/customer-limits.ts';
import { describeAmount } from '../schedules/terms/describe.ts';
import { sendOn } from './answers.ts';
import { showChanged } from './handlers.ts';
import type { LimitsComplaint } from './pages/limits-form.ts';
import { type Answered, inPhase, type PortalContext, showOffer } from './show.ts';

/** The limits as a customer typed them, in pounds, and the version of the terms on their page. */
export interface TypedLimits {
  perPayment: string;
  perPeriod: string;
  termsVersion: number | null;
}

const NO_AMOUNT = 'Enter an amount in pounds, for example 50.00.';
/** Room for a payment of the largest amount on every day of a year. */
const LARGEST_PERIOD = LARGEST_AMOUNT * 366;

/** Handles the form of the limits: the customer is asked to agree to those they typed, or told what the schedule needs. */
export function handleLimits(
  context: PortalContext,
  reply: FastifyReply,
  token: string,
  typed: TypedLimits,
): Answered {
  return inPhase(context, reply, token, 'deciding', async (standing) => {
    const { termsVersion } = typed;
    if (termsVersion === null)
      return showOffer(context, reply, standing, { about: 'unsaid', bankId: null });
    const again = (limits: LimitsComplaint): Answered =>
      showOffer(context, reply, standing, { about: 'limits', bankId: null, limits });
    const perPaymentPence = penceIn(typed.perPayment, LARGEST_AMOUNT);
    const perPeriodPence = penceIn(typed.perPeriod, LARGEST_PERIOD);
    if (perPaymentPence === null || perPeriodPence === null)
      return again({
        ...typed,
        perPaymentError: perPaymentPence === null ? NO_AMOUNT : null,
        perPeriodError: perPeriodPence === null ? NO_AMOUNT : null,
      });
    const wanted = { perPaymentPence, perPeriodPence };
    const { platform } = context.deps.authorisation;
    const outcome = await platform.db.transaction((tx) => {
      const work = { platform, tx, now: platform.clock.now() };
      return changeLimitsAsked(work, standing.consent, termsVersion, wanted);
    });
    if (outcome === 'done') return sendOn(reply, `${context.paths.link(token)}#limits`);
    if (outcome === 'changed') return showChanged(context, reply, token, null, termsVersion);
    return again({ ...typed, ...tooLow(wanted, outcome.least) });
  });
}

function tooLow(
  wanted: RequestedLimits,
  least: RequestedLimits,
): Pick<LimitsComplaint, 'perPaymentError' | 'perPeriodError'> {
  const error = (pence: number, needed: number): string | null =>
    pence < needed ? `Enter ${describeAmount(needed)} or more: these payments need as much.` : null;
  return {
    perPaymentError: error(wanted.perPaymentPence, least.perPaymentPence),
    perPeriodError: error(wanted.perPeriodPence, least.perPeriodPence),
  };
}

/** Reads pounds. Null if it is no amount, or more than `most`. */
function penceIn(text: string, most: number): number | null {
  const pence = parsePounds(text);
  return pence !== null && pence > 0 && pence <= most ? pence : null;
}
