import type { Route } from '../platform/http/calls/route.ts';

/** The fields of a view that hold a link of a customer. `portal_url` is handed out one by one, and recorded. */
const RECORDED: readonly string[] = ['portal_url'];
const SECRET_FIELDS: readonly string[] = [...RECORDED, 'consent_url', 'link'];

/** Whoever has a customer's link can decide for them: docs/rules/access.md#links-of-customers. */
export function hideLinks(route: Route): Route {
  return {
    ...route,
    handle: async (call) => without(await route.handle(call), call.maySeeLinks === true),
  };
}

/** Leaves the links out of a view, and out of each view of a list. */
function without(result: unknown, maySeeLinks: boolean): unknown {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return result;
  const hidden = maySeeLinks ? RECORDED : SECRET_FIELDS;
  return Object.fromEntries(
    Object.entries(result).flatMap(([name, value]) => {
      if (hidden.includes(name)) return name === 'link' ? [[name, null]] : [];
      if (name === 'data' && Array.isArray(value))
        return [[name, value.map((one) => without(one, maySeeLinks))]];
      return [[name, value]];
    }),
  );
}
