/** An answer of the fake. */
export interface Reply {
  status: number;
  body: unknown;
}

const PAGES = 'https://docs.truelayer.com/docs/error-types#';
let count = 0;

/** Returns an error as TrueLayer writes them (RFC 7807). */
export function problem(
  status: number,
  title: string,
  detail: string,
  errors?: Record<string, string[]>,
): Reply {
  count += 1;
  const type = PAGES + title.toLowerCase().replaceAll(' ', '-');
  const trace_id = count.toString(16).padStart(32, '0');
  return { status, body: { type, title, status, detail, trace_id, ...(errors && { errors }) } };
}

export const invalidState = (detail: string): Reply => problem(400, 'Invalid State', detail);
export const invalidParameters = (errors: Record<string, string[]>): Reply =>
  problem(400, 'Invalid Parameters', 'The request body was invalid.', errors);
export const notFound = (what: string): Reply =>
  problem(404, 'Not Found', `${what} could not be found.`);
export const unauthenticated = (detail: string): Reply => problem(401, 'Unauthenticated', detail);
