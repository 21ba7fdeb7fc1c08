import type { ActDeps } from '../../agents/prepared/deps.ts';
import type { Bank, NoticeReceiver } from '../../banks/bank.ts';
import { bankNotificationRoutes } from '../../banks/routes.ts';
import type { AuthorisationDeps } from '../../consents/authorisation.ts';
import { consentCheckStage } from '../../consents/check-stage.ts';
import { findPayers } from '../../consents/payer-store.ts';
import { viewPayingAccount } from '../../consents/paying-account.ts';
import type { ConsentHooks } from '../../consents/service.ts';
import { activateStage, expireStage, revokeStage } from '../../consents/stages.ts';
import type { CustomerDeps } from '../../customers/directory.ts';
import { paymentRecalled, refundFailed, refundSetApart } from '../../disputes/from-refunds.ts';
import { reconcileStage } from '../../laws/reconciliation/reconciliation-stage.ts';
import { makeAuthenticator } from '../../merchants/keys/authenticator.ts';
import { readMerchant, readRefundsWait, readScheduleSettings } from '../../merchants/service.ts';
import { applyDueChange } from '../../merchants/settlement-account/settlement-account-service.ts';
import { leavingOwnersStage, settlementAccountStage } from '../../merchants/stages.ts';
import { noticesStage, type Senders } from '../../notices/stage.ts';
import { operatorNoticesStage } from '../../operators/notices/stage.ts';
import { paymentHooks } from '../../payments/api/service.ts';
import { waitingUnderReplaced } from '../../payments/books/read-store.ts';
import type { Transfers } from '../../payments/outcomes/paid.ts';
import { evidenceStage } from '../../payments/stages/evidence.ts';
import { openStage } from '../../payments/stages/open.ts';
import { makeSender, submitStage } from '../../payments/stages/submit.ts';
import { trackStage } from '../../payments/stages/track.ts';
import { TRANSFER_LEASE, transferStage } from '../../payments/stages/transfer.ts';
import { unknownPaymentsStage } from '../../payments/stages/unknown-payments.ts';
import { asActor, type Tx } from '../../platform/db/db.ts';
import { type Engine, makeEngine } from '../../platform/engine/engine.ts';
import { LeaseHandoff } from '../../platform/engine/lease-handoff.ts';
import type { Stage } from '../../platform/engine/stage.ts';
import type { Authenticate } from '../../platform/http/calls/auth.ts';
import type { PlainRoutes, Route } from '../../platform/http/calls/route.ts';
import { type Handle, type Inbox, inboxStage, makeInbox } from '../../platform/inbox.ts';
import type { Platform } from '../../platform/platform.ts';
import { forgetStages } from '../../platform/retention/stages.ts';
import { longKeptStages } from '../../privacy/stages.ts';
import type { RefundDeps } from '../../refunds/service.ts';
import { refundPayStage, refundTrackStage, refundWaitStage } from '../../refunds/stages.ts';
import { safeguardingStage } from '../../safeguarding/stage.ts';
import { lockScheduleOf, lockSchedulesUnder } from '../../schedules/books/store.ts';
import { payerOf, planConsent } from '../../schedules/change/consent-plan.ts';
import type { Lifecycle, ScheduleHooks } from '../../schedules/change/hooks.ts';
import { leaveConsent } from '../../schedules/change/lifecycle.ts';
import {
  onConfirmed,
  onFailed,
  onGranted,
  onRevoked,
  onSuspended,
} from '../../schedules/change/on-consent.ts';
import { resumeStage } from '../../schedules/change/resume-later.ts';
import type { ScheduleDeps } from '../../schedules/change/service.ts';
import { manyChangesStage } from '../../schedules/many/stage.ts';
import { announceStage } from '../../schedules/stages/announce.ts';
import { checkStage } from '../../schedules/stages/stages.ts';
import { unusedStage } from '../../schedules/stages/unused.ts';
import { accountHoldsStage } from '../../settlements/account-hold.ts';
import { availableOf } from '../../settlements/available.ts';
import { coverDebtsStage } from '../../settlements/cover-stage.ts';
import type { SettlementDeps } from '../../settlements/destination.ts';
import { transferFeesStage } from '../../settlements/fee-stage.ts';
import { settlementMoment } from '../../settlements/settlement-day.ts';
import { openSettlementsStage, payStage, trackSettlementsStage } from '../../settlements/stages.ts';
import type { Issuer } from '../../wallets/issuer.ts';
import { issuerNotificationRoutes } from '../../wallets/routes.ts';
import { walletsStage } from '../../wallets/service.ts';
import { findMerchantWallet } from '../../wallets/store.ts';
import { FreshDeliveries } from '../../webhooks/fresh-deliveries.ts';
import { describeWebhooks } from '../../webhooks/reference.ts';
import type { Sender } from '../../webhooks/sender.ts';
import { webhookStages } from '../../webhooks/stages.ts';
import { apiRoutes } from './api-routes.ts';
import { EVENTS } from './events.ts';
import { actOnNotifications } from './notifications.ts';

