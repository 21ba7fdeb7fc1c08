import type { Bank, NoticeReceiver } from './bank.ts';

/** A bank behind an aggregator, as its list has it. */
export interface ListedBank {
  /** The aggregator's id of it. */
  id: string;
  name: string;
  /** Whether new consents can be made there. */
  isOpen: boolean;
}

/** A connection to an aggregator: makes the connectors of the banks behind it, which share its client. */
export interface Aggregator {
  /** Begins the id of every bank behind it: `modulr` → `modulr-H100000001`. */
  readonly bankId: string;
  /** Reads which banks are behind it. Throws `BankUnavailable`, `BankRefused` or `BankDefect`. */
  list(): Promise<ListedBank[]>;
  /** Returns the connector of one bank; calls nothing. */
  bank(id: string, name: string): Bank;
  /** What takes the notices for all of them, under the id of the connection; absent: none are sent. */
  readonly receiver?: NoticeReceiver;
  close(): Promise<void>;
}

/** Returns the connection among these whose banks' ids begin as this id does. */
export const connectionOf = <C extends { bankId: string }>(
  connections: readonly C[],
  bankId: string,
): C | undefined => connections.find((one) => bankId.startsWith(`${one.bankId}-`));

/** Called with each error of reading a list. */
export type Report = (connection: string, error: unknown) => void;

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/**
 * Reads the list of the banks behind a connection, every hour, and every minute after a failure; the last list stays until there
 * is another. `first` resolves after the first try, whatever came of it.
 */
export function pollBankList(
  connection: Aggregator,
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
        report(connection.bankId, error);
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
