import { isComment, type Rule, type SourceFile, type Violation } from './files.ts';

/**
 * Names that were replaced, and what stands in their place. Whoever renames something adds the old name, so that it does not come
 * back: every identifier with its words in a row is refused, however it is spelled (`joinAll`, `JOIN_ALL`, `join_all_now`).
 */
const REPLACED: Readonly<Record<string, string>> = {
  allOrApart: 'isolateFailures',
  ApartCall: 'CallWithOwnTransactions',
  askAgainAt: 'nextPollAt',
  awaitedOf: 'toExpectedPayIn',
  awaitsLastWord: 'awaitsFinalStatus',
  BankStanding: 'BankConditionNow',
  BankWord: 'BankAnswer',
  claimLooks: 'claimChecks',
  doApart: 'callWithOwnTransactions',
  doubtsNo: 'distrustsRefusal',
  dropConsents: 'discardOpenConsents',
  followNow: 'pollNow',
  giveBackFailed: 'releaseAfterFailure',
  giveBackFresh: 'releaseFresh',
  giveBackRest: 'releaseUnsent',
  giveConsent: 'reassignConsent',
  giverBack: 'makeReleaser',
  HandedOn: 'LeaseHandoff',
  hintsAtConsent: 'suggestsConsentProblem',
  HoldWord: 'HoldDecision',
  isOfTheDatabase: 'isDatabaseFailure',
  joinAnew: 'joinWithNewAccount',
  keepSaid: 'recordLateReport',
  leaveOpen: 'keepReading',
  LimitStanding: 'LimitUse',
  lookAtLaws: 'checkInvariants',
  moneyStops: 'findPaidAlready',
  nameRead: 'makeReadDue',
  NotedStanding: 'SentContext',
  noteLate: 'markLatePayIn',
  OperatorWord: 'OperatorDecision',
  OrderStanding: 'OrderContext',
  passOnCarried: 'rollOverFailed',
  putAside: 'holdUndelivered',
  questionFor: 'dueQueryFor',
  readPaid: 'scheduleReads',
  routeApart: 'routeWithOwnTransactions',
  SaidTooLate: 'StatementAfterEnd',
  takeArrival: 'importPayIns',
  takeLinkRow: 'consumeLink',
  takeLost: 'importLostPayIns',
  takePayIns: 'recordPayIns',
  takeUpDeliveries: 'resumeDeliveries',
  takeUpOrders: 'resumeOrders',
  takeUpPayOuts: 'resumePayOuts',
  tellingAs: 'rewriting',
  tellOfFailing: 'notifyEndpointFailing',
  tellOfTerms: 'notifyOfNewTerms',
  tellSkipped: 'recordSkipped',
  standingAtLastCall: 'conditionAtLastCall',
  toldTo: 'confineTo',
  trustIfDoubted: 'confirmDoubtedAccount',
  unguessed: 'opaque',
};

const THIS_RULE = /^scripts\/checks\/identifiers(\.test)?\.ts$/;
const IDENTIFIER = /[A-Za-z_$][\w$]*/g;

/** Returns the words of an identifier in small letters, each between spaces. */
function wordsOf(identifier: string): string {
  const words = identifier.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
  return ` ${words.join(' ').toLowerCase()} `;
}

/** A rule that refuses the names of a table in code, and says what to write. */
export function identifiersRuleOf(replaced: Readonly<Record<string, string>>): Rule {
  const refused = Object.entries(replaced).map(([name, by]) => ({ words: wordsOf(name), by }));
  /** What to write for an identifier, as far as it was looked up. */
  const known = new Map<string, string | undefined>();
  const insteadOf = (identifier: string): string | undefined => {
    if (!known.has(identifier)) {
      const words = wordsOf(identifier);
      known.set(identifier, refused.find((one) => words.includes(one.words))?.by);
    }
    return known.get(identifier);
  };
  const checkFile = ({ path, text }: SourceFile): Violation[] =>
    text.split('\n').flatMap((line, index) =>
      [...(isComment(line) ? '' : line).matchAll(IDENTIFIER)].flatMap(([identifier]) => {
        const instead = insteadOf(identifier);
        if (instead === undefined) return [];
        return [{ path, line: index + 1, message: `${identifier}: ${instead}` }];
      }),
    );
  return {
    name: 'identifiers',
    check: (files) =>
      files
        .filter(({ path }) => /[.](tsx?|mjs|cjs|js)$/.test(path) && !THIS_RULE.test(path))
        .flatMap(checkFile),
  };
}

/** No name that was replaced comes back. */
export const identifiersRule: Rule = identifiersRuleOf(REPLACED);
