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

/** What the comparison of one account came to: a difference, or why it could not be compared; both null: it agrees. */
export interface Examined {
  difference: string | null;
  reason: string | null;
}
