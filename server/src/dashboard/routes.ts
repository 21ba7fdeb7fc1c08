import type { FastifyInstance } from 'fastify';
import type { CaseFileDeps } from '../disputes/case-file/service.ts';
import { acceptOnlyJson } from '../platform/http/calls/bodies.ts';
import { refuseUnstorable } from '../platform/http/calls/inputs.ts';
import { limitCaller } from '../platform/http/calls/rate-limit.ts';
import type { PlainRoutes, Route } from '../platform/http/calls/route.ts';
import { type Guard, mountRoutes } from '../platform/http/mount.ts';
import type { Platform } from '../platform/platform.ts';
import { notFound } from '../platform/values/errors.ts';
import type { PayeeDeps } from '../wallets/payee-check.ts';
import { addAccessChange } from './access/routes.ts';
import { addSsoChanges, type SsoDeps } from './access/sso-routes.ts';
import { addCamt } from './accounting/camt-file.ts';
import { hideLinks } from './customer-links.ts';
import { shownCustomers } from './customers/shown.ts';
import { addCaseFile } from './disputes/file.ts';
import { shownDisputes } from './disputes/shown.ts';
import { addExport, sendFile } from './export.ts';
import { EXPORTS } from './exports.ts';
import { type GateDeps, type Guards, gate } from './gate.ts';
import { addPreviews } from './notices/preview.ts';
import { addPages } from './pages.ts';
import { shownPayments } from './payments/shown.ts';
import { addStatementPaper } from './reports/statement-paper.ts';
import { addAgreement } from './schedules/agreement.ts';
import { shownChangeLines } from './schedules/changed.ts';
import { shownSchedules } from './schedules/shown.ts';
import { addAccountChanges } from './settlement-account/routes.ts';
import { settlementCsv } from './settlements/csv.ts';
import { type Shown, withShown } from './shown.ts';
import { shownEndpoints } from './webhooks/service.ts';

/** The dashboard's dependencies. */
export interface DashboardDeps extends GateDeps, SsoDeps, PayeeDeps {
  platform: Platform;
  /** The public API's endpoints and the dashboard's own. */
  routes: readonly Route[];
  bankName(bankId: string): string;
  caseFiles: CaseFileDeps;
  /** Sign-in, below `/dashboard/auth`. */
  signIn: PlainRoutes;
  /** Mounts what the sandbox adds, behind the guards of its operations; null: live. */
  sandbox: ((scope: FastifyInstance, guards: Guards) => Promise<void>) | null;
  /** Logs what members change. */
  record: (scope: FastifyInstance) => void;
}

/** Returns what the lists of the API show in the dashboard beside themselves. */
export const shownBeside = (bankName: (bankId: string) => string): Shown[] => [
  ...shownPayments(bankName),
  shownDisputes,
  shownSchedules,
  shownChangeLines,
  shownCustomers,
  shownEndpoints,
];

/**
 * Returns everything below `/dashboard`: the web app, sign-in, and the API's own routes for members of a merchant's team, as far
 * as their role allows. See docs/rules/access.md#the-dashboards-gate.
 */
export function dashboardRoutes(deps: DashboardDeps): PlainRoutes {
  const { platform, signIn, sandbox, record } = deps;
  const shown = shownBeside(deps.bankName);
  const routes = deps.routes.map((route) => hideLinks(withShown(platform, route, shown)));
  const allowed = gate(deps);
  return async (app) => {
    const guards: Guards = (operation) => [...allowed(operation), limitCaller];
    await app.register(async (scope) => signIn(scope));
    await mountRoutes(app, {
      platform,
      routes,
      guards,
      limitedBy: 'dashboard',
      prefix: '/dashboard',
      documented: false,
      record,
    });
    addDownload(app, platform, guards(DOWNLOAD));
    addPreviews(app, platform, guards);
    for (const list of EXPORTS) {
      const { operationId } = list;
      const route = routes.find((one) => one.operationId === operationId);
      if (route !== undefined) addExport(app, platform, route, list, guards(route));
    }
    const caseFile = routes.find((one) => one.operationId === 'getCaseFile');
    if (caseFile !== undefined)
      addCaseFile(app, platform, deps.caseFiles, caseFile, guards(caseFile));
    const statement = routes.find((one) => one.operationId === 'getStatement');
    if (statement !== undefined) {
      addCamt(app, platform, statement, guards(statement));
      addStatementPaper(app, platform, statement, guards(statement));
    }
    const consent = routes.find((one) => one.operationId === 'getScheduleConsent');
    if (consent !== undefined) addAgreement(app, deps, consent, guards(consent));
    await app.register(async (scope) => {
      acceptOnlyJson(scope);
      addAccountChanges(scope, deps, guards);
      addAccessChange(scope, deps, guards);
      addSsoChanges(scope, deps, guards);
    });
    await sandbox?.(app, guards);
    await addPages(app, platform.config);
  };
}

const DOWNLOAD = {
  operationId: 'downloadSettlement',
  method: 'GET',
  permission: 'read',
} as const;

/** Adds the download of a settlement's payments; it equals the API and the ledger to the penny (law of money 4). */
function addDownload(app: FastifyInstance, platform: Platform, onRequest: Guard[]): void {
  app.get<{ Params: { id: string } }>(
    '/dashboard/api/settlements/:id/csv',
    { schema: { hide: true }, config: { limitedBy: 'dashboard', work: 'exports' }, onRequest },
    async ({ caller, params }, reply) => {
      refuseUnstorable({ params, query: {}, body: undefined });
      const merchantId = caller?.merchantId ?? '';
      const file = await platform.db.forMerchant(merchantId, (tx) =>
        settlementCsv(platform, tx, merchantId, params.id),
      );
      if (file === null) throw notFound('settlement');
      return sendFile(reply, file.filename, 'text/csv', file.csv);
    },
  );
}
