/** What a merchant knows about a customer: docs/rules/schedules.md#names-and-references. */
export interface Profile {
  name: string | null;
  email: string | null;
  /** The merchant's own id of the customer. */
  reference: string | null;
}

/** Everything that PUT changes; the notes are for the team alone. */
export interface FullProfile extends Profile {
  notes: string | null;
}

/** The fields sent: null clears one, an absent one stays as it is. */
export type ProfileChange = Partial<FullProfile>;

export const NO_PROFILE: FullProfile = { name: null, email: null, reference: null, notes: null };

const LONGEST: Readonly<Record<keyof FullProfile, number>> = {
  name: 140,
  email: 254,
  reference: 100,
  notes: 5000,
};
const PROFILE_FIELDS = ['name', 'email', 'reference', 'notes'] as const;

/** Finds typing errors, no more: only a message that arrives proves an address. */
const EMAIL = /^[^\s@"<>()[\]\\,;:]+@[^\s@"<>()[\]\\,;:]+\.[^\s@"<>()[\]\\,;:.]+$/;
const CONTROL_CHARACTER = /\p{Cc}/u;

/** Validates the fields of a profile in a body; returns every wrong one by its path. Empty text is allowed, and clears. */
export function profileErrors(
  fields: Readonly<Record<string, unknown>>,
  path: (field: string) => string = (field) => field,
): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const field of PROFILE_FIELDS) {
    const value = Object.hasOwn(fields, field) ? fields[field] : undefined;
    const error = value === undefined || value === null ? null : fieldError(field, value);
    if (error !== null) errors[path(field)] = error;
  }
  return errors;
}

function fieldError(field: keyof FullProfile, value: unknown): string | null {
  if (typeof value !== 'string') return 'must be text or null';
  if (value.length > LONGEST[field]) return `must be at most ${LONGEST[field]} characters long`;
  if (field !== 'notes' && CONTROL_CHARACTER.test(value.trim())) return 'must be one line of text';
  if (field === 'email' && value.trim() !== '' && !EMAIL.test(value.trim()))
    return 'must be an email address';
  return null;
}

/** Returns the change that checked fields ask for: trimmed, and null for empty text. */
export function readProfile(fields: Readonly<Record<string, unknown>>): ProfileChange {
  const change: ProfileChange = {};
  for (const field of PROFILE_FIELDS) {
    const value = Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (value !== undefined)
      change[field] = typeof value === 'string' ? value.trim() || null : null;
  }
  return change;
}

/** Returns the profile after a change, and the names of the fields that differ. */
export function changeProfile(
  profile: FullProfile,
  change: ProfileChange,
): { after: FullProfile; changed: (keyof FullProfile)[] } {
  const after = { ...profile, ...change };
  return { after, changed: PROFILE_FIELDS.filter((field) => after[field] !== profile[field]) };
}
