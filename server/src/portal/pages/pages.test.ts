import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIRM_ENV } from '../../../test-support/firm.ts';
import { LARCH_PAY } from '../../../test-support/settings/brand.ts';
import type { ConsentRow } from '../../consents/store.ts';
import { readConfig } from '../../platform/config/config.ts';
import type { RefundRow } from '../../refunds/store.ts';
import { AS_NEEDED } from '../../schedules/limits/limits.ts';
import { NO_CHANGES } from '../../schedules/terms/amounts.ts';
import type { Schedule, Terms } from '../../schedules/terms/schedule.ts';
import { assetsOf } from '../assets.ts';
import { makePaths } from '../paths.ts';
import type { ConsentPageState, Phase, PortalMerchant } from '../standing.ts';
import type { Agreement, Offer } from '../views.ts';
import { aboutPage } from './about.ts';
import { callbackPage } from './callback.ts';
import { declinePage, withdrawPage } from './confirm.ts';
import { confirmOutagePage, confirmOutcomePage, strangerConfirmPage } from './confirm-again.ts';
import { consentPage } from './consent.ts';
import type { Complaint } from './decision.ts';
import { managePage } from './manage.ts';
import { outcomePage } from './outcome.ts';
import { invalidAnswerPage, lateOutagePage, PROBLEMS, problemPage } from './problem.ts';

const OF_DEFAULT = makePaths(readConfig({ BASE_URL: 'http://localhost:4000' }));
const paths = OF_DEFAULT;
const at = Temporal.Instant.from('2026-03-31T08:00:00Z');
const PHASES: Phase[] = [
  'deciding',
  'finishing',
  'granted',
  'denied',
  'rejected',
  'expired',
  'ended',
  'replaced',
  'dropped',
];
const LARGEST_PAGE = 100_000;

/** Makes a text that merchants, banks or strangers may have written, plain or hostile. */
type Text = (name: string) => string;
const plain: Text = (name) => name;
const hostile: Text = (name) => `"'><x-${name} onclick=alert(1)>&<script>${name}</script>!`;

function standingOf(
  text: Text,
  phase: Phase,
  changes: Partial<PortalMerchant> = {},
): ConsentPageState {
  return {
    token: text('token'),
    phase,
    consent: {
      consentId: 'con_1',
      bankId: null,
      linkExpiresAt: at,
      grantedAt: at,
    } as ConsentRow,
    schedule: {
      scheduleId: text('schedule'),
      status: 'active',
      description: text('description'),
      reference: text('reference'),
      maxRetries: 3,
      consentId: 'con_0',
      liveVersion: 1,
      dueAt: at,
      resumeAt: null,
      nextOccurrence: null,
      hasChanges: false,
    } as Schedule,
    merchant: {
      name: text('name'),
      legalName: text('legal-name'),
      email: text('email'),
      website: text('website'),
      address: text('address'),
      terms: text('terms'),
      returnUrl: 'https://shop.example/back?order=1',
      timeZone: 'Europe/London',
      ...changes,
    },
  };
}

const TERMS: Terms = {
  version: 1,
  amountPence: 3499,
  amountMode: 'fixed',
  currency: 'GBP',
  startDate: null,
  series: {
    frequency: { type: 'monthly', day: 31, interval: 1 },
    firstAt: at,
    timeZone: 'Europe/London',
    endAt: null,
  },
  limits: AS_NEEDED,
};

const LIMITS = {
  validFrom: at.toString(),
  validTo: null,
  maximumAmountPence: 3499,
  periodicLimits: [],
};

function offerOf(text: Text): Offer {
  return {
    terms: TERMS,
    current: null,
    coming: [{ dueDate: at, reason: text('reason'), amountPence: 3499, isMost: false }],
    first: { amountPence: 2900, description: text('first-payment'), at },
    limits: LIMITS,
    limitsOf: null,
    retries: { each: 3, last: null },
    banks: [{ bankId: text('bank-id'), name: text('bank-name'), trouble: null }],
  };
}

function wrongLimits(text: Text): Complaint {
  const typed = { perPayment: text('per-payment'), perPeriod: text('per-period') };
  const limits = { ...typed, perPaymentError: text('error'), perPeriodError: null };
  return { about: 'limits', bankId: null, limits };
}

