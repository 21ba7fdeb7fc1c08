import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { disableTwoFactor, hasTwoFactor, renewBackupCodes } from '../../../api/people/sign-in.ts';
import { renew } from '../../../app/query-client.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { QueryView } from '../../../ui/data/query-view.tsx';
import { Skeleton } from '../../../ui/data/skeleton.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { ProofDialog } from '../proof/proof-dialog.tsx';
import { BackupCodesDialog } from './backup-codes.tsx';

/** The QR code's library is loaded only for the set-up. */
const TwoFactorSetUpDialog = lazy(async () => ({
  default: (await import('./two-factor-set-up.tsx')).TwoFactorSetUpDialog,
}));

type Open = 'none' | 'set-up' | 'disable' | 'renew';

interface DialogProps {
  onClose: () => void;
}

function DisableDialog({ onClose }: DialogProps) {
  const client = useQueryClient();
  return (
    <ProofDialog
      title="Turn off two-factor sign-in?"
      size="small"
      confirmLabel="Turn off two-factor"
      tone="danger"
      onClose={onClose}
      onProof={async (proof) => {
        await disableTwoFactor(proof);
        void renew(client);
        toast('Two-factor sign-in is off.', 'info');
      }}
    >
      <p>You will need only your password to sign in. Your backup codes stop working.</p>
    </ProofDialog>
  );
}

function RenewDialog({ onClose }: DialogProps) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes !== null)
    return <BackupCodesDialog title="Your new backup codes" codes={codes} onClose={onClose} />;
  return (
    <ProofDialog
      title="Create new backup codes?"
      size="small"
      confirmLabel="Create new codes"
      onClose={onClose}
      onProof={async (proof) => {
        setCodes(await renewBackupCodes(proof));
        return false;
      }}
    >
      <p>Your current codes stop working.</p>
    </ProofDialog>
  );
}

function State({ isOn, open }: { isOn: boolean; open: (what: Open) => void }) {
  if (!isOn)
    return (
      <>
        <p>
          <Badge tone="warning">Off</Badge>
        </p>
        <p className="quiet">
          Sign in with a code from an app on your phone as well as your password, so a stolen
          password is not enough.
        </p>
        <div className="actions">
          <Button variant="primary" onPress={() => open('set-up')}>
            Set up
          </Button>
        </div>
      </>
    );
  return (
    <>
      <p>
        <Badge tone="success">On</Badge>
      </p>
      <p className="quiet">You enter a code from your authenticator app each time you sign in.</p>
      <div className="actions">
        <Button onPress={() => open('renew')}>New backup codes…</Button>
        <Button onPress={() => open('disable')}>Turn off…</Button>
      </div>
    </>
  );
}

/** Two-factor sign-in: setting it up, new backup codes, turning it off. */
export function TwoFactorCard() {
  const state = useQuery({ queryKey: ['security', 'two-factor'], queryFn: hasTwoFactor });
  const [shown, setShown] = useState<Open>('none');
  const close = () => setShown('none');
  return (
    <Card title="Two-factor sign-in">
      <QueryView query={state} skeleton={<Skeleton lines={3} />}>
        {(isOn) => <State isOn={isOn} open={setShown} />}
      </QueryView>
      {shown === 'set-up' ? (
        <Suspense fallback={null}>
          <TwoFactorSetUpDialog onClose={close} />
        </Suspense>
      ) : null}
      {shown === 'disable' ? <DisableDialog onClose={close} /> : null}
      {shown === 'renew' ? <RenewDialog onClose={close} /> : null}
    </Card>
  );
}
