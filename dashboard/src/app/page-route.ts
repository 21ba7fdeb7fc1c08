import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router';

/** Returns a route whose code is fetched on the first visit. */
export function page(path: string, load: () => Promise<ComponentType>): RouteObject {
  return { path, lazy: async () => ({ Component: await load() }) };
}
