import type { NoticeKind } from './kinds.ts';

/** Made-up facts of each kind, for the preview. */
export const SAMPLE_FACTS: Readonly<Record<NoticeKind, Readonly<Record<string, string>>>> = {
  settlement_failed: {
    settlement_id: 'set_example',
    amount: '£482.50',
    account_ending: '4958',
    reason: 'The bank does not know this account.',
  },
  dispute_opened: {
    dispute_id: 'dsp_example',
    amount: '£49.99',
    reason: 'unauthorised',
    raised_by: 'customer',
    deadline: '2026-11-24T23:59:59.000Z',
  },
  endpoint_failing: {
    endpoint_id: 'end_example',
    url: 'https://shop.example/webhooks',
    host: 'shop.example',
    error: '503: only 200 acknowledges',
  },
  api_key_created: { by: 'Kim Fern', name: 'Billing', hint: 'a1b2' },
  api_key_revoked: { by: 'Kim Fern', name: 'Billing', hint: 'a1b2' },
  owners_changed: {
    by: 'Kim Fern',
    name: 'Robin Fern',
    email: 'robin@example.com',
    change: 'is now an owner',
  },
  sign_in_reset: {
    by: 'Robin Fern (who runs this service)',
    name: 'Kim Fern',
    email: 'kim@example.com',
    change: 'had their sign-in reset',
  },
  sso_changed: {
    by: 'Kim Fern',
    issuer: 'https://login.example.com',
    client_id: 'payments-dashboard',
    rule: 'It is optional.',
  },
  settlement_account_change_requested: {
    by: 'Kim Fern',
    old_account: 'the account ending in 4958',
    new_account: 'the account ending in 9911',
    takes_effect_at: '2026-11-24T10:00:00.000Z',
  },
  settlement_account_change_taken_back: {
    by: 'Robin Fern',
    old_account: 'the account ending in 4958',
    new_account: 'the account ending in 9911',
  },
  settlement_account_changed: {
    by: 'the service',
    old_account: 'the account ending in 4958',
    new_account: 'the account ending in 9911',
  },
  invitation: {
    invited_by: 'Kim Fern',
    role: 'a developer',
    url: 'https://pay.example/dashboard/join?token=example',
  },
  new_password: {
    email: 'kim@example.com',
    url: 'https://pay.example/dashboard/new-password?token=example',
  },
  account_reset: {
    email: 'kim@example.com',
    url: 'https://pay.example/dashboard/new-password?token=example',
  },
  second_factor_removed: { email: 'kim@example.com' },
  consent_link: {
    description: 'Gym membership',
    price: '£49.99 every month on the 1st',
    url: 'https://pay.example/consent/example',
  },
  consent_given: {
    description: 'Gym membership',
    about: 'new',
    price: '£49.99 every month on the 1st',
    next_at: '2026-12-01T09:00:00.000Z',
    reference: 'FERNHILL C10400',
    bank: 'Northbank',
    account_ending: '0011',
    limits:
      'Up to £49.99 per payment. Up to £49.99 per month, counted from 1 December 2026. From 1 December 2026, with no end date, until you stop it.',
    url: 'https://pay.example/consent/example',
  },
  payments_ended: {
    description: 'Gym membership',
    reason: 'cancelled by the merchant',
    under_way: '£49.99',
    url: 'https://pay.example/consent/example',
  },
  approve_terms: {
    description: 'Gym membership',
    old_price: '£49.99 every month on the 1st',
    price: '£54.99 every month on the 1st',
    url: 'https://pay.example/consent/example',
  },
  confirm_again: {
    description: 'Gym membership',
    url: 'https://pay.example/consent/example',
  },
  consent_unused: {
    description: 'Gym membership',
    bank: 'Northbank',
    ends_at: '2027-12-24T09:00:00.000Z',
    url: 'https://pay.example/consent/example',
  },
  payment_changes: {
    description: 'Gym membership',
    change: 'set',
    due_date: '2026-11-24T09:00:00.000Z',
    amount: '£39.99',
    usual: '£49.99',
    url: 'https://pay.example/consent/example',
  },
  payment_coming: {
    description: 'Gym membership',
    due_date: '2026-11-24T09:00:00.000Z',
    amount: '£49.99',
    url: 'https://pay.example/consent/example',
  },
  payment_failed: {
    description: 'Gym membership',
    amount: '£49.99',
    code: 'insufficient_funds',
    next_retry_at: '2026-11-24T09:00:00.000Z',
    url: 'https://pay.example/consent/example',
  },
  refund_paid: {
    description: 'Gym membership',
    amount: '£49.99',
    completed_at: '2026-11-24T09:00:00.000Z',
    url: 'https://pay.example/consent/example',
  },
  dispute_ended: {
    description: 'Gym membership',
    outcome: 'rejected',
    amount: '£49.99',
    returned: '£0.00',
    due_date: '2026-11-01T09:00:00.000Z',
    answer: 'You agreed to this payment on 3 March 2026, and used the gym on 4 and 11 November.',
    url: 'https://pay.example/consent/example',
  },
};
