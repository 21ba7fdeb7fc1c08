import type { ISSUER_VARIABLES } from '../../src/platform/config/issuer.ts';
import type { SettingCase } from './notices.ts';

export const ISSUER = {
  ISSUER_URL: 'https://issuer.hillemoney.co.uk/',
  ISSUER_KEY_ID: 'key-1',
  ISSUER_SECRET: 'qB7vT2mXw9LrK4nZs8HdYc3FgJ6p',
  ISSUER_NOTIFICATION_SECRET: 'e5RkU1tNy8WzA7bQv4MjPx2GhD9s',
};
export const MODULR = {
  ...ISSUER,
  ISSUER: 'modulr',
  ISSUER_NOTIFICATION_SECRET: 'e5RkU1tNy8WzA7bQv4MjPx2GhD9sKm3T',
  MODULR_CUSTOMER_ID: 'C0000001',
};

/** The settings of the e-money issuer. */
export const ISSUER_CASES: Record<keyof typeof ISSUER_VARIABLES, SettingCase> = {
  ISSUER: {
    set: MODULR,
    good: [['modulr', 'C0000001', (c) => c.issuer?.modulr?.customerId]],
    bad: ['Modulr', 'clearbank'],
  },
  ISSUER_URL: {
    set: ISSUER,
    good: [['https://i.example/v', 'https://i.example/v', (c) => c.issuer?.url]],
    bad: ['i'],
  },
  ISSUER_KEY_ID: { set: ISSUER, good: [['me', 'me', (c) => c.issuer?.keyId]], bad: [] },
  ISSUER_SECRET: { set: ISSUER, good: [['s', 's', (c) => c.issuer?.secret]], bad: [] },
  ISSUER_NOTIFICATION_SECRET: {
    set: ISSUER,
    good: [['n', 'n', (c) => c.issuer?.notificationSecret]],
    bad: [],
  },
  ISSUER_PREVIOUS_NOTIFICATION_SECRET: {
    set: ISSUER,
    good: [['p', 'p', (c) => c.issuer?.previousNotificationSecret]],
    bad: [],
  },
  MODULR_CUSTOMER_ID: {
    set: MODULR,
    good: [['C2', 'C2', (c) => c.issuer?.modulr?.customerId]],
    bad: [],
  },
  MODULR_PRODUCT_CODE: {
    set: MODULR,
    good: [['O120', 'O120', (c) => c.issuer?.modulr?.productCode]],
    bad: [],
  },
  MODULR_WEBHOOK_SIGNATURE: {
    set: MODULR,
    good: [['none', 'none', (c) => c.issuer?.modulr?.webhookSignature]],
    bad: ['hmac', 'None'],
  },
  MODULR_REQUESTS: {
    set: MODULR,
    good: [['2000', 2000, (c) => c.issuer?.modulr?.requests]],
    bad: ['99', '8001', 'all'],
  },
};