/** The partners behind the ports. */
export interface Partners {
  banks: ReadonlyMap<string, Bank>;
  /** What takes the notices of all banks behind a connection; absent: there are none. */
  receivers?: ReadonlyMap<string, NoticeReceiver>;
  issuer: Issuer;
  /** Sends webhooks; absent: over the network. */
  sender?: Sender;
  /** Sends notices by email; null or absent: they are kept. */
  mail?: Senders['mail'];
  /** Sends notices to customers as text messages; null or absent: nothing does. */
  texts?: Senders['texts'];
}

/** The wired service: its automatic work, its endpoints, and what outer slices build on. */
export interface Service {
  engine: Engine;
  stages: readonly Stage[];
  /** The API's endpoints. */
  routes: Route[];
  /** What API keys prepare. */
  acts: ActDeps;
  /** The webhooks, as the OpenAPI document shows them. */
  webhooks: Record<string, object>;
  /** Finds the caller of an API key. */
  authenticate: Authenticate;
  /** Makes this process forget what it has cached about a key. */
  distrustKey: (keyId: string) => void;
  /** The routes to which banks and the issuer push their notifications. */
  notifications: PlainRoutes[];
  /** Takes in a partner's notification, as its route does once it is verified. */
  receive: Inbox;
  issuer: Issuer;
  authorisation: AuthorisationDeps;
  customers: CustomerDeps;
  schedules: ScheduleDeps;
  settlements: SettlementDeps;
  refunds: RefundDeps;
  /** Returns the webhook endpoints with requests in progress. */
  waitingFor: () => string[];
}

/**
 * Wires every slice. This folder alone knows all of them. `measure` wraps each stage. `servedBy`: the platform of requests, where
 * it is another one than that of collections. Only the stages of collections hand new deliveries on.
 */
export function wireService(
  given: Platform,
  partners: Partners,
  measure: (stage: Stage) => Stage = (stage) => stage,
  servedBy: Platform = given,
): Service {
  const fresh = new FreshDeliveries(given.config);
  const platform: Platform = {
    ...given,
    fanOut: (tx, at, events) => given.fanOut(tx, at, events, fresh),
  };
  const served = servedBy === given ? platform : servedBy;
  const { authorisation, ...slices } = wireSlices(served, partners);
  const automatic =
    served === platform ? { authorisation, ...slices } : wireSlices(platform, partners);
  const { settlements, refunds } = automatic;
  const authenticator = makeAuthenticator(served);
  const transfers: Transfers = new LeaseHandoff(TRANSFER_LEASE);
  const handle: Handle = (tx, now, batch, wait) =>
    actOnNotifications({ ...settlements, refunds, transfers }, tx, now, batch, wait);
  const receive = makeInbox(platform, handle);
  const stages = [
    inboxStage(platform, handle),
    resumeStage(automatic.schedules),
    manyChangesStage(automatic.schedules),
    leavingOwnersStage(platform, authenticator),
    ...stagesOfCollections({ ...partners, platform, transfers, fresh }, automatic.authorisation, {
      settlements,
      refunds,
      schedules: automatic.schedules,
    }),
  ].map(measure);
  return {
    ...slices,
    stages,
    engine: makeEngine(platform.db, platform.clock, platform.log, stages),
    ...apiRoutes(served, authenticator, { ...slices, ...partners }),
    webhooks: describeWebhooks(EVENTS),
    authenticate: (...asked) => authenticator.authenticate(...asked),
    distrustKey: (keyId) => authenticator.distrust(keyId),
    notifications: [
      bankNotificationRoutes(platform, { receivers: new Map(), ...partners }, receive),
      issuerNotificationRoutes(platform, partners.issuer, receive),
    ],
    receive,
    waitingFor: () => fresh.lanes.counts().map(([endpointId]) => endpointId),
    issuer: partners.issuer,
    // Changes made through the portal are the customer's; the engine uses the same parts as the service.
    authorisation: {
      ...authorisation,
      platform: { ...served, db: asActor(served.db, 'customer') },
    },
  };
}

type Slices = Pick<
  Service,
  'authorisation' | 'customers' | 'schedules' | 'settlements' | 'refunds'
>;

