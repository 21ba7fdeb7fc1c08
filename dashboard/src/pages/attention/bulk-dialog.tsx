import { useState } from 'react';
import {
  type BulkAct,
  type BulkOutcome,
  type BulkTarget,
  useBulkAct,
} from '../../api/attention.ts';
import { Button } from '../../ui/button.tsx';
import { Progress } from '../../ui/data/progress.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { formatMoney } from '../../ui/values/money.tsx';
import { countWords } from '../overview/figures.ts';

export interface Bulk {
  act: BulkAct;
  targets: readonly BulkTarget[];
  /** What the targets add up to, in pence. */
  value: number;
  currency: string;
}

interface BulkProps extends Bulk {
  onClose: () => void;
}

/** Asks before something is done with many schedules, shows how far it is, and says what was refused and why. */
export function BulkDialog({ act, targets, value, currency, onClose }: BulkProps) {
  const [done, setDone] = useState(0);
  const bulk = useBulkAct(act, setDone);
  const count = targets.length;
  const words = {
    retry: {
      title: `Collect ${countWords(count, 'payment')} again?`,
      body: `We ask the customers’ banks for ${formatMoney({ value, currency })} now. No payment is collected twice.`,
      button: `Retry ${countWords(count, 'payment')}`,
      did: 'retried',
    },
    cancel: {
      title: `Cancel ${countWords(count, 'schedule')}?`,
      body: 'Nothing more is collected under them, and their consents end. This cannot be undone.',
      button: `Cancel ${countWords(count, 'schedule')}`,
      did: 'cancelled',
    },
    another_account: {
      title: `Ask for another account for ${countWords(count, 'schedule')}?`,
      body:
        'Each customer gets a new link for the same payments, by email or text message. Until they agree there, we ' +
        'collect from the present account. Then that consent ends, and you can retry what failed.',
      button: `Send ${countWords(count, 'new link')}`,
      did: 'sent',
    },
    remind: {
      title: `Send ${countWords(count, 'consent link')}?`,
      body: 'Each customer gets the link to their consent, once a day at most.',
      button: `Send ${countWords(count, 'consent link')}`,
      did: 'sent',
    },
  }[act];
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.title}
      size="small"
      isBusy={bulk.isPending}
      isAlert
    >
      <div className="dialog-body">
        {bulk.data === undefined ? <p>{words.body}</p> : <Outcome of={bulk.data} did={words.did} />}
        {bulk.isPending ? <Progress label={words.title} value={done / count} /> : null}
      </div>
      <DialogActions>
        <Button onPress={onClose} isDisabled={bulk.isPending} autoFocus>
          {bulk.data === undefined ? 'Keep as they are' : 'Close'}
        </Button>
        {bulk.data === undefined ? (
          <Button
            variant={act === 'cancel' ? 'danger' : 'primary'}
            isPending={bulk.isPending}
            onPress={() => bulk.mutate(targets)}
          >
            {words.button}
          </Button>
        ) : null}
      </DialogActions>
    </Dialog>
  );
}

function Outcome({ of: { done, refused }, did }: { of: BulkOutcome; did: string }) {
  const reasons = [...Map.groupBy(refused, (reason) => reason)];
  return (
    <>
      <p>
        {done} {did}.
      </p>
      {reasons.map(([reason, all]) => (
        <Notice key={reason} tone="warning" title={`${all.length} not ${did}`}>
          {reason}
        </Notice>
      ))}
    </>
  );
}
