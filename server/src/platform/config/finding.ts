/** One finding about a setting. `says` follows the setting's name; for a problem it says what to write instead. */
export interface Finding {
  level: 'good' | 'warning' | 'problem';
  setting: string;
  says: string;
}

/** Returns a problem of a setting. */
export const problem = (setting: string, says: string): Finding => ({
  level: 'problem',
  setting,
  says,
});

/** Returns a warning about a setting. */
export const warning = (setting: string, says: string): Finding => ({
  level: 'warning',
  setting,
  says,
});
