import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Visitor } from '../consents/begin-authorisation.ts';
import { LONGEST_TEXT } from '../disputes/routes.ts';
import type { Config } from '../platform/config/config.ts';
import { Overloaded } from '../platform/http/admission/work-queue.ts';
import { acceptOnlyForms } from '../platform/http/calls/bodies.ts';
import { headersOf, reportFailure, toApiError } from '../platform/http/calls/errors.ts';
import type { PlainRoutes } from '../platform/http/calls/route.ts';
import { ApiError } from '../platform/values/errors.ts';
import { field, isFromElsewhere, sendPage } from './answers.ts';
import { arriveFromBank } from './arrival.ts';
import { assetsOf } from './assets.ts';
import { addBranding } from './branding.ts';
import { leaveToConfirm } from './confirm.ts';
import { askDispute, handleDispute, recognise } from './disputes.ts';
import {
  askDecline,
  askWithdraw,
  handleDecline,
  handleWithdrawal,
  leaveForAnotherAccount,
  leaveForBank,
  openAllPayments,
  openLink,
  openOutcome,
  sendAgreement,
  sendProgress,
} from './handlers.ts';
import { makeJourneys } from './journey.ts';
import { handleLimits } from './limits.ts';
import { aboutPage } from './pages/about.ts';
import { callbackPage } from './pages/callback.ts';
import { PROBLEMS, type Problem, problemPage } from './pages/problem.ts';
import { makePaths } from './paths.ts';
import type { PortalDeps } from './service.ts';
import { type PortalContext, show } from './show.ts';

/** A bank's response is the longest body that is ever posted here. */
const BODY_LIMIT = 32 * 1024;
const PLAIN = { schema: { hide: true } } as const;

interface ByToken {
  Params: { token: string };
}

/** Returns the routes of the customer's pages, below `/consent`: docs/rules/consents.md#what-the-customer-sees. */
export function portalRoutes(deps: PortalDeps): PlainRoutes {
  const { config } = deps.authorisation.platform;
  const paths = makePaths(config);
  const journeys = makeJourneys(deps.authorisation.platform, paths);
  const context: PortalContext = { deps, paths, journeys };
  return async (app) => {
    await app.register(
      async (scope) => {
        scope.addHook('onRoute', (route) => {
          route.config = { ...route.config, work: 'customers' };
        });
        await acceptOnlyForms(scope, BODY_LIMIT);
        addProblems(scope, context);
        addGuards(scope);
        addAssets(scope, config);
        addBranding(scope, deps.authorisation.platform);
        addPages(scope, context);
        addDisputes(scope, context);
      },
      { prefix: '/consent' },
    );
  };
}

/** Shows errors on a page, not in the API's envelope. */
function addProblems(scope: FastifyInstance, context: PortalContext): void {
  const send = (reply: FastifyReply, status: number, problem: Problem): FastifyReply =>
    show(context, reply, { status, html: problemPage(context.paths, problem) });
  scope.setNotFoundHandler((_request, reply) => send(reply, 404, PROBLEMS.unknown));
  scope.setErrorHandler((thrown, request, reply) => {
    const { status, code } = toApiError(thrown);
    if (thrown instanceof Overloaded)
      return send(reply.headers(headersOf(thrown)), status, PROBLEMS.busy);
    if (status >= 500) {
      reportFailure(context.deps.authorisation.platform, request, thrown);
      return send(reply, status, PROBLEMS.failed);
    }
    if (code === 'forbidden') return send(reply, status, PROBLEMS.forbidden);
    if (code === 'rate_limit_exceeded') return send(reply, status, PROBLEMS.busy);
    return send(reply, status, status === 404 ? PROBLEMS.unknown : PROBLEMS.invalid);
  });
}

/** Accepts posts from our own pages only. */
function addGuards(scope: FastifyInstance): void {
  scope.addHook('onRequest', async (request) => {
    if (request.method === 'POST' && isFromElsewhere(request))
      throw new ApiError('forbidden', 'Sent from another website.');
  });
}

function addAssets(scope: FastifyInstance, { brand }: Pick<Config, 'brand'>): void {
  const assets = Object.values(assetsOf(brand)).filter((asset) => asset !== null);
  for (const { file, type, body } of assets)
    scope.get(`/assets/${file}`, PLAIN, (_request, reply) =>
      reply.header('cache-control', 'public, max-age=31536000, immutable').type(type).send(body),
    );
}