function agreementOf(text: Text): Agreement {
  const description = text('shared-description');
  const { schedule } = standingOf(text, 'granted');
  const payment = {
    status: 'failed',
    errorCode: text('code'),
    returnedPence: 1,
    returnedAt: at,
    dueDate: at,
    amountPence: 1,
    nextRetryAt: null,
  };
  const room = {
    periodStart: Temporal.PlainDate.from('2026-03-31'),
    periodEnd: Temporal.PlainDate.from('2026-04-29'),
  };
  return {
    collecting: [
      { schedule, terms: TERMS, changes: NO_CHANGES },
      {
        schedule: { ...schedule, status: 'paused', resumeAt: at },
        terms: TERMS,
        changes: NO_CHANGES,
      },
    ],
    coming: [{ dueDate: at, reason: text('reason'), amountPence: 1, isMost: true, description }],
    past: [
      {
        waitsForCustomer: false,
        notSent: null,
        waitsForPerson: false,
        unexpectedPence: 0,
        refunds: [{ status: 'success', amountPence: 1, completedAt: at } as RefundRow],
        once: text('once'),
        ...payment,
        description,
      } as unknown as Agreement['past'][number],
    ],
    headroom: [
      {
        ...room,
        limit: { periodType: 'Month', alignment: 'Consent', amountPence: 3 },
        used: 1,
        left: 2,
        planned: 2,
      },
    ],
    notice: { kind: 'limits_changed', since: at },
    limits: LIMITS,
    bankName: text('bank-name'),
    payingAccountEnding: '4958',
    payee: { name: text('payee'), sortCode: '040506', accountNumber: '00012345' },
    grantedAt: at,
    newTermsUrl: text('url'),
  };
}

const toConfirm = (text: Text): Agreement => ({
  ...agreementOf(text),
  notice: { kind: 'reauthentication_needed', since: at },
});

/** Returns every page. */
function allPages(text: Text, paths = OF_DEFAULT): Map<string, string> {
  const deciding = standingOf(text, 'deciding');
  const granted = standingOf(text, 'granted');
  const offer = offerOf(text);
  return new Map([
    ['consent', consentPage(paths, deciding, offer)],
    ['re-consent', consentPage(paths, deciding, { ...offer, current: TERMS })],
    ['no bank chosen', consentPage(paths, deciding, offer, { about: 'bank', bankId: null })],
    ['outage', consentPage(paths, deciding, offer, { about: 'outage', bankId: text('bank-id') })],
    ['wrong limits', consentPage(paths, deciding, offer, wrongLimits(text))],
    ['manage', managePage(paths, granted, agreementOf(text))],
    ['decline', declinePage(paths, deciding)],
    ['withdraw', withdrawPage(paths, granted, [text('covered')])],
    ['about', aboutPage(paths)],
    ['callback', callbackPage(paths, text('answer'))],
    ['invalid answer', invalidAnswerPage(paths, deciding)],
    ['to confirm', managePage(paths, granted, toConfirm(text))],
    ['confirm outage', confirmOutagePage(paths, granted, null)],
    ['late confirm outage', confirmOutagePage(paths, granted, text('answer'))],
    ['confirm, another browser', strangerConfirmPage(paths, granted, text('sealed'))],
    ...(['confirmed', 'declined', 'over'] as const).map((outcome): [string, string] => [
      `confirm: ${outcome}`,
      confirmOutcomePage(paths, granted, outcome, true),
    ]),
    ['late outage', lateOutagePage(paths, deciding, text('answer'))],
    ...PHASES.map((phase): [string, string] => [
      phase,
      outcomePage(paths, standingOf(text, phase)),
    ]),
    ...Object.entries(PROBLEMS).map(([name, problem]): [string, string] => [
      name,
      problemPage(paths, problem),
    ]),
  ]);
}

test('no page lets what others wrote become markup', () => {
  for (const [name, html] of allPages(hostile)) {
    assert.doesNotMatch(html, /<x-|<script>/, name);
    assert.doesNotMatch(html, /[^&]onclick=/, name);
  }
});

