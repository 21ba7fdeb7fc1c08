import { createHash, randomBytes } from 'node:crypto';
import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Bank, BankDeps } from '../bank.ts';
import { findPersona, PIN } from '../behaviour/personas.ts';
import { type Account, accountsOf, entriesOf } from '../books/books.ts';
import { controlParametersOf } from '../books/consent-request.ts';
import { type Consent, consentsOf, withdrawConsent } from '../books/consents.ts';
import { countedSince, limitUses } from '../books/control-parameters.ts';
import { countedPayments, paymentsOf } from '../books/payments.ts';
import { pushNotificationsOf } from '../books/push-notifications.ts';
import { londonDate } from '../wire/periods.ts';
import { consentPage } from './app-consent-view.ts';
import { homePage } from './app-home-view.ts';
import { notificationsPage, permissionsPage } from './app-permissions-view.ts';
import { messagePage } from './layout.ts';
import { signInPage } from './sign-in-view.ts';

/** The bank's own app: balances, notifications, transactions, and permissions given to others. */

type Params = { bank: string; id: string };
type Fields = { persona?: string; pin?: string };
type PageRequest = FastifyRequest<{ Params: Params; Body: Fields | undefined }>;

/** A customer who is signed in to a bank's app. */
interface Customer {
  bank: Bank;
  login: string;
}

const ENTRIES_SHOWN = 20;
const PUSHES_SHOWN = 30;

/** Adds the pages under /<bank>/app. */
export function registerApp(app: FastifyInstance, deps: BankDeps): void {
  type Route = { Params: Params; Body: Fields | undefined };
  app.register(cookie);
  const url = '/:bank/app';
  const signedIn =
    (step: (customer: Customer, request: PageRequest, reply: FastifyReply) => unknown) =>
    async (request: PageRequest, reply: FastifyReply) => {
      const bank = deps.banks.get(request.params.bank);
      if (!bank) return reply.code(404).send();
      const login = loginOf(deps, bank, request);
      return login ? step({ bank, login }, request, reply) : reply.send(signInOf(bank));
    };
  app.get<Route>(
    url,
    signedIn((customer, request, reply) => sendLive(request, reply, home(deps, customer))),
  );
  app.get<Route>(
    `${url}/notifications`,
    signedIn((customer, request, reply) =>
      sendLive(request, reply, notificationsPage(customer.bank.brand, seenNow(deps, customer))),
    ),
  );
  app.get<Route>(
    `${url}/permissions`,
    signedIn((customer, request, reply) => sendLive(request, reply, permissions(deps, customer))),
  );
  app.get<Route>(
    `${url}/consents/:id`,
    signedIn((customer, request, reply) => showConsent(deps, customer, request, reply)),
  );
  app.post<Route>(
    `${url}/consents/:id/withdraw`,
    signedIn((customer, request, reply) => withdraw(deps, customer, request, reply)),
  );
  app.post<Route>(`${url}/login`, (request, reply) => signIn(deps, request, reply));
  app.post<Route>(`${url}/logout`, (request, reply) => signOut(deps, request, reply));
}

function home(deps: BankDeps, { bank, login }: Customer): string {
  const bankId = bank.brand.bankId;
  const accounts = accountsOf(deps.store, bankId, login);
  const entries = accounts.flatMap((account) =>
    entriesOf(deps.store, account, ENTRIES_SHOWN).map((entry) => ({ ...entry, account })),
  );
  return homePage(bank.brand, {
    now: deps.clock.now(),
    holder: accounts[0]?.holder ?? login,
    accounts,
    entries: entries
      .sort((a, b) => b.at.localeCompare(a.at) || b.id - a.id)
      .slice(0, ENTRIES_SHOWN),
    consents: consentsOf(deps.store, bankId, login),
    pushes: seenNow(deps, { bank, login }).pushes,
  });
}

function permissions(deps: BankDeps, customer: Customer): string {
  const consents = consentsOf(deps.store, customer.bank.brand.bankId, customer.login);
  return permissionsPage(customer.bank.brand, { ...seenNow(deps, customer), consents });
}

/** Returns what every page of the app shows: the time and the notifications. */
function seenNow({ store, clock }: BankDeps, { bank, login }: Customer) {
  const pushes = pushNotificationsOf(store, bank.brand.bankId, login, PUSHES_SHOWN);
  return { now: clock.now(), pushes };
}

/** Sends a page, or 304 if the browser's script (app.js) already has this version. */
function sendLive(request: PageRequest, reply: FastifyReply, page: string): FastifyReply {
  const version = `"${hashOf(page)}"`;
  if (request.headers['if-none-match'] === version) return reply.code(304).send();
  return reply.header('etag', version).send(page);
}

