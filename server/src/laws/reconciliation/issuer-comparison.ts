import type { Platform } from '../../platform/platform.ts';
import { FEE_WALLET } from '../../wallets/fee-wallet.ts';
import { findFeeWallet } from '../../wallets/fee-wallet-store.ts';
import { type Issuer, type IssuerBalance, IssuerUnavailable } from '../../wallets/issuer.ts';
import { readExternalReference } from '../../wallets/service.ts';
import type { Examined, Finding } from '../findings/finding.ts';
import { pages } from '../findings/pages.ts';
import { examineFeeWallet } from './fee-wallet-comparison.ts';
import {
  debtsOf,
  movementsSince,
  owedUnderWay,
  sourcesOf,
  underWayPence,
} from './issuer-effects.ts';
import { londonDay } from './london-day.ts';
import { type Differing, explainByStatement } from './many-wallets.ts';
import {
  findBooked,
  findBookedDebts,
  findHoldings,
  findOwed,
  findReturned,
  findUnderWay,
  findWalletBooks,
  haveOpened,
  keyOf,
  type WalletBooks,
} from './wallet-books.ts';

export const AS_THE_ISSUER = {
  law: 'ledger-equals-issuer',
  sentence: "Our ledger and the issuer's balances agree, net of what is under way.",
};

const PAGE = 500;
/** The maximum number of wallets whose movements are read because the balances differ: each costs three calls. */
const MAX_EXAMINED = 2_000;
/** How often a wallet is examined if it changes meanwhile. */
const TRIES = 3;
/** As many differing wallets are examined one by one at once; more are first compared by the statement. */
const MAX_ONE_BY_ONE = 20;

/**
 * Compares every wallet with the issuer, page by page. If the balances of many differ, because much is in progress, the
 * statement explains most of them. The movements of the remaining wallets are read: what they explain is in progress, the rest
 * is a difference. What could not be compared is unknown, with its reason.
 */
export async function compareWithIssuer(platform: Platform, issuer: Issuer): Promise<Finding> {
  const finding: Finding = { ...AS_THE_ISSUER, broken: [] };
  const unknown: string[] = [];
  const note = ({ difference, reason }: Examined): void => {
    if (difference !== null) finding.broken.push(difference);
    if (reason !== null) unknown.push(reason);
  };
  try {
    const { listed, suspects, broken, owed, feeWallets } = await compareBalances(platform, issuer);
    finding.broken.push(...broken);
    if (listed === 0 && (await platform.db.read(haveOpened)))
      unknown.push('the issuer lists no balances');
    for (const account of owed) note(await examineOwed(platform, issuer, account));
    for (const wallet of feeWallets) note(await examineFeeWallet(platform, issuer, wallet));
    const left = await explainMany(platform, issuer, suspects);
    for (const [place, { wallet }] of left.entries()) {
      if (place === MAX_EXAMINED) {
        unknown.push(`${left.length - place} wallets: too many differ to look at each`);
        break;
      }
      note(await examine(platform, issuer, wallet));
    }
  } catch (error) {
    if (!(error instanceof IssuerUnavailable)) throw error;
    unknown.push('the issuer does not answer');
  }
  if (unknown.length > 0) finding.unknown = unknown.join('; ');
  return finding;
}

/** Returns the wallets that are to be examined one by one: the merchants' own, and what the statement does not explain. */
async function explainMany(
  platform: Platform,
  issuer: Issuer,
  suspects: readonly Differing[],
): Promise<Differing[]> {
  const own = suspects.filter(({ wallet }) => wallet.customerId === null);
  let others = suspects.filter(({ wallet }) => wallet.customerId !== null);
  for (let tries = 0; tries < TRIES && others.length > MAX_ONE_BY_ONE; tries++)
    others = await explainByStatement(platform, issuer, others);
  return [...own, ...others];
}

interface Balances {
  /** How many balances the issuer listed. */
  listed: number;
  suspects: Differing[];
  broken: string[];
  owed: string[];
  feeWallets: string[];
}

/**
 * Reads both sides' balances: returns what nothing in progress can explain, the wallets that differ, and the accounts that are no
 * merchant's.
 */
async function compareBalances(platform: Platform, issuer: Issuer): Promise<Balances> {
  const { db, clock } = platform;
  const seen = new Set<string>();
  const suspects: Differing[] = [];
  const broken: string[] = [];
  const owed: string[] = [];
  const feeWallets: string[] = [];
  for await (const page of pages(issuer.listBalances(londonDay(clock.now())), PAGE)) {
    const operators = page.filter(isFeeWallet).map((one) => one.issuerWalletId);
    feeWallets.push(...operators);
    for (const id of operators) seen.add(id);
    const merchants = page.filter((one) => !isFeeWallet(one));
    const named = merchants.map((balance) => ({ balance, ref: refOf(balance) }));
    const refs = named.flatMap(({ ref }) => (ref === null ? [] : [ref]));
    const books = await db.read((tx) => findWalletBooks(tx, refs));
    const byId = new Map(books.map((wallet) => [wallet.issuerWalletId, wallet]));
    for (const { balance, ref } of named) {
      const wallet = byId.get(balance.issuerWalletId);
      seen.add(balance.issuerWalletId);
      if (wallet === undefined) {
        if (ref === null) owed.push(balance.issuerWalletId);
        else if (balance.currentPence !== 0)
          broken.push(
            `the issuer has ${balance.currentPence} in ${balance.issuerWalletId}, which is not ours`,
          );
      } else if (wallet.pence !== balance.currentPence)
        suspects.push({ wallet, balancePence: balance.currentPence });
    }
  }
  broken.push(...(await missingAtTheIssuer(db, seen)));
  return { listed: seen.size + owed.length, suspects, broken, owed, feeWallets };
}

