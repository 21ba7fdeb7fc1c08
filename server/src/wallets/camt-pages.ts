import type { CamtStatement } from './camt-entries.ts';

export interface PageNumber {
  number: number;
  isLast: boolean;
}

/** One `Stmt` of a file, which may be a page of a statement. */
export interface PageOfStatement {
  /** The statement's name; null: it has none. */
  id: string | null;
  /** Null: the file does not say that there are pages. */
  page: PageNumber | null;
  statement: CamtStatement;
}

/** Puts the pages of a statement together: those of one account and name of which one at least is not a whole statement. */
export function joinPages(all: readonly PageOfStatement[]): CamtStatement[] {
  const groups = Map.groupBy(all, ({ id, statement }) => `${statement.account} ${id}`);
  return [...groups.values()].flatMap((pages) => {
    const arePages = pages.some(({ page, statement }) => page !== null || !hasBalances(statement));
    return arePages ? [join(pages)] : pages.map(({ statement }) => statement);
  });
}

const hasBalances = ({ openingPence, closingPence }: CamtStatement): boolean =>
  openingPence !== null && closingPence !== null;

function join(unsorted: readonly PageOfStatement[]): CamtStatement {
  const pages = unsorted.toSorted((a, b) => (a.page?.number ?? 0) - (b.page?.number ?? 0));
  const statements = pages.map((one) => one.statement);
  const days = statements.flatMap(({ from, to }) => [from ?? [], to ?? []].flat());
  const sorted = days.sort(Temporal.PlainDate.compare);
  const lacks = missingPage(pages.map((one) => one.page));
  return {
    account: statements[0]?.account ?? '',
    from: sorted[0],
    to: sorted.at(-1),
    openingPence: statements.find((one) => one.openingPence !== null)?.openingPence ?? null,
    closingPence: statements.findLast((one) => one.closingPence !== null)?.closingPence ?? null,
    entries: statements.flatMap((one) => one.entries),
    unread: statements.flatMap((one) => one.unread ?? []),
    ...(lacks === null ? {} : { lacks }),
  };
}

/** Says which of the pages is not there; null: none are missing, or there are none. */
export function missingPage(pages: readonly (PageNumber | null)[]): string | null {
  const known = pages.filter((page) => page !== null);
  if (known.length === 0) return null;
  const numbers = new Set(known.map(({ number }) => number));
  for (let number = 1; number <= numbers.size; number += 1)
    if (!numbers.has(number)) return `page ${number} is missing`;
  const isWhole = known.some(({ number, isLast }) => isLast && number === numbers.size);
  return isWhole ? null : `what comes after page ${numbers.size} is missing`;
}
