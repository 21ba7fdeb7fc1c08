import type { Logo } from './logo.ts';

/** What the service is called and how it looks, wherever people meet it: docs/guides/operators.md#your-brand. */
export interface Brand {
  name: string;
  /** In place of the mark and the name; null: they stand there. */
  logo: Logo | null;
  /** Of buttons and links on light pages. White text on it is legible. */
  colour: string;
  /** Of buttons and links on dark pages, where it is legible as text. */
  colourOnDark: string;
  /** Where the people who use the service write to for help; null: nowhere. */
  supportEmail: string | null;
}

/** The name of a service that has been given none. */
export const DEFAULT_NAME = 'Recollect';
export const DEFAULT_COLOUR = '#0a6650';
/** What the default colour is on dark pages. */
export const DEFAULT_ON_DARK = '#3fbf93';

/** Returns the sentences at the end of every email: who sends it, and where there is help. */
export function signOff({ name, supportEmail }: Brand): string {
  return `Sent by ${name}.${supportEmail === null ? '' : ` Help: ${supportEmail}`}`;
}

/** Returns the first letter of a name, as it stands on a mark. */
export function initialOf(name: string): string {
  const [first] = new Intl.Segmenter('en-GB').segment(name.trim());
  return first?.segment.toLocaleUpperCase('en-GB') ?? '?';
}