const isFeeWallet = ({ externalReference }: IssuerBalance): boolean =>
  externalReference === FEE_WALLET;

/** Compares the one account that is no wallet, what we owe for recalled pay-ins, until both sides are stable. */
async function examineOwed(
  { db, clock }: Platform,
  issuer: Issuer,
  account: string,
): Promise<Examined> {
  for (let tries = 0; tries < TRIES; tries++) {
    const { since } = await db.read(findOwed);
    const balancePence = await readBalance(issuer, account, clock.now());
    const movements = await Array.fromAsync(
      issuer.listMovements(account, movementsSince(clock.now(), since)),
    );
    const { recalls, covers } = debtsOf(movements);
    const { pence, booked } = await db.snapshot(async (tx) => ({
      pence: (await findOwed(tx)).pence,
      booked: await findBookedDebts(tx, recalls, covers),
    }));
    if ((await readBalance(issuer, account, clock.now())) !== balancePence) continue;
    if (-balancePence === pence + owedUnderWay(movements, booked))
      return { difference: null, reason: null };
    const difference = `recalled pay-ins: ledger ${-pence}, issuer ${balancePence}`;
    return { difference, reason: null };
  }
  return { difference: null, reason: 'recalled pay-ins: they change while they are compared' };
}

/** Returns the balance of an account that is no wallet: such accounts are listed first. */
async function readBalance(
  issuer: Issuer,
  account: string,
  now: Temporal.Instant,
): Promise<number> {
  for await (const balance of issuer.listBalances(londonDay(now)))
    if (balance.issuerWalletId === account) return balance.currentPence;
  return 0;
}

async function missingAtTheIssuer(
  db: Platform['db'],
  seen: ReadonlySet<string>,
): Promise<string[]> {
  const feeWallet = await db.read(findFeeWallet);
  const isLost = feeWallet !== null && !seen.has(feeWallet);
  const broken = isLost ? ['fee wallet: unknown to the issuer'] : [];
  let after = { merchantId: '', walletId: '' };
  for (;;) {
    const page = await db.read((tx) => findHoldings(tx, after, PAGE));
    for (const wallet of page)
      if (!seen.has(wallet.issuerWalletId))
        broken.push(`${keyOf(wallet)}: ledger ${wallet.pence}, unknown to the issuer`);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return broken;
    after = last;
  }
}

/** Examines one wallet until it is stable: both sides are the same before and after its movements were read. */
async function examine(platform: Platform, issuer: Issuer, wallet: WalletBooks): Promise<Examined> {
  for (let tries = 0; tries < TRIES; tries++) {
    const seen = await readBothSides(platform, issuer, wallet);
    if (seen === null) continue;
    const { pence, underWay, balancePence } = seen;
    if (pence + underWay === balancePence) return { difference: null, reason: null };
    const under = underWay === 0 ? '' : `, under way ${underWay}`;
    const difference = `${keyOf(wallet)}: ledger ${pence}${under}, issuer ${balancePence}`;
    return { difference, reason: null };
  }
  return { difference: null, reason: `${keyOf(wallet)}: it changes while it is compared` };
}

interface BalanceReading {
  pence: number;
  underWay: number;
  balancePence: number;
}

/** Reads both sides once. Null: something changed meanwhile. */
async function readBothSides(
  { db, clock }: Platform,
  issuer: Issuer,
  wallet: WalletBooks,
): Promise<BalanceReading | null> {
  const id = wallet.issuerWalletId;
  const before = await db.read((tx) => findUnderWay(tx, wallet));
  const since = movementsSince(clock.now(), before.since);
  const { balancePence } = await issuer.readWallet(id);
  const movements = await Array.fromAsync(issuer.listMovements(id, since));
  const after = await db.snapshot(async (tx) => ({
    books: await findWalletBooks(tx, [
      { merchantId: wallet.merchantId, walletId: wallet.walletId },
    ]),
    underWay: await findUnderWay(tx, wallet),
    booked: await findBooked(tx, wallet.merchantId, movements.flatMap(sourcesOf)),
    givenBack: await findReturned(tx, wallet, since),
  }));
  const again = await issuer.readWallet(id); // last: what came since the first call may be in our books already
  const { setApart } = after.underWay;
  const pence = after.books[0]?.pence;
  const isSame = JSON.stringify(setApart) === JSON.stringify(before.setApart);
  if (pence === undefined || !isSame || again.balancePence !== balancePence) return null;
  const underWay = underWayPence(id, movements, { ...after, setApart });
  return { pence, balancePence, underWay };
}

const refOf = (balance: IssuerBalance) =>
  balance.externalReference === null ? null : readExternalReference(balance.externalReference);
