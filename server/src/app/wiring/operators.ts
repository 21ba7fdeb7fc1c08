import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Bank } from '../../banks/bank.ts';
import type { OpenBankingConfig } from '../../banks/open-banking/config.ts';
import type { AdminRoute } from '../../operators/admin/route.ts';
import { makeDatabaseCheck } from '../../operators/health/database-check.ts';
import { makeHealth } from '../../operators/health/health.ts';
import type { RecentCalls } from '../../operators/health/recent-calls.ts';
import type { Metrics } from '../../operators/metrics/metrics.ts';
import { makeScrape } from '../../operators/metrics/scrape.ts';
import { makeOperatorsServer } from '../../operators/server.ts';
import { PortInUse } from '../../platform/config/config.ts';
import { OPERATOR_VARIABLES } from '../../platform/config/operators.ts';
import type { Pools } from '../../platform/db/pools.ts';
import type { WorkQueue } from '../../platform/http/admission/work-queue.ts';
import type { Platform } from '../../platform/platform.ts';
import { machineClock } from '../../platform/time/clock-skew.ts';
import { errorCode } from '../../platform/values/thrown.ts';
import { certificatesOf } from '../banks-file/certificates.ts';
import type { CleanupStack } from '../deployment/cleanup-stack.ts';
import type { Service } from './service.ts';

/** Returns what operators' ends of overdue things take of the wired slices. */
export const endingOf = ({ settlements, refunds, authorisation }: Service) => ({
  settlements,
  refunds,
  hooks: authorisation.hooks,
});

/** What the operators' port shows. */
interface OperatorsPortDeps {
  platform: Platform;
  service: Pick<Service, 'stages' | 'engine'>;
  metrics: Metrics;
  calls: RecentCalls;
  /** The direct banks in use. */
  direct: () => readonly OpenBankingConfig[];
  banks: ReadonlyMap<string, Bank>;
  pools: Pools;
  queue: WorkQueue;
  /** The endpoints of the operators' API. */
  routes: readonly AdminRoute[];
}

/** The operators' port: its address, and the routes that it serves. */
interface OperatorsPort {
  operatorUrl: string;
  operatorRoutes: FastifyInstance['served'];
}

/** Opens the operators' port. */
export async function openOperatorsPort(
  { platform, service, metrics, calls, direct, banks, pools, queue, routes }: OperatorsPortDeps,
  undo: CleanupStack,
): Promise<OperatorsPort> {
  const { config } = platform;
  // A list of banks may change while the service runs.
  const bankIds = { [Symbol.iterator]: () => banks.keys() };
  const database = makeDatabaseCheck(pools);
  const scrape = makeScrape({
    metrics,
    config,
    books: { platform, stages: service.stages, banks: bankIds },
    certificates: () => direct().flatMap(certificatesOf),
    pools: { api: pools.api, engine: pools.engine },
    queue,
    database,
    clockAheadMs: () => machineClock.aheadMs(),
  });
  undo.add(() => scrape.idle());
  const health = makeHealth({
    platform,
    engine: service.engine,
    stages: service.stages,
    banks: bankIds,
    calls,
    database,
  });
  undo.add(() => health.idle());
  const http = await makeOperatorsServer(platform, scrape, health, routes);
  undo.add(() => http.close());
  await listen(http, platform);
  const { port } = http.server.address() as AddressInfo;
  const { operatorHost: host } = config;
  const operatorUrl = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return { operatorUrl, operatorRoutes: http.served };
}

/** Listens on the port of the configuration. Another process that has taken the default one does not stop this one. */
async function listen(http: FastifyInstance, { config, log }: Platform): Promise<void> {
  const { operatorHost: host, operatorPort: port } = config;
  try {
    await http.listen({ host, port });
  } catch (error) {
    if (errorCode(error) !== 'EADDRINUSE') throw error;
    if (String(port) !== OPERATOR_VARIABLES.OPERATOR_PORT.fallback)
      throw new PortInUse(port, 'OPERATOR_PORT');
    await http.listen({ host, port: 0 });
    log.report('operators.port_taken', { port, listens_on: http.server.address() });
  }
}