function addPages(scope: FastifyInstance, context: PortalContext): void {
  const { config } = context.deps.authorisation.platform;
  scope.get('/about', PLAIN, (_request, reply) =>
    show(context, reply, { html: aboutPage(context.paths) }),
  );
  scope.get('/callback', PLAIN, (request, reply) => {
    const said = request.url.split('?').slice(1).join('?');
    const isAnswer = new URLSearchParams(said).has('state');
    const answer = isAnswer ? said : (context.journeys.ownAnswer(request) ?? said);
    const html = callbackPage(context.paths, answer);
    return sendPage(reply, config, { html, forms: 'away', script: 'callback' });
  });
  scope.post('/callback', PLAIN, (request, reply) => arriveFromBank(context, request, reply));
  scope.post<ByToken>('/:token/bank', PLAIN, (request, reply) => {
    const chosen = {
      bankId: field(request.body, 'bank_id'),
      termsVersion: versionIn(field(request.body, 'terms_version')),
      limitsOf: field(request.body, 'limits_of'),
    };
    return leaveForBank(context, reply, request.params.token, chosen, visitorOf(request));
  });
  scope.post<ByToken>('/:token/limits', PLAIN, (request, reply) => {
    const typed = {
      perPayment: field(request.body, 'per_payment'),
      perPeriod: field(request.body, 'per_period'),
      termsVersion: versionIn(field(request.body, 'terms_version')),
    };
    return handleLimits(context, reply, request.params.token, typed);
  });
  scope.post<ByToken>('/:token/another', PLAIN, (request, reply) =>
    leaveForAnotherAccount(
      context,
      reply,
      request.params.token,
      field(request.body, 'schedule_id'),
    ),
  );
  scope.get<ByToken & { Querystring: { shown?: unknown } }>(
    '/:token/done',
    PLAIN,
    (request, reply) =>
      openOutcome(context, reply, request.params.token, versionIn(String(request.query.shown))),
  );
  scope.get<ByToken>('/:token/progress', PLAIN, ({ params }, reply) =>
    sendProgress(context, reply, params.token),
  );
  const byToken = {
    get: {
      '': openLink,
      '/all': openAllPayments,
      '/agreement': sendAgreement,
      '/decline': askDecline,
      '/withdraw': askWithdraw,
    },
    post: { '/decline': handleDecline, '/withdraw': handleWithdrawal, '/confirm': leaveToConfirm },
  };
  for (const [path, answer] of Object.entries(byToken.get))
    scope.get<ByToken>(`/:token${path}`, PLAIN, ({ params }, reply) =>
      answer(context, reply, params.token),
    );
  for (const [path, answer] of Object.entries(byToken.post))
    scope.post<ByToken>(`/:token${path}`, PLAIN, ({ params }, reply) =>
      answer(context, reply, params.token),
    );
}

/** Adds the pages of a payment that the customer does not recognise. */
function addDisputes(scope: FastifyInstance, context: PortalContext): void {
  scope.get<ByToken & { Querystring: { payment?: unknown; before?: unknown } }>(
    '/:token/dispute',
    PLAIN,
    ({ params, query }, reply) =>
      askDispute(context, reply, params.token, {
        paymentId: idIn(String(query.payment)),
        before: idIn(String(query.before)),
      }),
  );
  scope.post<ByToken>('/:token/dispute', PLAIN, ({ params, body }, reply) =>
    handleDispute(context, reply, params.token, {
      paymentId: field(body, 'payment_id'),
      reason: field(body, 'reason'),
      note: field(body, 'note').slice(0, LONGEST_TEXT),
    }),
  );
  scope.post<ByToken>('/:token/recognise', PLAIN, ({ params, body }, reply) =>
    recognise(context, reply, params.token, field(body, 'payment_id')),
  );
}

/** Returns the id of a payment in an address; null: it is none. */
function idIn(text: string): string | null {
  return /^pay_\w{1,64}$/.test(text) ? text : null;
}

/** Returns the version of the terms that a form showed; null if the form does not include it. */
function versionIn(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** Returns the customer's browser, as banks need it. */
function visitorOf(request: FastifyRequest<ByToken>): Visitor {
  return { ip: request.ip, userAgent: request.headers['user-agent'] ?? 'unknown' };
}
