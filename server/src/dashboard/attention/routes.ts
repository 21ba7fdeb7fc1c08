import { type Route, route } from '../../platform/http/calls/route.ts';
import type { Platform } from '../../platform/platform.ts';
import { readAttention } from './service.ts';
import { Attention } from './view.ts';

/** Returns the route that lists what needs a person. */
export function attentionRoutes({
  platform,
  bankName,
}: {
  platform: Platform;
  bankName: (bankId: string) => string;
}): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/attention',
      summary: 'List what needs somebody',
      tag: 'Dashboard',
      operationId: 'getAttention',
      scope: null,
      permission: 'read',
      response: Attention,
      handle: (call) => readAttention(platform, call, bankName),
    }),
  ];
}