test('what others wrote is shown as they wrote it', () => {
  const page = consentPage(paths, standingOf(hostile, 'deciding'), offerOf(hostile));
  const text = page.replaceAll(/&#(\d+);/g, (_all, code) => String.fromCharCode(Number(code)));
  for (const shown of [
    'name',
    'legal-name',
    'email',
    'website',
    'address',
    'terms',
    'description',
    'reason',
    'bank-name',
  ])
    assert.ok(text.includes(hostile(shown)), shown);
});

test('every page names the firm, and says of an example that it is one', () => {
  const live = makePaths(readConfig(FIRM_ENV));
  const pages: [string, (by: typeof paths) => string][] = [
    ['manage', (by) => managePage(by, standingOf(plain, 'granted'), agreementOf(plain))],
    ['problem', (by) => problemPage(by, PROBLEMS.unknown)],
    ['about', aboutPage],
  ];
  for (const [name, render] of pages) {
    assert.match(
      render(paths),
      /Provided by Example Payments Ltd, [^<]*\(an example: this is a sandbox\)/,
      name,
    );
    assert.match(render(live), /Provided by Fern Payments Ltd, FCA reference 123456\.\n/, name);
    assert.match(render(live), /<a href="\/consent\/about">/, name);
  }
  assert.match(
    pages[0]?.[1](live) ?? '',
    /payee, <span class="whole">04-05-06<\/span>, 00012345.*at\s+Hill E-money Ltd/s,
  );
  const about = aboutPage(live);
  for (const said of Object.values(FIRM_ENV))
    assert.ok(about.replaceAll('<wbr>', '').includes(said), said);
  assert.doesNotMatch(about, /example|sandbox/i);
});

test('a payment that waits for the customer says so, and where to confirm', () => {
  const agreement = toConfirm(plain);
  const past = agreement.past.map((one) => ({ ...one, returnedAt: null, waitsForCustomer: true }));
  const page = managePage(paths, standingOf(plain, 'granted'), { ...agreement, past });
  assert.match(page, /Waiting for you/);
  assert.match(
    page,
    /action="\/consent\/token\/confirm"><button\s+class="main">Confirm at bank-name/,
  );
});

test('a website is a link only where it is one', () => {
  const render = (website: string): string =>
    consentPage(paths, standingOf(plain, 'deciding', { website }), offerOf(plain));
  assert.match(render('https://shop.example/x'), /<a href="https:\/\/shop\.example\/x"/);
  assert.doesNotMatch(render('javascript:alert(1)'), /<a href="javascript/);
});

test('a page brings neither style nor script of its own, and asks no other host for anything', () => {
  for (const [name, html] of allPages(plain)) {
    assert.doesNotMatch(html, /<style|\sstyle=|\son[a-z]+=|<iframe|javascript:/i, name);
    const loaded = [...html.matchAll(/<(?:link|script|img)[^>]*(?:href|src)="([^"]*)"/g)].map(
      (m) => m[1],
    );
    assert.ok(loaded.length >= 2);
    for (const address of loaded) assert.match(address ?? '', /^\/consent\/assets\//, name);
    assert.equal(
      html.includes('<script'),
      name === 'callback' || html.includes('data-follow'),
      name,
    );
  }
});

test('a page has a language, a title, one main part, a first heading and a name for every control', () => {
  for (const [name, html] of allPages(plain)) {
    assert.match(html, /^<!doctype html>\n<html lang="en-GB">/, name);
    assert.match(html, /<title>[^<]+<\/title>/, name);
    assert.equal(html.match(/<main/g)?.length, 1, name);
    assert.match(html, /<h1/, name);
    const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map((m) => m[1]);
    assert.equal(new Set(ids).size, ids.length, `${name}: one id twice`);
    for (const [, to = ''] of html.matchAll(/aria-(?:labelledby|describedby)="([^"]*)"/g))
      assert.ok(ids.includes(to), `${name}: ${to}`);
  }
});

test('every page has the name, the logo and the help of the brand, and another name nowhere', () => {
  const branded = makePaths(readConfig({ BASE_URL: 'http://localhost:4000', ...LARCH_PAY }));
  for (const [name, html] of allPages(plain, branded)) {
    assert.doesNotMatch(html, /recollect/i, name);
    assert.match(html, /"wordmark"><img class="logo drawn" src="[^"]+\.png" alt="Larch Pay"/, name);
    assert.match(html, /<p>Larch Pay collects payments/, name);
    assert.match(html, /Help with these pages: <a href="mailto:help@larch\.example">/, name);
  }
});

test('a page stays below 100 KB with everything that it loads', () => {
  const { tokens, style: own, icon } = assetsOf(readConfig({}).brand);
  const style = Buffer.concat([tokens, own, icon].map(({ body }) => Buffer.from(body))).length;
  for (const [name, html] of allPages(plain))
    assert.ok(Buffer.byteLength(html) + style < LARGEST_PAGE, name);
});

test('an ended set-up says whether earlier terms go on', () => {
  const again = standingOf(plain, 'denied');
  assert.match(outcomePage(paths, again), /will continue on the terms you have already agreed/);
  const first = {
    ...again,
    schedule: { ...again.schedule, consentId: null, status: 'cancelled' as const },
  };
  assert.match(outcomePage(paths, first), /will not collect any payments from you/);
});
