import type { FastifyInstance } from 'fastify';
import { addMcp } from '../../agents/mcp/http.ts';
import { type ConditionRecorder, recordConditions } from '../../banks/condition-recorder.ts';
import { type BankDirectory, bankDirectory } from '../../banks/directory.ts';
import type { DashboardDeps } from '../../dashboard/routes.ts';
import { caseFileKeyRoutes } from '../../disputes/case-file/key-routes.ts';
import { readMerchantWithBranding } from '../../merchants/branding/branding-service.ts';
import { makeSignIn, type SignIn } from '../../merchants/sign-in/sign-in.ts';
import { makeMail } from '../../notices/mail.ts';
import { makeTexts } from '../../notices/texts.ts';
import { ISSUER_PARTNER } from '../../operators/health/health.ts';
import { RecentCalls } from '../../operators/health/recent-calls.ts';
import {
  conditionNote,
  measureBank,
  measureIssuer,
  measureLog,
  measureRefusals,
  measureRequest,
  measureSender,
  measureStage,
} from '../../operators/metrics/measure.ts';
import { type Metrics, makeMetrics } from '../../operators/metrics/metrics.ts';
import { adminRoutes } from '../../operators/routes.ts';
import { NOT_TRACED, startTracing, type Traced } from '../../operators/traces/traced.ts';
import { resumeAfterOutage } from '../../payments/books/outage-store.ts';
import { type Config, ConfigError, PortInUse, VERSION } from '../../platform/config/config.ts';
import type { Pools } from '../../platform/db/pools.ts';
import type { Stage } from '../../platform/engine/stage.ts';
import { keyGuards } from '../../platform/http/calls/rate-limit.ts';
import { addDocuments } from '../../platform/http/calls/response-coding.ts';
import type { PlainRoutes } from '../../platform/http/calls/route.ts';
import { logRequests, type RequestLog } from '../../platform/http/request-log/request-log.ts';
import { makeHttpServer, makeWorkQueue } from '../../platform/http/server.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Platform } from '../../platform/platform.ts';
import { makeSealKeeper } from '../../platform/seals/seal-keeper.ts';
import { realClock } from '../../platform/time/clock.ts';
import { errorCode } from '../../platform/values/thrown.ts';
import { portalRoutes } from '../../portal/routes.ts';
import type { SandboxClock } from '../../sandbox/clock.ts';
import type { SandboxPartners } from '../../sandbox/partners.ts';
import type { SandboxDeps } from '../../sandbox/routes/deps.ts';
import { makeIssuer } from '../../wallets/make-issuer.ts';
import { makeSender } from '../../webhooks/sender.ts';
import { examineBanksFile, readBanksFile } from '../banks-file/banks-file.ts';
import { certificatesOf } from '../banks-file/certificates.ts';
import { watchBanksFile } from '../banks-file/renewal.ts';
import type { CleanupStack } from '../deployment/cleanup-stack.ts';
import { makePlatform } from '../deployment/platform.ts';
import { agentDocuments } from '../docs/agent-documents.ts';
import { addDocPages } from '../docs/doc-pages.ts';
import { addStartPage } from '../docs/start-page.ts';
import { caseFileDeps } from './case-files.ts';
import { dashboardOf } from './dashboard.ts';
import { watchLaws } from './law-watch.ts';
import { endingOf, openOperatorsPort } from './operators.ts';
import { allowMaker, allowScope, withScope } from './scopes.ts';
import { addSecurityText } from './security-text.ts';
import { type Partners, type Service, wireService } from './service.ts';
import { TAGS } from './tags.ts';

/** While the sandbox's clock is moved, a receiver that has hung once is waited for as long: the whole advance waits with it. */
const PATIENCE_WHILE_MOVING_MS = 1_000;

/** A running service. */
export interface Running {
  config: Config;
  platform: Platform;
  service: Service;
  http: FastifyInstance;
  /** Where operators reach this process. */
  operatorUrl: string;
  /** The routes that are served there. */
  operatorRoutes: FastifyInstance['served'];
  /** Null: live. */
  sandbox: { partners: SandboxPartners; clock: SandboxClock } | null;
  /** Finishes work in progress, then stops everything that was started, the database last. */
  close(): Promise<void>;
}

/** The parts that were started before assembly. */
interface Started {
  config: Config;
  log: Log;
  pools: Pools;
  partners: SandboxPartners | null;
  undo: CleanupStack;
}

