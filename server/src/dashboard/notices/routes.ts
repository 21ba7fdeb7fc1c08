import Type from 'typebox';
import { type Route, route } from '../../platform/http/calls/route.ts';
import { pageOf } from '../../platform/http/lists/page.ts';
import { Fields, ListQuery } from '../../platform/http/schemas/schemas.ts';
import type { Platform } from '../../platform/platform.ts';
import { showKinds, showNotices, switchKind } from './service.ts';
import { KindList, NoticeList } from './view.ts';

const tag = 'Dashboard';

/** Returns the routes of the emails: which kinds are on, and what was sent. */
export function noticeRoutes(platform: Platform): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/notices/kinds',
      summary: 'List the kinds of emails',
      tag,
      operationId: 'listNoticeKinds',
      scope: null,
      permission: 'read',
      response: KindList,
      handle: (call) => showKinds(platform, call),
    }),
    route({
      method: 'PUT',
      path: '/api/notices/kinds/:kind',
      summary: 'Turn a kind of email on or off',
      tag,
      operationId: 'switchNoticeKind',
      scope: null,
      permission: 'manage_settings',
      proof: 'never',
      params: Type.Object({ kind: Type.String() }),
      body: Fields({
        is_on: Type.Boolean(),
        days_ahead: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 30, description: 'Of the kind that has it.' }),
        ),
      }),
      response: KindList.properties.kinds.items,
      errors: ['not_found', 'forbidden'],
      handle: (call) => switchKind(platform, call, call.params.kind, call.body),
    }),
    route({
      method: 'GET',
      path: '/api/notices',
      summary: 'List the emails, newest first',
      tag,
      operationId: 'listNotices',
      scope: null,
      permission: 'manage_settings',
      query: ListQuery,
      response: NoticeList,
      handle: (call) => showNotices(platform, call, pageOf(call)),
    }),
  ];
}
