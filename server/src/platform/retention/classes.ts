/** What a duty asks of records of one class. */
export interface ClassOfRecords {
  name: string;
  /** How long they are kept at least; null: nobody asks for it. */
  least: string | null;
  /** After which time they are gone at the latest. */
  most: string;
  /** Which duty asks for it. */
  why: string;
}

/** The classes of records, each with the duty behind its times: docs/rules/retention.md has this table. */
export const CLASSES = {
  books: {
    name: 'Books',
    least: 'six years after the financial year',
    most: 'no limit: they name nobody once the customer is erased',
    why: "accounting and tax law; the Money Laundering Regulations 2017, reg. 40, ask for five years of a transaction's records",
  },
  safeguarding: {
    name: 'Safeguarding records',
    least: "five years, by the custom of the FCA's client asset rules",
    most: 'no limit: sums and days, no customer',
    why: 'how long CASS 15 itself asks for is not established here: confirm it with your auditor',
  },
  agreements: {
    name: 'Agreements and their proof',
    least: "six years after the agreement's end",
    most: 'no limit: an erasure takes out what names or numbers the customer',
    why: 'a claim from a contract can be made for six years (Limitation Act 1980, s. 5)',
  },
  told: {
    name: 'What was told',
    least: '13 months',
    most: 'no limit for ids and amounts; messages about a customer until they are erased',
    why: 'for so long a payer may report a payment that they did not authorise (Payment Services Regulations 2017, reg. 74)',
  },
  trail: {
    name: 'Who did what',
    least: 'as long as the books that it explains',
    most: 'no limit',
    why: 'accountability (UK GDPR, art. 5(2)) and audit; it holds ids, and the names of people who worked here',
  },
  identity: {
    name: 'Identity and personal data',
    least: "five years after the relationship's end, where your firm has to identify these people",
    most: "`CUSTOMERS_KEPT_FOR` after the relationship's end, six years unless set",
    why: 'Money Laundering Regulations 2017, reg. 40: five years, then deletion unless another duty keeps it',
  },
  access: {
    name: 'Access',
    least: null,
    most: 'until the person or the key is removed',
    why: 'nobody asks for it: no longer than it is needed (UK GDPR, art. 5(1)(e))',
  },
  operations: {
    name: 'Operations',
    least: null,
    most: 'until the work is done, the setting is changed, or the time below is over',
    why: 'nobody asks for it; it keeps the service going',
  },
} as const satisfies Readonly<Record<string, ClassOfRecords>>;

export type RetentionClass = keyof typeof CLASSES;
