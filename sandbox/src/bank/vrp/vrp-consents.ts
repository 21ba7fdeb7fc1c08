import { randomUUID } from 'node:crypto';
import { isoInstant } from '../../clock.ts';
import { checkContract } from '../behaviour/contracts.ts';
import { findAccount } from '../books/books.ts';
import { amountAt, checkConsentRequest } from '../books/consent-request.ts';
import { type Consent, deleteConsent, findConsent, insertConsent } from '../books/consents.ts';
import { noteShortage } from '../books/push-notifications.ts';
import { hasQuirk } from '../books/quirks-in-force.ts';
import { consentView, fundsView } from '../books/views.ts';
import type { Call, Reply } from '../doors/call.ts';
import { revokeGrant } from '../parties/oidc-adapter.ts';
import { assignConsent, clientOfConsent } from '../parties/third-parties.ts';
import { objectAt, textAt } from '../wire/fields.ts';
import { findReplay, rememberKey } from '../wire/idempotency.ts';
import { ApiProblem, refused } from '../wire/problem.ts';

/** The endpoints under /domestic-vrp-consents. */

/** POST /domestic-vrp-consents */
export function postConsent(call: Call): Reply {
  const { store } = call.deps;
  const { bankId, contract, profile } = call.bank.brand;
  const keyed = call.keyed();
  return store.transaction(() => {
    const replayed = findReplay(store, bankId, keyed, call.now, profile.duplicateKeyStatus);
    if (replayed) return replyWith(call, 201, liveConsent(call, replayed));
    checkContract(contract, call.body(), keyed.key);
    const request = checkConsentRequest(call.body(), contract, call.now);
    const consentId = insertConsent(store, call.bank.brand, request, call.now);
    assignConsent(store, consentId, call.access.clientId);
    rememberKey(store, bankId, keyed, consentId, call.now);
    return replyWith(call, 201, liveConsent(call, consentId));
  });
}

/** GET /domestic-vrp-consents/{ConsentId} */
export function getConsent(call: Call): Reply {
  return replyWith(call, 200, liveConsent(call, call.id));
}

/** DELETE /domestic-vrp-consents/{ConsentId}: also revokes its tokens. */
export function removeConsent(call: Call): Reply {
  const consent = liveConsent(call, call.id);
  deleteConsent(call.deps.store, consent, call.now);
  if (consent.grant_id) revokeGrant(call.deps.store, consent.grant_id);
  return { status: 204 };
}

/** POST /domestic-vrp-consents/{ConsentId}/funds-confirmation: a snapshot, not a hold. */
export function postFundsConfirmation(call: Call): Reply {
  const data = objectAt(call.body(), 'Data', 'Data');
  const consent = approvedConsent(call, textAt(data, 'ConsentId', 'Data.ConsentId', 128));
  if (consent.consent_id !== call.id) {
    throw refused('U008', 'ConsentId differs from the address', 'Data.ConsentId');
  }
  if (data.Reference !== undefined) textAt(data, 'Reference', 'Data.Reference', 35);
  const path = 'Data.InstructedAmount';
  const amount = objectAt(data, 'InstructedAmount', path);
  const amountPence = amountAt(amount, path);
  const account = accountOf(call, consent);
  const isAvailable = (account?.balance_pence ?? 0) >= amountPence;
  if (account && !isAvailable)
    noteShortage(call.deps.store, consent, account, amountPence, call.now);
  const isSparse = hasQuirk(call.deps.store, call.bank.brand, account, 'omits_optional_fields');
  const request = {
    ConsentId: consent.consent_id,
    InstructedAmount: amount,
    ...(data.Reference !== undefined && !isSparse && { Reference: data.Reference }),
  };
  const body = fundsView(`fc-${randomUUID()}`, request, isAvailable, isoInstant(call.now));
  return { status: 201, body };
}

/** Returns a consent of this bank that is not deleted; otherwise throws U011. */
function liveConsent(call: Call, consentId: string): Consent {
  const consent = findConsent(call.deps.store, call.bank.brand.bankId, consentId);
  if (!consent || consent.deleted_at) {
    throw refused('U011', `There is no consent ${consentId}`, 'ConsentId');
  }
  if (clientOfConsent(call.deps, consentId) !== call.access.clientId) {
    throw new ApiProblem(403, undefined, 'The consent belongs to another client');
  }
  return consent;
}

/** Returns a consent in force that the caller's token was issued for; otherwise throws U009, U011, U028 or 403. */
export function approvedConsent(call: Call, consentId: string): Consent {
  const consent = liveConsent(call, consentId);
  if (consent.grant_id !== call.access.grantId) {
    throw new ApiProblem(403, undefined, 'The access token belongs to another consent');
  }
  if (consent.reason === 'TKSP') {
    throw new ApiProblem(403, 'U028', 'The customer has to authenticate again', 'Data.ConsentId');
  }
  if (consent.status !== 'AUTH') {
    throw refused('U009', `The consent is ${consent.status}`, 'Data.ConsentId');
  }
  return consent;
}

function replyWith(call: Call, status: number, consent: Consent): Reply {
  const account = accountOf(call, consent);
  const isSparse = hasQuirk(call.deps.store, call.bank.brand, account, 'omits_optional_fields');
  return { status, body: consentView(call.bank, consent, account, isSparse) };
}

function accountOf(call: Call, consent: Consent) {
  const number = consent.account_number;
  return number ? findAccount(call.deps.store, consent.bank, number) : undefined;
}