function showConsent(
  deps: BankDeps,
  customer: Customer,
  request: PageRequest,
  reply: FastifyReply,
) {
  const consent = ownConsent(deps, customer, request.params.id);
  const account = consent && accountUsed(deps, customer, consent);
  if (!consent || !account) return notFound(customer, reply);
  const authorisedAt = Temporal.Instant.from(consent.authorised_at ?? consent.created_at);
  const parameters = controlParametersOf(consent.request, authorisedAt);
  const today = londonDate(deps.clock.now());
  const isStarted = Temporal.PlainDate.compare(today, parameters.validFrom) >= 0;
  const since = countedSince(parameters, today);
  const counted = countedPayments(deps.store, consent.consent_id, since);
  const page = consentPage(customer.bank.brand, {
    consent,
    account,
    parameters,
    uses: isStarted ? limitUses(parameters, counted, today) : [],
    payments: paymentsOf(deps.store, consent.consent_id, ENTRIES_SHOWN),
    ...seenNow(deps, customer),
  });
  return sendLive(request, reply, page);
}

function withdraw(deps: BankDeps, customer: Customer, request: PageRequest, reply: FastifyReply) {
  const consent = ownConsent(deps, customer, request.params.id);
  if (!consent) return notFound(customer, reply);
  withdrawConsent(deps.store, consent, deps.clock.now());
  deps.settle();
  const path = `/${customer.bank.brand.bankId}/app/consents/${consent.consent_id}`;
  return reply.redirect(path, 303);
}

function ownConsent(deps: BankDeps, { bank, login }: Customer, id: string): Consent | undefined {
  const own = consentsOf(deps.store, bank.brand.bankId, login);
  return own.find((consent) => consent.consent_id === id);
}

function accountUsed(
  deps: BankDeps,
  { bank, login }: Customer,
  consent: Consent,
): Account | undefined {
  const accounts = accountsOf(deps.store, bank.brand.bankId, login);
  return accounts.find((account) => account.account_number === consent.account_number);
}

function notFound({ bank }: Customer, reply: FastifyReply) {
  const page = messagePage(bank.brand, 'Not found', 'We could not find that permission.');
  return reply.code(404).send(page);
}

function signIn(deps: BankDeps, request: PageRequest, reply: FastifyReply) {
  const bank = deps.banks.get(request.params.bank);
  if (!bank) return reply.code(404).send();
  const { persona: typed = '', pin } = request.body ?? {};
  const persona = findPersona(typed);
  if (!persona || pin !== PIN) {
    const problem = 'That customer name and PIN do not match. Please try again.';
    return reply.code(401).send(signInOf(bank, { login: typed, problem }));
  }
  const token = randomBytes(32).toString('base64url');
  const bankId = bank.brand.bankId;
  deps.store.run(
    'INSERT INTO app_sessions (token_hash, bank, login) VALUES (:hash, :bank, :login)',
    { hash: hashOf(token), bank: bankId, login: persona.login },
  );
  const path = `/${bankId}/app`;
  // Strict: no other site can make a signed-in browser withdraw a consent.
  reply.setCookie(cookieName(bank), token, { path, httpOnly: true, sameSite: 'strict' });
  return reply.redirect(path, 303);
}

function signOut(deps: BankDeps, request: PageRequest, reply: FastifyReply) {
  const bank = deps.banks.get(request.params.bank);
  if (!bank) return reply.code(404).send();
  const token = request.cookies[cookieName(bank)];
  if (token) {
    const hash = hashOf(token);
    deps.store.run('DELETE FROM app_sessions WHERE token_hash = :hash', { hash });
  }
  const path = `/${bank.brand.bankId}/app`;
  return reply.clearCookie(cookieName(bank), { path }).redirect(path, 303);
}

function loginOf(deps: BankDeps, bank: Bank, request: PageRequest): string | null {
  const token = request.cookies[cookieName(bank)];
  if (!token) return null;
  const row = deps.store.get<{ login: string }>(
    'SELECT login FROM app_sessions WHERE token_hash = :hash AND bank = :bank',
    { hash: hashOf(token), bank: bank.brand.bankId },
  );
  return row?.login ?? null;
}

function signInOf(bank: Bank, failed: { login?: string; problem?: string } = {}): string {
  return signInPage(bank.brand, {
    action: `/${bank.brand.bankId}/app/login`,
    title: 'Welcome back',
    lead: 'Log in to see your accounts and the permissions you have given.',
    ...failed,
  });
}

function cookieName(bank: Bank): string {
  return `${bank.brand.bankId}_app`;
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
