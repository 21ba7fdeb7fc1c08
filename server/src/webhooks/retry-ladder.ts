/** Minutes to wait after failure 1, 2, 3, 4 and 5: docs/rules/webhooks.md#delivery-retries. */
const RETRY_MINUTES: readonly number[] = [1, 5, 15, 30, 60];

/** Returns when a delivery is retried after its `failures`-th failure in a row; null: never, it has failed. */
export function nextTry(failures: number, failedAt: Temporal.Instant): Temporal.Instant | null {
  const minutes = RETRY_MINUTES[failures - 1];
  return minutes === undefined ? null : failedAt.add({ minutes });
}
