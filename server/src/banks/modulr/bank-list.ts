import type { ListedBank, ModulrConnection } from './connector.ts';

/** Called with each error of reading a list. */
export type Report = (connection: string, error: unknown) => void;

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/**
 * Reads the list of the banks behind a connection, every hour, and every minute after a failure; the last list stays until there
 * is another. `first` resolves after the first try, whatever came of it.
 */
export function pollBankList(
  connection: ModulrConnection,
  show: (list: readonly ListedBank[]) => void,
  report: Report,
): { first: Promise<void>; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const look = async (): Promise<void> => {
    const isRead = await connection.list().then(
      (list) => {
        show(list);
        return true;
      },
      (error: unknown) => {
        report(connection.config.bankId, error);
        return false;
      },
    );
    if (!isStopped) timer = setTimeout(() => void look(), isRead ? HOUR_MS : MINUTE_MS).unref();
  };
  return {
    first: look(),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
