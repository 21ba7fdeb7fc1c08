import type { FastifyInstance, RouteHandlerMethod } from 'fastify';
import type { Log } from '../../log/log.ts';
import type { Work, WorkQueue } from './work-queue.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Default: `reads` for GET, `changes` for others. `unbounded`: never waits, such as a health check. */
    work?: Work | 'unbounded';
  }
}

const REPORT_EVERY_MS = 60_000;

/** Returns what to call for each refused request: reports refusals in the log, at most once a minute. */
export function reportRefusals(log: Pick<Log, 'report'>): (work: Work) => void {
  let refused = 0;
  let reportedAt = Number.NEGATIVE_INFINITY;
  return (work) => {
    refused++;
    const now = performance.now();
    if (now - reportedAt < REPORT_EVERY_MS) return;
    log.report('http.overloaded', { work, refused });
    reportedAt = now;
    refused = 0;
  };
}

/**
 * Passes the requests of every route added after it through the queue: one beyond its bounds is refused before its body is read
 * or its key looked up. A slot is held while the handler works, and not while a slow caller sends the body. What is only read
 * leaves the queue with its caller; what alters something or tells us something is done, although nobody reads the answer.
 */
export function addAdmission(app: FastifyInstance, queue: WorkQueue): void {
  app.addHook('onRequest', async (request) => {
    const work = workOf(request.method, request.routeOptions.config);
    if (work !== null) queue.refuseIfFull(work);
  });
  const admitted = new WeakSet<RouteHandlerMethod>(); // the HEAD route of a GET comes with the handler of the GET
  app.addHook('onRoute', (route) => {
    const { handler } = route;
    if (admitted.has(handler)) return;
    route.handler = function admit(request, reply) {
      const work = workOf(request.method, request.routeOptions.config);
      const handle = async (): Promise<unknown> => handler.call(this, request, reply);
      if (work === null) return handle();
      return queue.run(work, handle, (leave) => {
        if (isRead(request.method)) reply.raw.once('close', leave);
      });
    };
    admitted.add(route.handler);
  });
}

/** Returns the class of a request; null: unbounded. */
function workOf(method: string, config: { work?: Work | 'unbounded' } | undefined): Work | null {
  const work = config?.work ?? (isRead(method) ? 'reads' : 'changes');
  return work === 'unbounded' ? null : work;
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';
