import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../values/errors.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route that is served, in the order in which they were added. */
    served: readonly { method: string; url: string }[];
  }
}

function segmentsOf(path: string): string[] {
  return path.split('/').slice(1);
}

function fits(pattern: readonly string[], path: readonly string[]): boolean {
  for (const [i, segment] of pattern.entries()) {
    if (segment === '*') return true;
    const given = path[i];
    if (given === undefined) return false;
    if (segment.startsWith(':') ? given === '' : given !== segment) return false;
  }
  return pattern.length === path.length;
}

/** Responds 404 to unknown paths, and 405 with `Allow` to paths that take other methods. Add it before any route. */
export function addNotFound(app: FastifyInstance): void {
  const served: { method: string; url: string }[] = [];
  app.decorate('served', served);
  app.addHook('onRoute', ({ method: methods, url }) => {
    for (const method of [methods].flat()) served.push({ method, url });
  });
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const path = segmentsOf(request.url.split('?', 1)[0] ?? '');
    const here = served.filter(({ url }) => fits(segmentsOf(url), path));
    const allowed = new Set(here.map(({ method }) => method));
    if (allowed.size === 0 || allowed.has(request.method))
      throw new ApiError('not_found', 'There is nothing at this path.');
    reply.header('allow', [...allowed].sort().join(', '));
    throw new ApiError('method_not_allowed', `This path does not take ${request.method}.`);
  });
}
