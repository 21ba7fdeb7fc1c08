const FORMS = {
  short: { day: 'numeric', month: 'short' },
  medium: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  long: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

/** Formats a calendar day, such as `2026-03-30`: "30 Mar", "Mon 30 Mar 2026", or "Monday 30 March 2026". */
export function dayWords(date: string, form: keyof typeof FORMS): string {
  // A plain date has no zone: parsed and formatted in the same one, it stays the same.
  return inWords(new Date(`${date}T00:00:00Z`), { ...FORMS[form], timeZone: 'UTC' });
}

/** Formats a moment in a time zone as a day: "Monday 30 March 2026". */
export const dayOfMoment = (at: Date, timeZone: string): string =>
  inWords(at, { ...FORMS.long, timeZone });

/** As everywhere here and on the customer's pages, no comma stands between the weekday and the day. */
const inWords = (at: Date, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-GB', options).format(at).replace(',', '');