/** Wires what requests and stages both build on. */
function wireSlices(platform: Platform, partners: Partners): Slices {
  const hooks = paymentHooks(platform);
  const lifecycle = (tx: Tx, now: Temporal.Instant): Lifecycle<ScheduleHooks> => ({
    platform,
    hooks,
    tx,
    now,
  });
  const nameOf = (bankId: string) => partners.banks.get(bankId)?.name ?? 'your bank';
  const consentHooks: ConsentHooks = {
    lockSchedule: async (tx, ref) => void (await lockScheduleOf(tx, ref)),
    lockSchedulesUnder,
    leaving: async (tx, ref) => leaveConsent(tx, await lockScheduleOf(tx, ref)),
    granted: (tx, now, one) => onGranted(lifecycle(tx, now), one, nameOf(one.bankId ?? '')),
    failed: (tx, now, ref, error) => onFailed(lifecycle(tx, now), ref, error),
    suspended: (tx, now, consent) => onSuspended(lifecycle(tx, now), consent),
    confirmed: (tx, now, ref) => onConfirmed(lifecycle(tx, now), ref),
    revoked: (tx, now, ref, reason) => onRevoked(lifecycle(tx, now), ref, reason),
  };
  return {
    authorisation: {
      platform,
      ...partners,
      hooks: consentHooks,
      plan: (tx, now, consent, taken) => planConsent({ platform, tx, now }, consent, taken),
      payerOf: (tx, consent) => payerOf(platform, tx, consent),
    },
    schedules: { platform, hooks, merchantFacts: readScheduleSettings, bankName: nameOf },
    customers: customerDeps(platform, partners.banks),
    settlements: settlementDeps(platform),
    refunds: {
      platform,
      mayWait: readRefundsWait,
      availableOf,
      payOutOf: (at) => settlementMoment(at).payAt,
      refundFailed,
      refundSetApart,
      paymentRecalled,
    },
  };
}

function customerDeps(platform: Platform, banks: ReadonlyMap<string, Bank>): CustomerDeps {
  return {
    platform,
    async payFrom(tx, merchantId, customerIds) {
      const rows = await findPayers(tx, merchantId, customerIds);
      return new Map(
        rows.map(({ customerId, bankId: id, payingAccountEnding }) => [
          customerId,
          {
            bank: id === null ? null : { id, name: banks.get(id)?.name ?? id },
            paying_account: viewPayingAccount(payingAccountEnding),
          },
        ]),
      );
    },
  };
}

function settlementDeps(platform: Platform): SettlementDeps {
  return {
    platform,
    async destinationOf(tx, merchantId) {
      // A change that is due counts even if its own stage has not run yet.
      await applyDueChange(platform, { tx, now: platform.clock.now(), merchantId });
      return (await readMerchant(platform, tx, merchantId)).settlementAccount;
    },
    async merchantWallet(tx, merchantId) {
      const wallet = await findMerchantWallet(tx, merchantId);
      if (wallet === null) throw new Error(`merchant ${merchantId} has no wallet`);
      return {
        accountId: wallet.walletId,
        issuerWalletId: wallet.status === 'open' ? wallet.issuerWalletId : null,
      };
    },
  };
}

/** Returns the stages of a collection's whole life, in the order in which they happen. */
function stagesOfCollections(
  {
    platform,
    transfers,
    fresh,
    banks,
    issuer,
    sender,
    mail = null,
    texts = null,
  }: Partners & {
    platform: Platform;
    transfers: Transfers;
    fresh: FreshDeliveries;
  },
  authorisation: AuthorisationDeps,
  { settlements, refunds, schedules }: Pick<Slices, 'settlements' | 'refunds' | 'schedules'>,
): Stage[] {
  const paying = { platform, banks, issuer, consentHooks: authorisation.hooks };
  const paymentSender = makeSender(paying);
  return [
    walletsStage(
      platform,
      issuer,
      async (tx, merchantId) => (await readMerchant(platform, tx, merchantId)).name,
    ),
    expireStage(authorisation),
    activateStage(authorisation),
    revokeStage(platform, banks, waitingUnderReplaced),
    consentCheckStage(authorisation),
    checkStage(authorisation),
    announceStage(platform, 'changes'),
    announceStage(platform, 'coming'),
    unusedStage({ ...schedules, banks }),
    openStage(platform, paymentSender),
    submitStage(platform, paymentSender),
    trackStage(paying),
    unknownPaymentsStage(paying),
    evidenceStage(paying),
    transferStage({ platform, issuer, transfers, payOutOf: (at) => settlementMoment(at).payAt }),
    refundWaitStage(refunds),
    refundPayStage(refunds, issuer),
    refundTrackStage(refunds, issuer),
    settlementAccountStage(platform),
    accountHoldsStage(platform),
    openSettlementsStage(settlements),
    payStage(settlements, issuer),
    trackSettlementsStage(settlements, issuer),
    coverDebtsStage(settlements, issuer),
    transferFeesStage(settlements, issuer),
    ...webhookStages(platform, sender, fresh),
    ...(mail === null && texts === null ? [] : [noticesStage(platform, { mail, texts })]),
    operatorNoticesStage(platform, mail),
    ...forgetStages(platform),
    ...longKeptStages(platform),
    reconcileStage(platform, issuer),
    safeguardingStage(platform, issuer),
  ];
}
