import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Store } from '../../store.ts';
import type { Bank, BankDeps } from '../bank.ts';
import { BEHAVIOURS, type Behaviour } from '../behaviour/behaviours.ts';
import type { Brand } from '../behaviour/brands.ts';
import { findPersona, PIN } from '../behaviour/personas.ts';
import { type Account, accountsOf } from '../books/books.ts';
import {
  authoriseConsent,
  type Consent,
  changeConsent,
  consentsOf,
  findConsent,
} from '../books/consents.ts';
import { quirksOf } from '../books/quirks-in-force.ts';
import { nameOfThirdParty } from '../config.ts';
import { ACR_SCA, GRANTED_CLAIMS } from '../doors/provider.ts';
import { revokeGrant } from '../parties/oidc-adapter.ts';
import { clientOfConsent } from '../parties/third-parties.ts';
import { messagePage } from './layout.ts';
import { type Review, reviewPage } from './review-view.ts';
import { signInPage } from './sign-in-view.ts';

/** The customer's part of an authorisation: sign in, review, decide. */

type Params = { bank: string; uid: string };
type Fields = { persona?: string; pin?: string; account?: string; decision?: string };
type PageRequest = FastifyRequest<{ Params: Params; Body: Fields | undefined }>;

/** An authorisation in progress: its consent, and the customer if signed in. */
interface Visit {
  bank: Bank;
  uid: string;
  /** The third party that asks. */
  clientId: string;
  consent: Consent;
  login: string | null;
}

const WRONG_PIN = 'That customer name and PIN do not match. Please try again.';

/** Adds the pages under /<bank>/interaction/<uid>. */
export function registerAuthorisation(app: FastifyInstance, deps: BankDeps): void {
  const url = '/:bank/interaction/:uid';
  type Route = { Params: Params; Body: Fields | undefined };
  app.get<Route>(url, (request, reply) => withVisit(deps, request, reply, show));
  app.post<Route>(`${url}/login`, (request, reply) => withVisit(deps, request, reply, signIn));
  app.post<Route>(`${url}/decision`, (request, reply) => withVisit(deps, request, reply, decide));
}

type Step = (deps: BankDeps, visit: Visit, request: PageRequest, reply: FastifyReply) => unknown;

async function withVisit(deps: BankDeps, request: PageRequest, reply: FastifyReply, step: Step) {
  const bank = deps.banks.get(request.params.bank);
  if (!bank) return reply.code(404).send();
  const visit = await findVisit(deps, bank, request, reply);
  if (visit) return step(deps, visit, request, reply);
  const text = 'Go back to the page you came from and start again. Nothing was approved.';
  return reply.code(400).send(messagePage(bank.brand, 'This request is no longer open', text));
}

/** Finds an authorisation: the provider identifies the browser by its cookie; the signed request names the consent. */
async function findVisit(
  deps: BankDeps,
  bank: Bank,
  request: PageRequest,
  reply: FastifyReply,
): Promise<Visit | null> {
  const details = await bank.provider.interactionDetails(request.raw, reply.raw).catch(() => null);
  if (!details || details.uid !== request.params.uid) return null;
  const consent = findConsent(deps.store, bank.brand.bankId, intentOf(details.params));
  const isOpen = consent && ['AWAU', 'AUTH', 'CANC'].includes(consent.status);
  if (!isOpen || consent.deleted_at) return null;
  const clientId = String(details.params.client_id);
  if (clientOfConsent(deps, consent.consent_id) !== clientId) return null;
  const row = deps.store.get<{ login: string }>(
    'SELECT login FROM visits WHERE interaction_uid = :uid',
    { uid: details.uid },
  );
  return { bank, uid: details.uid, clientId, consent, login: row?.login ?? null };
}

function intentOf(params: Record<string, unknown>): string {
  try {
    const claims = JSON.parse(String(params.claims));
    return String(claims.id_token.openbanking_intent_id.value);
  } catch {
    return '';
  }
}

function show(deps: BankDeps, visit: Visit, _request: PageRequest, reply: FastifyReply) {
  return reply.send(visit.login ? reviewOf(deps, visit) : signInOf(deps, visit));
}

function signIn(deps: BankDeps, visit: Visit, request: PageRequest, reply: FastifyReply) {
  const { persona: typed = '', pin } = request.body ?? {};
  const persona = findPersona(typed);
  if (!persona || pin !== PIN) {
    return reply.code(401).send(signInOf(deps, visit, { login: typed, problem: WRONG_PIN }));
  }
  deps.store.run(
    `INSERT INTO visits (interaction_uid, login) VALUES (:uid, :login)
     ON CONFLICT (interaction_uid) DO UPDATE SET login = :login`,
    { uid: visit.uid, login: persona.login },
  );
  return reply.redirect(pathOf(visit), 303);
}

