/** What a look at one law of money found. */
export interface Finding {
  law: string;
  sentence: string;
  broken: string[];
  /** Why it could not be told; absent where it could. */
  unknown?: string;
  /** What its check threw, where it did. */
  error?: unknown;
}