/** Assembles the service over its database and partners, and starts listening for requests. */
export async function assemble({
  config,
  log,
  pools,
  partners,
  undo,
}: Started): Promise<Omit<Running, 'config' | 'close'>> {
  const metrics = makeMetrics();
  const traced = config.telemetry ? await startTracing() : NOT_TRACED;
  undo.add(() => traced.close());
  const clock =
    config.mode === 'sandbox'
      ? await (await import('../../sandbox/clock.ts')).makeSandboxClock(pools.engine)
      : null;
  if (clock !== null) undo.add(() => clock.close());
  const collecting = {
    ...makePlatform(config, pools.engine, clock ?? realClock, traced.log(measureLog(log, metrics))),
    wake: () => service.engine.wake(),
  };
  const platform = { ...collecting, db: pools.api };
  // Stopped after all that seals.
  const seals = makeSealKeeper(collecting);
  undo.add(() => seals.close());
  seals.start();
  const conditions = recordConditions(collecting, resumeAfterOutage);
  undo.add(() => conditions.close());
  const calls = new RecentCalls();
  const isMoving = (): boolean => clock?.isHeld() ?? false;
  const parts = { collecting, isMoving, metrics, conditions, calls, traced };
  const made = await makePartners(config, partners, parts, undo);
  const measured = (stage: Stage) => measureStage(traced.stage(stage), metrics);
  const service = wireService(collecting, made.partners, measured, platform);
  const queue = makeWorkQueue(platform, measureRefusals(metrics));
  const routes = adminRoutes({
    platform,
    ...made.partners,
    direct: () => made.direct().map((bank) => ({ ...bank, certificates: certificatesOf(bank) })),
    distrustKey: service.distrustKey,
    ending: endingOf(service),
    caseFiles: caseFileDeps(platform, made.partners.banks),
  });
  const shown = { service, metrics, calls, direct: made.direct, pools, queue, routes };
  const port = await openOperatorsPort(
    { ...shown, platform: collecting, banks: made.partners.banks },
    undo,
  );
  const sandbox = partners === null || clock === null ? null : { partners, clock };
  const signIn = makeSignIn(platform);
  undo.add(() => signIn.idle());
  const requests = logRequests(platform);
  undo.add(() => requests.idle());
  const watch = watchLaws(collecting, made.partners.issuer);
  undo.add(() => watch.close());
  const levers =
    sandbox === null ? null : { ...service, ...sandbox, platform, look: () => watch.look() };
  // Stopped after the requests have ended: a request that moves the sandbox's clock restarts the engine when it ends.
  undo.add(() => service.engine.stop());
  const http = await makeHttpServer({
    platform,
    routes: config.roles.includes('api') ? service.routes.map(withScope) : [],
    allow: allowScope,
    webhooks: service.webhooks,
    tags: TAGS,
    authenticate: service.authenticate,
    record: (scope) => requests.hooks(scope),
    queue,
    measure: (...response) => {
      measureRequest(metrics, ...response);
      traced.request(...response);
    },
    plain: (app) =>
      mountPlain(app, { platform, service, levers, signIn, requests, banks: made.partners.banks }),
  });
  undo.add(() => http.close());
  await listen(http, config);
  if (sandbox !== null) await sandbox.partners.control.setClock(sandbox.clock.now(), true);
  if (config.roles.includes('engine')) {
    service.engine.start();
    // One look at the laws is enough, however many engines were started as one.
    if (config.engines.number === 1) watch.start();
  }
  return { platform, service, http, ...port, sandbox };
}

/** What calls to partners are measured with, and the platform that they report to. */
interface Parts {
  collecting: Platform;
  /** Whether the sandbox's clock is being moved. */
  isMoving(): boolean;
  metrics: Metrics;
  conditions: ConditionRecorder;
  calls: RecentCalls;
  traced: Traced;
}

