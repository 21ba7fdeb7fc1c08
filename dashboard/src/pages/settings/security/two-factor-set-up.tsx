import { useQueryClient } from '@tanstack/react-query';
import { QRCodeSVG } from 'qrcode.react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import {
  confirmTwoFactor,
  startTwoFactor,
  type TwoFactorSetUp,
} from '../../../api/people/sign-in.ts';
import { renew } from '../../../app/query-client.ts';
import { FormDialog } from '../../../ui/fields/form-dialog.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { CopyButton } from '../../../ui/values/copy-button.tsx';
import { PasswordDialog } from '../proof/password-dialog.tsx';
import { BackupCodesDialog } from './backup-codes.tsx';

type Step =
  | { name: 'password' }
  | { name: 'scan'; setUp: TwoFactorSetUp }
  | { name: 'keep'; setUp: TwoFactorSetUp };

const QR_PX = 168;

interface ScanProps {
  setUp: TwoFactorSetUp;
  onClose: () => void;
  onDone: () => void;
}

function ScanDialog({ setUp, onClose, onDone }: ScanProps) {
  const form = useForm({ defaultValues: { code: '' } });
  return (
    <FormDialog
      title="Scan, then enter the code"
      form={form}
      onSubmit={async ({ code }) => {
        await confirmTwoFactor(code);
        onDone();
        return false;
      }}
      confirmLabel="Turn on"
      onClose={onClose}
    >
      <div className="qr-place">
        <div className="qr">
          <QRCodeSVG
            value={setUp.uri}
            size={QR_PX}
            title="QR code for the authenticator app"
            bgColor="#ffffff"
            fgColor="#000000"
          />
        </div>
        <div className="qr-text">
          <p>Scan this with your authenticator app, or enter the key:</p>
          <code>{setUp.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
          <CopyButton value={setUp.secret} label="Copy key" />
        </div>
      </div>
      <TextField
        control={form.control}
        name="code"
        label="Code from the app"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        rules={{ required: 'Enter the six-digit code.' }}
        isCode
      />
    </FormDialog>
  );
}

/** Password, scan and first code, then the backup codes. The second factor is on after the first correct code. */
export function TwoFactorSetUpDialog({ onClose }: { onClose: () => void }) {
  const [step, setStep] = useState<Step>({ name: 'password' });
  const client = useQueryClient();
  const turnedOn = (setUp: TwoFactorSetUp) => {
    toast('Two-factor sign-in is on.', 'success');
    setStep({ name: 'keep', setUp });
  };
  const finish = () => {
    void renew(client);
    onClose();
  };
  switch (step.name) {
    case 'password':
      return (
        <PasswordDialog
          title="Set up two-factor sign-in"
          confirmLabel="Continue"
          onClose={onClose}
          onPassword={async (entered) => {
            setStep({ name: 'scan', setUp: await startTwoFactor(entered) });
            return false;
          }}
        >
          <p>
            You need an authenticator app on your phone. Turning this on signs you out everywhere
            else.
          </p>
        </PasswordDialog>
      );
    case 'scan':
      return (
        <ScanDialog setUp={step.setUp} onClose={onClose} onDone={() => turnedOn(step.setUp)} />
      );
    case 'keep':
      return (
        <BackupCodesDialog
          title="Save your backup codes"
          codes={step.setUp.backupCodes}
          onClose={finish}
        />
      );
  }
}
