import type { SettingCase } from './notices.ts';

/** Settings whose grammar is narrower than what libraries would take. */
export const GRAMMAR_CASES = {
  ROLES: {
    good: [
      ['engine', ['engine'], (c) => c.roles],
      ['api, portal', ['api', 'portal'], (c) => c.roles],
    ],
    bad: ['worker', 'api,', 'api;engine', 'api,api', 'API'],
  },
  HOST: {
    good: [
      ['0.0.0.0', '0.0.0.0', (c) => c.host],
      ['::1', '::1', (c) => c.host],
      ['pay.internal', 'pay.internal', (c) => c.host],
    ],
    bad: [
      '127.1',
      '0x7f000001',
      '2130706433',
      'fe80::1%eth0',
      'localhost',
      'LocalHost',
      'http://pay.internal',
      'pay.internal:80',
      '10.0.0.1, 10.0.0.2',
    ],
  },
  PORT: {
    good: [
      ['8080', 8080, (c) => c.port],
      ['0', 0, (c) => c.port],
    ],
    bad: [
      '65536',
      '-1',
      '80.5',
      'http',
      '1e3',
      '0x10',
      ' 5 ',
      '05',
      '+5',
      '5_000',
      '5,000',
      '5.0',
      '٥',
    ],
  },
  TRUST_PROXY: {
    good: [
      ['none', null, (c) => c.trustProxy],
      ['10.0.0.1', ['10.0.0.1'], (c) => c.trustProxy],
      ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1'], (c) => c.trustProxy],
    ],
    bad: [
      'proxy.example',
      '10.0.0.0/x',
      '10.0.0.0/8/8',
      'true',
      '10.0.0.0/33',
      '::/129',
      '10.0.0.0/08',
      'fe80::1%eth0',
      'none, none',
    ],
  },
  BASE_URL: {
    good: [['https://pay.example/', 'https://pay.example', (c) => c.baseUrl]],
    bad: [
      'pay.example',
      'ftp://pay.example',
      'https:/pay.example',
      'https:pay.example',
      'https:\\\\pay.example',
      'https://pay.exa mple',
      'http://127.1',
      'http://0x7f.1',
      'https:///pay.example',
      ' https://pay.example',
      'https://pay.example\n',
    ],
  },
  EXTRA_BANK_HOLIDAYS: {
    good: [
      ['2027-06-07', ['2027-06-07'], (c) => [...c.bankHolidays.extra]],
      ['2027-06-07, 2028-06-05', ['2027-06-07', '2028-06-05'], (c) => [...c.bankHolidays.extra]],
    ],
    bad: [
      '7 June 2027',
      '2027-6-7',
      '2027-02-29',
      '2027-06-07,',
      '2027-06-07;2027-06-08',
      '20270607',
      '2027-06-07,2027-06-07',
      '2027-06-07T00:00:00Z',
      '2027-13-01',
    ],
  },
  WITHOUT_BANK_HOLIDAYS: {
    good: [['2027-05-03', ['2027-05-03'], (c) => [...c.bankHolidays.without]]],
    bad: ['none', '2027-05-32'],
  },
  LINK_LIFETIME: {
    good: [
      ['P7D', 'P7D', (c) => c.linkLifetime.toString()],
      ['PT30M', 'PT30M', (c) => c.linkLifetime.toString()],
    ],
    bad: [
      '7 days',
      'P',
      '-P7D',
      'PT0S',
      'p7d',
      'P7,5D',
      'P0.5D',
      'PT',
      'P1DT',
      'P10000D',
      'P2Y',
      '+P7D',
      'P7',
    ],
  },
} satisfies Record<string, SettingCase>;
