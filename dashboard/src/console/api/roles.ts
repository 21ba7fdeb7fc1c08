/** What an operator may do; every role reads. */
export type Role = 'auditor' | 'support' | 'payments' | 'security';