async function makePartners(
  config: Config,
  sandbox: SandboxPartners | null,
  { collecting, isMoving, metrics, conditions, calls, traced }: Parts,
  undo: CleanupStack,
): Promise<{ partners: Partners; direct: BankDirectory['direct'] }> {
  const connections =
    config.banksFile === null
      ? { direct: sandbox?.banks ?? [], modulr: [], truelayer: [] }
      : readBanksFile(config, config.banksFile);
  const { log, clock } = collecting;
  const noteIssuer = (outcome: string): void => {
    const change = calls.note(ISSUER_PARTNER, outcome, performance.now());
    if (change === 'silent') log.report('issuer.silent');
    if (change === 'answers_again') log.report('issuer.answers_again');
  };
  const directory = await bankDirectory(connections, {
    wrap: (bank) =>
      measureBank(traced.calls(bank, bank.bankId), metrics, conditionNote(conditions, bank.bankId)),
    now: () => clock.now(),
  });
  undo.add(() => directory.close());
  await directory.keepListed((connection, err) =>
    log.report('bank.list_unavailable', { connection, err }),
  );
  const { banksFile: path } = config;
  if (path !== null) {
    const read = () => examineBanksFile(config, path);
    const renewal = watchBanksFile({ path, read, directory, log });
    undo.add(() => renewal.close());
    renewal.start();
  }
  const issuerConfig = config.issuer ?? sandbox?.issuer;
  if (issuerConfig === undefined) throw new ConfigError('no e-money issuer is configured');
  const issuer = makeIssuer(issuerConfig);
  undo.add(() => issuer.close());
  const mail = makeMail(config);
  undo.add(async () => mail?.close());
  const texts = makeTexts(config);
  undo.add(async () => texts?.close());
  const { mode, webhookTimeoutMs: timeoutMs } = config;
  const patienceMs = (): number =>
    isMoving() ? Math.min(timeoutMs, PATIENCE_WHILE_MOVING_MS) : timeoutMs;
  const partners = {
    banks: directory.banks,
    receivers: directory.receivers,
    issuer: measureIssuer(traced.calls(issuer, 'issuer'), metrics, noteIssuer),
    sender: measureSender(traced.sender(makeSender({ mode, timeoutMs, patienceMs })), metrics),
    mail,
    texts,
  };
  return { partners, direct: directory.direct };
}

interface Plain {
  platform: Platform;
  service: Service;
  levers: SandboxDeps | null;
  signIn: SignIn;
  requests: RequestLog;
  banks: Partners['banks'];
}

/** Mounts the routes beside the API: notifications, the dashboard, the portal and the sandbox's levers. */
async function mountPlain(app: FastifyInstance, plain: Plain): Promise<void> {
  const { platform, service, levers, requests } = plain;
  const { roles } = platform.config;
  const guards = keyGuards(service.authenticate);
  const mount = (routes: PlainRoutes): unknown => app.register(async (scope) => routes(scope));
  addSecurityText(app, platform.config);
  if (roles.includes('api')) {
    for (const notifications of service.notifications) await mount(notifications);
    const record = (scope: FastifyInstance): void => requests.hooks(scope, { onlyChanges: true });
    const sandbox = levers === null ? null : sandboxControlsForMembers(levers);
    await mount(caseFileKeyRoutes(platform));
    await mount(dashboardOf({ ...plain, record, sandbox }));
    addDocuments(app, (scope) => {
      addStartPage(scope, platform.config);
      addDocPages(scope, platform.config);
    });
    const { brand } = platform.config;
    const parts = { name: brand.name, version: VERSION, documents: agentDocuments() };
    await mount((scope) => addMcp(scope, parts, guards));
  }
  if (roles.includes('portal'))
    await mount(
      portalRoutes({
        authorisation: service.authorisation,
        refunds: service.refunds,
        merchantOf: (tx, merchantId) => readMerchantWithBranding(platform, tx, merchantId),
      }),
    );
  if (levers !== null) {
    const { sandboxRoutes } = await import('../../sandbox/routes/routes.ts');
    await mount(
      sandboxRoutes(levers, {
        guards: (route) => [...guards, allowMaker(route)],
        documented: true,
      }),
    );
  }
}

/** Returns the sandbox's levers, guarded by role, for members of a team. */
function sandboxControlsForMembers(levers: SandboxDeps): DashboardDeps['sandbox'] {
  return async (scope, guards) => {
    const { sandboxRoutes } = await import('../../sandbox/routes/routes.ts');
    await sandboxRoutes(levers, {
      guards,
      limitedBy: 'dashboard',
      prefix: '/dashboard',
      documented: false,
    })(scope);
  };
}

async function listen(http: FastifyInstance, config: Config): Promise<void> {
  try {
    await http.listen({ host: config.host, port: config.port });
  } catch (error) {
    if (errorCode(error) === 'EADDRINUSE') throw new PortInUse(config.port, 'PORT');
    throw error;
  }
}
