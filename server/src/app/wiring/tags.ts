/** What each group of operations of the merchants' document is about, in the order in which they are shown. */
export const TAGS: Readonly<Record<string, string>> = {
  Schedules:
    'What is collected, when and from whom; the consent that it waits for; its coming occurrences; and changes of many at once.',
  Payments: 'One payment for each occurrence, with its attempts and retries.',
  Refunds: 'Money that goes back to the customer who paid.',
  Disputes:
    'Payments that a customer does not recognise or agree with, how they end, and the signed file of their case.',
  Settlements: 'What was collected on a business day, paid out to you on the next.',
  Wallets: 'Where the money is between the customer and your account.',
  Customers: 'Who pays you, what you know of them, and how it is erased.',
  'Webhook endpoints': 'Where you are told what happened, and the secrets that sign it.',
  Webhooks: 'What your endpoints are sent.',
  Events: 'What happened, how it was delivered, and how it is sent again.',
  Banks: 'The banks that your customers choose from, and how they answer now.',
  Merchant: 'Your business details and settings.',
  'API keys': 'Keys, their scopes, their limits and the addresses that they work from.',
  'Prepared acts':
    'What a program prepares and does once, within the limits of its key or with the approval of a person.',
  Sandbox:
    'The clock of the sandbox, its customers, banks and e-money issuer. A live service has none of it.',
};