async function decide(deps: BankDeps, visit: Visit, request: PageRequest, reply: FastifyReply) {
  const { decision, pin, account: number } = request.body ?? {};
  if (!visit.login) return reply.redirect(pathOf(visit), 303);
  const account = payableAccounts(deps, visit).find((one) => one.account_number === number);
  if (decision === 'decline') {
    return refuse(deps, visit, 'U036', request, reply);
  }
  if (decision !== 'approve' || pin !== PIN || !account) {
    const problem = account ? 'Incorrect PIN. Please try again.' : 'Choose an account.';
    return reply
      .code(400)
      .send(reviewOf(deps, visit, { problem, ...(number && { chosen: number }) }));
  }
  const behaviour: Behaviour = BEHAVIOURS[account.behaviour];
  if (behaviour.refusesConsent) {
    return refuse(deps, visit, 'U037', request, reply);
  }
  return approve(deps, visit, account, request, reply);
}

async function approve(
  deps: BankDeps,
  visit: Visit,
  account: Account,
  request: PageRequest,
  reply: FastifyReply,
) {
  const { provider, brand } = visit.bank;
  const { consent_id: consentId } = visit.consent;
  const isOfConsent = brand.profile.subject === 'consent';
  const accountId = isOfConsent ? consentId : `${brand.bankId}:${account.login}`;
  const grant = new provider.Grant({ accountId, clientId: visit.clientId });
  grant.addOIDCScope('openid payments');
  grant.addOIDCClaims(GRANTED_CLAIMS);
  const grantId = await grant.save();
  const { account_number } = account;
  authoriseConsent(deps.store, visit.consent, account_number, grantId, deps.clock.now());
  evictOldest(deps.store, brand, visit.consent.consent_id, account.login);
  deps.settle();
  const login = { accountId, acr: ACR_SCA, amr: ['mfa'], remember: false };
  return finish(visit, { login, consent: { grantId } }, request, reply);
}

/** Ends the tokens of the oldest consents of a customer with this client, where the bank keeps only so many. */
function evictOldest(store: Store, { bankId, profile }: Brand, newest: string, login: string) {
  const others = consentsOf(store, bankId, login).filter(
    (one) => one.status === 'AUTH' && !one.deleted_at && one.consent_id !== newest,
  );
  for (const { grant_id } of others.slice(profile.mostConsents - 1))
    if (grant_id) revokeGrant(store, grant_id);
}

/** Why a consent is refused: the standard's code, and what the bank says. */
const REFUSALS = { U036: 'The customer declined', U037: 'The bank refused the consent' };

/** Refuses: a consent that was never in force is rejected permanently; any other keeps its status. */
async function refuse(
  deps: BankDeps,
  visit: Visit,
  reason: keyof typeof REFUSALS,
  request: PageRequest,
  reply: FastifyReply,
) {
  if (visit.consent.status === 'AWAU') {
    changeConsent(deps.store, visit.consent, 'RJCT', reason, deps.clock.now());
    deps.settle();
  }
  const result = { error: 'access_denied', error_description: REFUSALS[reason] };
  return finish(visit, result, request, reply);
}

async function finish(
  visit: Visit,
  result: Parameters<Bank['provider']['interactionResult']>[2],
  request: PageRequest,
  reply: FastifyReply,
) {
  const options = { mergeWithLastSubmission: false };
  const { provider } = visit.bank;
  const next = await provider.interactionResult(request.raw, reply.raw, result, options);
  return reply.redirect(next, 303);
}

function signInOf(
  deps: BankDeps,
  visit: Visit,
  failed: { login?: string; problem?: string } = {},
): string {
  return signInPage(visit.bank.brand, {
    action: `${pathOf(visit)}/login`,
    title: 'Log in to continue',
    lead: `${nameOfThirdParty(deps.config.tpp)} has sent you here to review a request for payments from your account.`,
    ...failed,
  });
}

function reviewOf(deps: BankDeps, visit: Visit, extra: Partial<Review> = {}): string {
  const accounts = payableAccounts(deps, visit);
  return reviewPage(visit.bank.brand, {
    action: `${pathOf(visit)}/decision`,
    consent: visit.consent,
    accounts,
    chosen: visit.consent.account_number ?? accounts[0]?.account_number ?? '',
    requester: nameOfThirdParty(deps.config.tpp),
    now: deps.clock.now(),
    ...extra,
  });
}

/** Returns the customer's accounts, or only the one that the request names or that was approved before. */
function payableAccounts({ store }: BankDeps, visit: Visit): Account[] {
  const { brand } = visit.bank;
  const wanted = visit.consent.request.Data.Initiation.DebtorAccount?.Identification;
  const isFree = !wanted || quirksOf(store, brand).has('ignores_debtor_account');
  return accountsOf(store, brand.bankId, visit.login ?? '').filter(
    (account) =>
      (isFree || wanted === account.sort_code + account.account_number) &&
      (!visit.consent.account_number || visit.consent.account_number === account.account_number),
  );
}

function pathOf(visit: Visit): string {
  return `/${visit.bank.brand.bankId}/interaction/${visit.uid}`;
}
