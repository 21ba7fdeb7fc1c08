import { findConsent } from '../consents/store.ts';
import { openProfile } from '../customers/sealed.ts';
import { findCustomer } from '../customers/store.ts';
import { readMerchant } from '../merchants/service.ts';
import { type PaperDocument, type PaperPart, renderPdf } from '../platform/documents/pdf.ts';
import type { Asked, Platform } from '../platform/platform.ts';
import { notFound, orNotFound } from '../platform/values/errors.ts';
import { findSchedules, findSchedulesOfConsent, readTerms } from '../schedules/books/store.ts';
import { describeLimits } from '../schedules/limits/describe-limits.ts';
import { statementReference } from '../schedules/request/statement-reference.ts';
import { describeAmount, describeSeries } from '../schedules/terms/describe.ts';
import type { Schedule, Terms } from '../schedules/terms/schedule.ts';
import { describeDate, describeEnd } from './words.ts';

/** What a customer agreed to, as a file to keep. */
export interface AgreementFile {
  name: string;
  bytes: Buffer;
}

type Facts = Extract<PaperPart, { kind: 'facts' }>['facts'];

/**
 * Returns what the customer agreed to under a consent as PDF, whether it stands or has ended: docs/rules/consents.md#as-a-file.
 * Throws 404 `not_found` where nothing was granted.
 */
export async function agreementFile(
  { platform, bankName }: { platform: Platform; bankName(bankId: string): string },
  { tx, now, merchantId }: Asked,
  consentId: string,
): Promise<AgreementFile> {
  const consent = orNotFound(await findConsent(tx, merchantId, consentId), 'consent');
  const { grantedAt, controlParameters: limits } = consent;
  if (grantedAt === null) throw notFound('consent');
  const merchant = await readMerchant(platform, tx, merchantId);
  const customer = await findCustomer(tx, merchantId, consent.customerId);
  const name = customer === null ? null : openProfile(platform, merchantId, customer).name;
  const { timeZone } = merchant;
  const ids = await findSchedulesOfConsent(tx, merchantId, consentId);
  const parts: PaperPart[] = [];
  for (const schedule of await findSchedules(tx, merchantId, ids)) {
    const version = schedule.consentedVersion ?? consent.termsVersion;
    const terms = await readTerms(tx, merchantId, schedule.scheduleId, version);
    parts.push(...schedulePart(schedule, terms, timeZone));
  }
  const document: PaperDocument = {
    title: `What you agreed to pay ${merchant.name}`,
    author: platform.config.brand.name,
    madeAt: now,
    parts: [
      {
        kind: 'text',
        text: `Payments by Open Banking, from your account to ${merchant.name}. Made on ${describeDate(now, timeZone)}.`,
      },
      {
        kind: 'facts',
        facts: [
          ...(name === null ? [] : ([['You', name]] as const)),
          ['Business', merchant.legalName === '' ? merchant.name : merchant.legalName],
          ['Address', merchant.address],
          ['Email', merchant.email],
          ['Agreed on', describeDate(grantedAt, timeZone)],
          ['Approved at', bankName(consent.bankId ?? '')],
          ['Your bank’s ID of it', consent.bankConsentId ?? ''],
        ],
      },
      ...parts,
      { kind: 'heading', text: 'Limits' },
      { kind: 'text', text: 'Your bank refuses any payment above these limits.' },
      ...(limits === null ? [] : describeLimits(limits)).map(
        (text): PaperPart => ({ kind: 'text', text }),
      ),
      ...rightsPart(platform, merchant.name),
    ],
  };
  return { name: 'what-you-agreed-to.pdf', bytes: await renderPdf(document) };
}

function schedulePart(schedule: Schedule, terms: Terms, timeZone: string): PaperPart[] {
  const upTo = terms.amountMode === 'per_occurrence' ? 'Up to ' : '';
  const first = schedule.firstPayment;
  const facts: Facts = [
    ['Amount', `${upTo}${describeAmount(terms.amountPence, terms.currency)}`],
    ['How often', describeSeries(terms.series)],
    ['From', describeDate(terms.series.firstAt, timeZone)],
    ['Until', describeEnd(terms.series.endAt, timeZone)],
    ...(first === null ? [] : ([['Once, at first', describeAmount(first.amountPence)]] as const)),
    ['On your bank statement', statementReference(schedule)],
  ];
  return [
    { kind: 'heading', text: schedule.description },
    { kind: 'facts', facts },
  ];
}

function rightsPart({ config: { firm, brand } }: Platform, merchantName: string): PaperPart[] {
  const text = (words: string): PaperPart => ({ kind: 'text', text: words });
  return [
    { kind: 'heading', text: 'Your rights' },
    text(
      `You can stop at any time: withdraw your permission on your payment page, or in your bank’s app or online banking. You do not need to ask ${merchantName} first.`,
    ),
    text(
      'If you do not recognise a payment, say so on your payment page, or tell your bank. A payment that you did not agree to is given back by the end of the next working day.',
    ),
    { kind: 'heading', text: `Who provides ${brand.name}` },
    {
      kind: 'facts',
      facts: [
        ['Payments are initiated by', `${firm.name}, FCA ${firm.fcaReference}`],
        ['E-money is issued by', `${firm.issuer.name}, FCA ${firm.issuer.fcaReference}`],
        ['Complaints', `${firm.email}, ${firm.complaintsUrl}`],
        ['Ombudsman', `${firm.ombudsman.name}, ${firm.ombudsman.url}`],
      ],
    },
  ];
}
