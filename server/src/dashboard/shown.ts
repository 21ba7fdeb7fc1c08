import Type, { type TObject } from 'typebox';
import type { Route } from '../platform/http/calls/route.ts';
import type { List } from '../platform/http/lists/page.ts';
import type { Asked, Platform } from '../platform/platform.ts';

/** What a page of a list shows besides the API's view of its rows: names, counts, what needs attention. */
export interface Shown {
  /** The list, by the id of its operation. */
  operationId: string;
  fields: TObject;
  /** Returns the fields of each row, in the rows' order: in as many statements for many as for one. */
  read(platform: Platform, asked: Asked, rows: readonly never[]): Promise<object[]>;
}

/** Adds to a list of the API what `all` show with each row, as its `shown`. Other routes stay as they are. */
export function withShown(platform: Platform, route: Route, all: readonly Shown[]): Route {
  const more = all.find(({ operationId }) => operationId === route.operationId);
  if (more === undefined) return route;
  const { data, ...rest } = (route.response as TObject).properties;
  const { properties } = (data as unknown as { items: TObject }).items;
  const item = Type.Object({ ...properties, shown: more.fields });
  return {
    ...route,
    response: Type.Object({ ...rest, data: Type.Array(item) }),
    handle: async (call) => {
      const page = (await route.handle(call)) as List<object>;
      const shown = await more.read(platform, call, page.data as never[]);
      return { ...page, data: page.data.map((row, n) => ({ ...row, shown: shown[n] })) };
    },
  };
}
