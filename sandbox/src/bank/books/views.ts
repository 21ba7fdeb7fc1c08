import type { Bank } from '../bank.ts';
import { type EventSubject, resourceLink } from '../doors/notifications.ts';
import type { Account } from './books.ts';
import { ACCOUNT_SCHEME } from './consent-request.ts';
import { CONSENT_REASONS, type Consent } from './consents.ts';
import { PAYMENT_REASONS, type Payment } from './payments.ts';

/** The bodies of successful responses, exactly as the standard's OpenAPI defines them; `isSparse` omits optional members. */

/** `OBDomesticVRPConsentResponse`; includes the account once the customer has chosen one. */
export function consentView(
  bank: Bank,
  consent: Consent,
  account: Account | undefined,
  isSparse: boolean,
): object {
  const { ReadRefundAccount, ControlParameters, Initiation } = consent.request.Data;
  return {
    Data: {
      ConsentId: consent.consent_id,
      CreationDateTime: consent.created_at,
      Status: consent.status,
      ...(!isSparse && reasonView(consent.reason, CONSENT_REASONS)),
      StatusUpdateDateTime: consent.updated_at,
      ...(ReadRefundAccount && !isSparse && { ReadRefundAccount }),
      ControlParameters,
      Initiation,
      ...(account && !isSparse && { DebtorAccount: accountView(bank, account) }),
    },
    Risk: consent.request.Risk,
    ...linksView(bank, { type: 'domestic-vrp-consent', id: consent.consent_id }),
  };
}

/** `OBDomesticVRPResponse`. */
export function paymentView(
  bank: Bank,
  payment: Payment,
  consent: Consent,
  account: Account,
  isSparse: boolean,
): object {
  const { Initiation, Instruction } = payment.request.Data;
  const wantsRefund = consent.request.Data.ReadRefundAccount === 'Yes';
  return {
    Data: {
      DomesticVRPId: payment.payment_id,
      ConsentId: payment.consent_id,
      CreationDateTime: payment.created_at,
      Status: payment.status,
      ...(!isSparse && reasonView(payment.reason, PAYMENT_REASONS)),
      StatusUpdateDateTime: payment.updated_at,
      ...(wantsRefund && !isSparse && { Refund: refundView(bank, account) }),
      Initiation,
      Instruction,
      ...(!isSparse &&
        bank.brand.profile.namesPayer && { DebtorAccount: accountView(bank, account) }),
    },
    Risk: payment.request.Risk,
    ...linksView(bank, { type: 'domestic-vrp', id: payment.payment_id }),
  };
}

/** `OBDomesticVRPDetails`: every payment has exactly one transaction. */
export function paymentDetailsView(payment: Payment): object {
  const { payment_id, status, updated_at, reason } = payment;
  return {
    Data: {
      PaymentStatus: [
        {
          PaymentTransactionId: payment_id,
          Status: status,
          StatusUpdateDateTime: updated_at,
          StatusDetail: {
            LocalInstrument: 'UK.OBIE.FPS',
            Status: status,
            ...(reason && {
              StatusReason: reason,
              StatusReasonDescription: PAYMENT_REASONS[reason] ?? reason,
            }),
          },
        },
      ],
    },
  };
}

/** `OBVRPFundsConfirmationResponse`. */
export function fundsView(
  id: string,
  request: { ConsentId: string; InstructedAmount: unknown; Reference?: unknown },
  isAvailable: boolean,
  at: string,
): object {
  return {
    Data: {
      FundsConfirmationId: id,
      ConsentId: request.ConsentId,
      CreationDateTime: at,
      ...(request.Reference !== undefined && { Reference: request.Reference }),
      FundsAvailableResult: {
        FundsAvailableDateTime: at,
        FundsAvailable: isAvailable ? 'Available' : 'NotAvailable',
      },
      InstructedAmount: request.InstructedAmount,
    },
  };
}

/** From 4.0.1 on the name is optional. */
function accountView({ brand }: Bank, account: Account): object {
  return {
    SchemeName: ACCOUNT_SCHEME,
    Identification: `${account.sort_code}${account.account_number}`,
    ...(brand.profile.release === '4.0.0' && { Name: account.holder }),
  };
}

/** From 4.0.1 on the account is one level deeper. */
function refundView(bank: Bank, account: Account): object {
  const view = accountView(bank, account);
  return bank.brand.profile.release === '4.0.0' ? view : { Account: view };
}

/** From 4.0.1 on both are optional. The address of a group leads to another bank of it. */
function linksView(bank: Bank, subject: EventSubject): object {
  const { release, linksToItself } = bank.brand.profile;
  const own = resourceLink(bank, subject);
  if (!linksToItself) return { Links: { Self: own.replace(/^https:\/\/[^/]+/, OTHER_HOST) } };
  return release === '4.0.0' ? { Links: { Self: own }, Meta: {} } : {};
}

const OTHER_HOST = 'https://api.group.invalid';

function reasonView(code: string | null, descriptions: Record<string, string>): object {
  if (!code) return {};
  const description = descriptions[code];
  return {
    StatusReason: [
      { StatusReasonCode: code, ...(description && { StatusReasonDescription: description }) },
    ],
  };
}
