import { useMerchant } from '../../api/merchant.ts';
import { Notice } from '../../ui/notice.tsx';
import { When } from '../../ui/values/when.tsx';

/** Says on every page that the merchant is suspended, or its pay-outs are on hold. */
export function HoldNotice() {
  const { data } = useMerchant();
  if (data === undefined) return null;
  return (
    <>
      {data.suspended_since !== null && (
        <section className="stage-notice" aria-label="Notice about your suspension">
          <Notice tone="warning" title="Your account is suspended">
            Since <When at={data.suspended_since} />, no schedules can be created and no payments
            are collected. Payments that fall due wait. Contact your payment provider.
          </Notice>
        </section>
      )}
      {data.pay_outs_held_since !== null && (
        <section className="stage-notice" aria-label="Notice about your settlements">
          <Notice tone="warning" title="Your settlements are on hold">
            Since <When at={data.pay_outs_held_since} />, settlements wait and the money stays in
            your wallet.{' '}
            {data.pay_outs_held_until === null ? (
              'Contact your payment provider.'
            ) : (
              <>
                One owner alone changed the settlement account. Settlements go on at{' '}
                <When at={data.pay_outs_held_until} />, or as soon as a second owner confirms the
                account under Settings, Business.
              </>
            )}
          </Notice>
        </section>
      )}
    </>
  );
}
