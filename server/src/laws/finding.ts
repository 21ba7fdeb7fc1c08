/** The result of checking one law of money. */
export interface Finding {
  law: string;
  sentence: string;
  broken: string[];
  /** Why it could not be checked; absent if it could. */
  unknown?: string;
  /** The error of its check, if it threw. */
  error?: unknown;
}
