import { WebhookVerificationError } from './errors.ts';

/** The headers of a request: a `Headers` object, or a plain one such as `request.headers` of Node. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

/**
 * The header of this name, in whatever case it was written; null without one. Throws WebhookVerificationError where it
 * stands there more than once: then it is not clear which one was meant.
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
