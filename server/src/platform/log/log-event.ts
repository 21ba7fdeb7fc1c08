/** What a log line at level `warn` or above reports. */
export interface LogEvent {
  readonly level: 'warn' | 'error';
  /** The sentence of the line. */
  readonly message: string;
  /** What an operator does about it, as Markdown in docs/reference/log-events.md. */
  readonly action: string;
}

export const warn = (message: string, action: string): LogEvent => ({
  level: 'warn',
  message,
  action,
});
export const error = (message: string, action: string): LogEvent => ({
  level: 'error',
  message,
  action,
});
