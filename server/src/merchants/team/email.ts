const LONGEST = 254;
/** What the sign-in library takes for an address: an invitation to another could never be used. */
const FORM = /^(?!\.)(?!.*\.\.)[a-z0-9_'+.-]*[a-z0-9_+-]@([a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/;

/** An email address as it is stored and compared: trimmed, in small letters. Null where it is none. */
export function parseEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  return email.length <= LONGEST && FORM.test(email) ? email : null;
}
