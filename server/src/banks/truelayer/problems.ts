/** An error of TrueLayer's (RFC 7807), as far as we read it. */
export interface Problem {
  title: string;
  detail: string;
  /** TrueLayer's support asks for it. */
  traceId: string;
  /** The fields at fault; what is said of them may repeat what was sent. */
  fields: readonly string[];
  /** `unsigned`: our signature was not taken, and nothing was read. `nothing`: the outcome is unknown. */
  proves: 'refused' | 'unsigned' | 'nothing';
}

/**
 * The titles of a refusal after which nothing was done, by status. 409 says that the same key is in use at this moment, and 422
 * that there is something under it that was ordered with another content: both prove nothing of our order. Neither does 401 or
 * 403, which are about us: an earlier call may have been let in.
 */
const REFUSALS: Readonly<Record<number, readonly string[]>> = {
  400: ['Invalid Parameters', 'Invalid State'],
  404: ['Not Found'],
};
const UNSIGNED = 'Invalid request signature.';

/** Reads the error in an answer; null if it is none of TrueLayer's own. */
export function problemIn(status: number, body: string): Problem | null {
  const json = objectIn(body);
  const text = (name: string): string => (typeof json[name] === 'string' ? json[name] : '');
  const [title, traceId, detail] = [text('title'), text('trace_id'), text('detail')];
  // A proxy on the way has errors of its own, and its 404 is not TrueLayer's.
  if (title === '' || traceId === '' || json.status !== status) return null;
  const isRefusal = REFUSALS[status]?.includes(title) ?? false;
  const isUnsigned = status === 401 && detail === UNSIGNED;
  const fields = Object.keys(json.errors ?? {});
  const proves = isRefusal ? 'refused' : isUnsigned ? 'unsigned' : 'nothing';
  return { title, detail, traceId, fields, proves };
}

/** Names a problem in one line, with what TrueLayer's support needs to find it. */
export function sentenceOf({ title, detail, fields, traceId }: Problem): string {
  const parts = [title, detail, fields.join(', '), `trace ${traceId}`];
  return parts.filter(Boolean).join('; ').slice(0, 500);
}

function objectIn(body: string): Record<string, unknown> {
  try {
    const json: unknown = JSON.parse(body);
    return typeof json === 'object' && json !== null ? { ...json } : {};
  } catch {
    return {};
  }
}
