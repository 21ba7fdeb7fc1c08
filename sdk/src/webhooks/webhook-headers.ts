import { WebhookVerificationError } from '../errors.ts';

/** The headers of a request: a `Headers` object, or a plain object such as `request.headers` of Node. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

/**
 * Returns the header with this name, case-insensitively; null if absent. Throws WebhookVerificationError if it appears more than
 * once, since it is then ambiguous.
 */
export function headerOf(headers: WebhookHeaders, name: string): string | null {
  if (isGetter(headers)) return headers.get(name);
  const values = Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value ?? []);
  if (values.length > 1)
    throw new WebhookVerificationError('malformed_header', `The header ${name} is there twice`);
  return values[0] ?? null;
}

function isGetter(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}
