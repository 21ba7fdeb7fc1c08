import type { OPERATOR_VARIABLES } from '../../src/platform/config/operators.ts';
import type { SettingCase } from './notices.ts';

const SSO = {
  OPERATOR_URL: 'https://ops.fern.example/',
  OPERATOR_SSO_ISSUER: 'https://id.fern.example/',
  OPERATOR_SSO_CLIENT_ID: 'console',
  OPERATOR_SSO_CLIENT_SECRET: 'secret',
};
type Name = Extract<
  keyof typeof OPERATOR_VARIABLES,
  keyof typeof SSO | 'OPERATOR_KEY_SIGN_IN' | 'OPERATOR_SESSION_MINUTES'
>;

/** How operators sign in to the console. */
export const CONSOLE_CASES: Record<Name, SettingCase> = {
  OPERATOR_URL: {
    set: SSO,
    good: [
      [
        'https://a.example/ops/',
        'https://a.example/ops/console',
        (c) => c.consoleSignIn.sso?.consoleUrl,
      ],
    ],
    bad: ['http://ops.fern.example', 'ops.fern.example'],
  },
  OPERATOR_SSO_ISSUER: {
    set: SSO,
    good: [
      // An issuer is compared letter by letter: its slash stays.
      ['https://id.example/', 'https://id.example/', (c) => c.consoleSignIn.sso?.issuer],
    ],
    bad: ['http://id.example', 'id.example'],
  },
  OPERATOR_SSO_CLIENT_ID: {
    set: SSO,
    good: [['c', 'c', (c) => c.consoleSignIn.sso?.clientId]],
    bad: [],
  },
  OPERATOR_SSO_CLIENT_SECRET: {
    set: SSO,
    good: [['s', 's', (c) => c.consoleSignIn.sso?.clientSecret]],
    bad: [],
  },
  OPERATOR_KEY_SIGN_IN: {
    set: SSO,
    good: [
      ['on', true, (c) => c.consoleSignIn.byKey],
      ['off', false, (c) => c.consoleSignIn.byKey],
    ],
    bad: ['no', 'true'],
  },
  OPERATOR_SESSION_MINUTES: {
    good: [['60', 60, (c) => c.consoleSignIn.sessionMinutes]],
    bad: ['4', '43201', 'a day'],
  },
};
