import { Recollect } from '@recollect/sdk';

/** A method of the client, and the route that it calls. */
export interface SdkMethod {
  /** The property of the client: `webhookEndpoints`. */
  resource: string;
  /** The class behind it: `WebhookEndpoints`. */
  className: string;
  method: string;
  /** As the OpenAPI document writes it, without the names of what stands in the path: `GET /api/v1/schedules/{}`. */
  route: string;
}

/** Names of what stands in a path in place of ids. */
const PLACES = ['place1', 'place2', 'place3'];

/** Returns the route of a path of the OpenAPI document, as `SdkMethod` has it. */
export const routeOf = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`;

/** Calls every method of every resource of the SDK, in the order of the code; returns each with the route that it calls first. */
export async function sdkMethods(): Promise<SdkMethod[]> {
  let route = '';
  const client = new Recollect({
    apiKey: 'rk_test_1',
    baseUrl: 'http://localhost',
    fetch: async (url, init) => {
      const path = new URL(String(url)).pathname.replaceAll(/place\d/g, '{}');
      route ||= `${init?.method} ${path}`;
      return new Response('{"data":[],"total":0,"error":null}');
    },
  });
  const methods: SdkMethod[] = [];
  for (const [resource, of] of Object.entries(client) as [string, Record<string, unknown>][])
    for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(of))) {
      const method = of[name];
      if (name === 'constructor' || typeof method !== 'function') continue;
      route = '';
      await Reflect.apply(method, of, PLACES);
      methods.push({ resource, className: of.constructor.name, method: name, route });
    }
  return methods;
}
