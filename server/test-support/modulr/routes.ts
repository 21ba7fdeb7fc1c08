import type { Asked, Reply } from './asked.ts';
import type { Account, FakeBooks, Payment, Transaction } from './books.ts';

const wrong = (field: string, code: string, message: string): Reply => ({
  status: 400,
  body: [{ field, code, message, sourceService: 'FAKE' }],
});

const time = (at: Temporal.Instant): string => at.toString({ smallestUnit: 'millisecond' });
const pounds = (pence: number): string => (pence / 100).toFixed(2);

/** Answers a request out of the books, as the document says. */
export function answerFrom(books: FakeBooks, asked: Asked): Reply {
  const { method, path } = asked;
  const [, first = '', id = '', what = ''] = path.split('/');
  const call = `${method} /${first}${id === '' ? '' : '/…'}${what === '' ? '' : `/${what}`}`;
  switch (call) {
    case 'POST /customers/…/accounts': {
      const reference = String(asked.body.externalReference ?? '');
      return { status: 201, body: accountJson(books, books.openAccount(id, reference)) };
    }
    case 'GET /accounts':
      return pageOf(asked.query, accounts(books, asked.query));
    case 'GET /accounts/…':
      return ofAccount(books, id, (account) => ({
        status: 200,
        body: accountJson(books, account),
      }));
    case 'POST /accounts/…/close':
      return ofAccount(books, id, close);
    case 'GET /accounts/…/transactions':
      return ofAccount(books, id, (account) =>
        pageOf(asked.query, lines(books, account, asked.query)),
      );
    case 'POST /account-name-check':
      return checkName(books, asked.body);
    case 'POST /payments':
      return pay(books, asked.body);
    case 'GET /payments':
      return pageOf(asked.query, found(books, asked.query));
    default:
      return (
        books.vrp.answer(asked) ?? {
          status: 404,
          body: [{ field: 'path', code: 'NOTFOUND', message: call }],
        }
      );
  }
}

/** The results of name checks by account number; any other matches. */
export const NAMES = {
  close: '44444441',
  other: '44444442',
  personal: '44444443',
  notEnrolled: '44444444',
  missing: '44444445',
} as const;

const RESULTS: Readonly<Record<string, object>> = {
  [NAMES.close]: { code: 'CLOSE_MATCH', name: 'Fernhill Broadband Ltd' },
  // The document does not say that the name is left out.
  [NAMES.other]: { code: 'NOT_MATCHED', name: 'Somebody Else' },
  [NAMES.personal]: { code: 'PERSONAL_ACCOUNT_NAME_MATCHED' },
  [NAMES.notEnrolled]: { code: 'NOT_ENROLLED' },
  [NAMES.missing]: { code: 'ACCOUNT_DOES_NOT_EXIST' },
};

function checkName(books: FakeBooks, body: Record<string, unknown>): Reply {
  if (!books.accounts.has(String(body.paymentAccountId)))
    return wrong('paymentAccountId', 'INVALID', 'No such account');
  const result = RESULTS[String(body.accountNumber)] ?? { code: 'MATCHED' };
  return { status: 201, body: { id: 'C12001569Z', result } };
}

function ofAccount(books: FakeBooks, id: string, answer: (account: Account) => Reply): Reply {
  const account = books.accounts.get(id);
  return account === undefined
    ? wrong('id', 'NOTFOUND', `Account not found for id: ${id}`)
    : answer(account);
}

function close(account: Account): Reply {
  if (account.status === 'CLOSED') return wrong('id', 'BUSINESSRULE', 'Account is closed');
  if (account.balance !== 0) return wrong('id', 'BUSINESSRULE', 'Balance is not zero');
  account.status = 'CLOSED';
  return { status: 200, body: undefined };
}

function pay(books: FakeBooks, body: Record<string, unknown>): Reply {
  const source = books.accounts.get(String(body.sourceAccountId));
  if (source?.status !== 'ACTIVE') return wrong('sourceAccountId', 'INVALID', 'No such account');
  const destination = body.destination as { type: string; id?: string };
  const target = destination.type === 'ACCOUNT' ? books.accounts.get(destination.id ?? '') : null;
  if (target === undefined || target?.status === 'CLOSED')
    return wrong('destination', 'INVALID', 'No such account');
  const text = String(body.reference ?? '');
  if (!/^[\w\-.&/ ]{6,18}$/.test(text) || new Set(text).size < 2)
    return wrong('reference', 'INVALID', 'Min 6 to max 18 characters');
  if (books.available(source) < Math.round(Number(body.amount) * 100))
    return wrong('amount', 'BUSINESSRULE', 'Account has insufficient funds');
  return { status: 201, body: paymentJson(books.order(source, target, body)) };
}

