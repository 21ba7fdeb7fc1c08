import { type Attention, useAttention } from '../../api/attention.ts';
import { Notice } from '../../ui/notice.tsx';
import { When } from '../../ui/values/when.tsx';

type Bank = Attention['banks'][number];

/** Says which banks of the merchant's customers do not answer, or are stopped by the operator. */
export function BankNotice() {
  const { data } = useAttention();
  if (data === undefined || data.banks.length === 0) return null;
  return (
    <section className="stack" aria-label="Notices about banks">
      {data.banks.map((bank) => (
        <Notice key={bank.bank_id} tone="warning" title={titleOf(bank)}>
          {bank.since === null ? null : (
            <>
              Since <When at={bank.since} />.{' '}
            </>
          )}
          {bank.stopped
            ? 'Payments there wait, and are sent once your payment provider lets them go on.'
            : 'Payments there wait, and are sent automatically once it answers. Customers may not be able to agree there.'}
        </Notice>
      ))}
    </section>
  );
}

function titleOf({ name, stopped }: Bank): string {
  return stopped
    ? `Your payment provider has paused payments at ${name}`
    : `${name} is not responding`;
}
