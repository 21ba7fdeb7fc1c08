const LONGEST = 254;
/** The sign-in library's format of an address: an invitation to any other could never be used. */
const EMAIL_FORMAT = /^(?!\.)(?!.*\.\.)[a-z0-9_'+.-]*[a-z0-9_+-]@([a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/;

/** Returns an email address as it is stored and compared: trimmed, in lower case. Null if it is not valid. */
export function parseEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  return email.length <= LONGEST && EMAIL_FORMAT.test(email) ? email : null;
}
