import Type, { type Static } from 'typebox';
import { Id, Instant, NamedObject, OneOf, OrNull } from '../../platform/http/schemas/schemas.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { OPERATOR_ROLES } from '../access/books/roles.ts';
import {
  KINDS,
  type OperatorRequest,
  REQUEST_KINDS,
  REQUEST_STATUSES,
  sentenceOf,
} from './request.ts';

export const RequestView = NamedObject('OperatorRequest', {
  id: Id('orq'),
  kind: OneOf(KINDS),
  role: OneOf(OPERATOR_ROLES, 'What both operators need.'),
  subject: Type.String({ description: 'Whom or what it is about: an id, or a new name.' }),
  what: Type.String({ description: 'What is asked for, in a sentence.' }),
  reason: Type.String(),
  status: OneOf(REQUEST_STATUSES),
  asked_by: Type.String({ description: 'The name of who asked.' }),
  asked_at: Instant,
  expires_at: Instant,
  ended_by: OrNull(Type.String({ description: 'The id of who agreed, or took it back.' })),
  ended_at: OrNull(Instant),
  end_reason: OrNull(Type.String()),
});

/** Returns a request as operators see it: nothing in it lets anybody in. */
export function viewRequest(request: OperatorRequest): Static<typeof RequestView> {
  return {
    id: request.requestId,
    kind: request.kind,
    role: REQUEST_KINDS[request.kind],
    subject: request.subject,
    what: sentenceOf(request, request.subject),
    reason: request.reason,
    status: request.status,
    asked_by: request.askedName,
    asked_at: formatInstant(request.askedAt),
    expires_at: formatInstant(request.expiresAt),
    ended_by: request.endedBy,
    ended_at: formatInstant(request.endedAt),
    end_reason: request.endReason,
  };
}
