import { realNow } from '../platform/time/clock.ts';
import {
  type Aggregator,
  connectionOf,
  type ListedBank,
  pollBankList,
  type Report,
} from './aggregator.ts';
import { type Bank, BankDefect, type NoticeReceiver } from './bank.ts';
import type { ModulrConfig } from './modulr/config.ts';
import { openModulr } from './modulr/connector.ts';
import type { OpenBankingConfig } from './open-banking/config.ts';
import { type OpenBankingBank, openBankingBank } from './open-banking/connector.ts';
import type { TrueLayerConfig } from './truelayer/config.ts';
import { openTrueLayer } from './truelayer/connector.ts';

/** The configured connections: to banks themselves, and to aggregators, which have many banks behind them. */
export interface BankConnections {
  direct: readonly OpenBankingConfig[];
  modulr: readonly ModulrConfig[];
  truelayer: readonly TrueLayerConfig[];
}

/** The banks by id, in the order in which the customer sees them. */
export interface BankDirectory {
  /**
   * Iterates over the banks that customers can choose. `get` knows more: every bank of a connection, listed or not, because
   * consents outlive a list.
   */
  readonly banks: ReadonlyMap<string, Bank>;
  /** What takes the notices of all banks behind a connection, by its id. */
  readonly receivers: ReadonlyMap<string, NoticeReceiver>;
  /** Reads the lists of the banks behind aggregators, and again every hour. Resolves after the first try. */
  keepListed(report: Report): Promise<void>;
  /** The direct banks' configurations that are in use. */
  direct(): readonly OpenBankingConfig[];
  /**
   * Uses another configuration for a direct bank from now on. Calls that were begun with the former one end with it. Throws
   * `BankDefect` if it is wrong.
   */
  renew(config: OpenBankingConfig): Promise<void>;
  close(): Promise<void>;
}

/** How long a caller may go on with a connector that was replaced: more than any call takes. */
const IN_USE_MS = 60_000;

interface Own {
  config: OpenBankingConfig;
  bank: OpenBankingBank;
}

interface Options {
  /** Wraps every connector. */
  wrap?: (bank: Bank) => Bank;
  /** Business time: whether a consent has reached its end. */
  now?: () => Temporal.Instant;
}

/**
 * Creates a connector for each bank. Throws `BankDefect` if two ids are the same, or cannot be told apart, or a configuration is
 * wrong.
 */
export async function bankDirectory(
  { direct, modulr, truelayer }: BankConnections,
  { wrap = (bank) => bank, now = realNow }: Options = {},
): Promise<BankDirectory> {
  const ids = [...direct, ...modulr, ...truelayer].map(({ bankId }) => bankId);
  const twice = ids.find((bankId, n) => ids.indexOf(bankId) !== n);
  if (twice !== undefined) throw new BankDefect(`two banks are called ${twice}`, 'config');
  for (const bankId of ids) {
    const within = connectionOf([...modulr, ...truelayer], bankId)?.bankId;
    if (within !== undefined)
      throw new BankDefect(
        `${bankId} could be a bank behind ${within}: choose another id`,
        'config',
      );
  }
  const own = new Map<string, Own>();
  for (const config of direct)
    own.set(config.bankId, { config, bank: await openBankingBank(config) });
  const connections = [
    ...modulr.map((config) => openModulr(config, now)),
    ...truelayer.map((config) => openTrueLayer(config, now)),
  ];
  const banks = new Banks(
    [...own.values()].map(({ bank }) => wrap(bank)),
    connections,
    wrap,
  );
  const receivers = connections.flatMap(({ receiver }) => receiver ?? []);
  const former = new Set<OpenBankingBank>();
  const lists: { stop(): void }[] = [];
  return {
    banks,
    receivers: new Map(receivers.map((one) => [one.bankId, one])),
    async keepListed(report) {
      const listed = connections.map((one) =>
        pollBankList(one, (list) => banks.show(one, list), report),
      );
      lists.push(...listed);
      await Promise.all(listed.map(({ first }) => first));
    },
    direct: () => [...own.values()].map(({ config }) => config),
    async renew(config) {
      const before = own.get(config.bankId);
      if (before === undefined) throw new BankDefect(`no direct bank ${config.bankId}`, 'config');
      const bank = await openBankingBank(config);
      own.set(config.bankId, { config, bank });
      banks.set(config.bankId, wrap(bank));
      former.add(before.bank);
      setTimeout(() => {
        if (former.delete(before.bank)) void before.bank.close();
      }, IN_USE_MS).unref();
    },
    close: async () => {
      for (const list of lists) list.stop();
      const direct = [...own.values()].map(({ bank }) => bank);
      await Promise.all([...direct, ...former, ...connections].map((one) => one.close()));
      former.clear();
    },
  };
}

/** The banks that are offered, as a map; `get` finds those behind a connection that are not, too. */
class Banks extends Map<string, Bank> {
  readonly #connections: readonly Aggregator[];
  readonly #wrap: (bank: Bank) => Bank;
  /** The banks behind the connections that somebody has asked for, or that a list has. */
  readonly #known = new Map<string, Bank>();

  constructor(
    direct: readonly Bank[],
    connections: readonly Aggregator[],
    wrap: (bank: Bank) => Bank,
  ) {
    super();
    this.#connections = connections;
    this.#wrap = wrap;
    for (const bank of direct) this.set(bank.bankId, bank);
  }

  override get(bankId: string): Bank | undefined {
    return super.get(bankId) ?? this.#known.get(bankId) ?? this.#unlisted(bankId);
  }

  override has(bankId: string): boolean {
    return this.get(bankId) !== undefined;
  }

  /** Offers what the list of a connection has open, and nothing else of it. */
  show(connection: Aggregator, list: readonly ListedBank[]): void {
    const begins = `${connection.bankId}-`;
    for (const bankId of this.#known.keys()) if (bankId.startsWith(begins)) this.delete(bankId);
    for (const listed of list) {
      const bank = this.#make(connection, listed);
      if (listed.isOpen) this.set(bank.bankId, bank);
    }
  }

  #unlisted(bankId: string): Bank | undefined {
    const connection = connectionOf(this.#connections, bankId);
    if (connection === undefined) return undefined;
    const id = bankId.slice(connection.bankId.length + 1);
    return this.#make(connection, { id, name: id });
  }

  #make(connection: Aggregator, { id, name }: Omit<ListedBank, 'isOpen'>): Bank {
    const bank = this.#wrap(connection.bank(id, name));
    this.#known.set(bank.bankId, bank);
    return bank;
  }
}