function accounts(books: FakeBooks, query: URLSearchParams): unknown[] {
  const { statuses, customerId } = {
    statuses: query.getAll('statuses'),
    customerId: query.get('customerId'),
  };
  const reference = query.get('externalReference.value');
  return [...books.accounts.values()]
    .filter((one) => customerId === null || one.customerId === customerId)
    .filter((one) => reference === null || one.externalReference === reference)
    .filter((one) => statuses.length === 0 || statuses.includes(one.status))
    .map((one) => accountJson(books, one));
}

function found(books: FakeBooks, query: URLSearchParams): unknown[] {
  const ids = query.getAll('ids');
  if (ids.length > 0) return books.payments.filter(({ id }) => ids.includes(id)).map(paymentJson);
  const since = Temporal.Instant.from(query.get('fromCreatedDate') ?? '');
  const [source, reference] = [query.get('sourceAccountId'), query.get('externalReference')];
  const [status, scheme, type] = [query.get('status'), query.get('schemeId'), query.get('type')];
  return books.payments
    .filter((one) => one.type === (type ?? 'PAYOUT'))
    .filter((one) => Temporal.Instant.compare(one.created, since) >= 0)
    .filter((one) => source === null || (one.type === 'PAYOUT' && one.account.id === source))
    .filter((one) => reference === null || one.externalReference === reference)
    .filter((one) => status === null || one.status === status)
    .filter((one) => scheme === null || one.schemeId === scheme)
    .map(paymentJson);
}

function lines(books: FakeBooks, account: Account, query: URLSearchParams): unknown[] {
  const moment = (name: string, other: string): Temporal.Instant =>
    Temporal.Instant.from(query.get(name) ?? other);
  const from = moment('fromPostedDate', '2000-01-01T00:00:00Z');
  const to = moment('toPostedDate', '2999-01-01T00:00:00Z');
  const [credit, source] = [query.get('credit'), query.get('sourceId')];
  return books.transactions
    .filter((one) => one.account === account)
    .filter(({ posted }) => Temporal.Instant.compare(posted, from) >= 0)
    .filter(({ posted }) => Temporal.Instant.compare(posted, to) <= 0)
    .filter((one) => credit === null || String(one.credit) === credit)
    .filter((one) => source === null || one.sourceId === source)
    .toReversed()
    .map((one) => transactionJson(books, one));
}

function pageOf(query: URLSearchParams, all: readonly unknown[]): Reply {
  const [page, size] = [Number(query.get('page') ?? 0), Number(query.get('size') ?? 20)];
  const content = all.slice(page * size, (page + 1) * size);
  const totalPages = Math.ceil(all.length / size);
  return { status: 200, body: { content, size, totalSize: all.length, page, totalPages } };
}

function accountJson(books: FakeBooks, account: Account) {
  const { id, status, sortCode, accountNumber, customerId, externalReference, created } = account;
  return {
    id,
    name: 'Fernhill Broadband Ltd',
    balance: pounds(account.balance),
    availableBalance: pounds(books.available(account)),
    currency: 'GBP',
    status,
    identifiers: [{ type: 'SCAN', sortCode, accountNumber }],
    customerId,
    customerName: 'Fernhill Broadband Ltd',
    externalReference,
    accessGroups: [],
    createdDate: time(created),
    directDebit: false,
  };
}

function paymentJson(payment: Payment) {
  const { id, status, externalReference, details, type, created, schemeId } = payment;
  return {
    id,
    status,
    createdDate: time(created),
    externalReference,
    details,
    approvalStatus: 'NOTNEEDED',
    message: status === 'ER_INVALID' ? 'Beneficiary account is invalid' : '',
    schemeInfo: { id: schemeId },
    type,
  };
}

function transactionJson(books: FakeBooks, transaction: Transaction) {
  const { id, pence, credit, type, sourceId, sourceExternalReference, posted, description } =
    transaction;
  return {
    id,
    amount: pence / 100,
    currency: 'GBP',
    description,
    transactionDate: time(posted),
    postedDate: time(posted),
    credit,
    type,
    sourceId,
    ...(sourceExternalReference === '' ? {} : { sourceExternalReference }),
    account: accountJson(books, transaction.account),
  };
}
