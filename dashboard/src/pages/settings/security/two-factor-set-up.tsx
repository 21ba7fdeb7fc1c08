import { useQueryClient } from '@tanstack/react-query';
import { QRCodeSVG } from 'qrcode.react';
import { useState } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import { confirmTwoFactor, startTwoFactor, type TwoFactorSetUp } from '../../../api/sign-in.ts';
import { renew } from '../../../app/query-client.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { toast } from '../../../ui/toast.tsx';
import { PasswordPrompt, usePasswordForm } from '../proof/password-prompt.tsx';
import { BackupCodes } from './backup-codes.tsx';

type Step =
  | { name: 'password' }
  | { name: 'scan'; setUp: TwoFactorSetUp }
  | { name: 'keep'; setUp: TwoFactorSetUp };

const TITLES: Record<Step['name'], string> = {
  password: 'Set up two-factor sign-in',
  scan: 'Scan, then enter the code',
  keep: 'Save your backup codes',
};

const QR_PX = 168;

function Scan({ form, setUp, onCancel, onDone }: ScanProps) {
  const { isSubmitting } = form.formState;
  return (
    <Form
      form={form}
      onSubmit={async ({ code }) => {
        await confirmTwoFactor(code);
        onDone();
      }}
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
      <DialogActions>
        <Button onPress={onCancel} isDisabled={isSubmitting}>
          Cancel
        </Button>
        <Button variant="primary" type="submit" isPending={isSubmitting}>
          Turn on
        </Button>
      </DialogActions>
    </Form>
  );
}

interface ScanProps {
  form: UseFormReturn<{ code: string }>;
  setUp: TwoFactorSetUp;
  onCancel: () => void;
  onDone: () => void;
}

/** Password, scan and first code, then the backup codes. The second factor is on after the first correct code. */
export function TwoFactorSetUpDialog({ onClose }: { onClose: () => void }) {
  const [step, setStep] = useState<Step>({ name: 'password' });
  const client = useQueryClient();
  const password = usePasswordForm();
  const scan = useForm({ defaultValues: { code: '' } });
  const isBusy =
    (step.name === 'password' && password.formState.isSubmitting) ||
    (step.name === 'scan' && scan.formState.isSubmitting);
  const turnedOn = (setUp: TwoFactorSetUp) => {
    toast('Two-factor sign-in is on.', 'success');
    setStep({ name: 'keep', setUp });
  };
  const finish = () => {
    void renew(client);
    onClose();
  };
  return (
    <Dialog
      isOpen
      onClose={step.name === 'keep' ? finish : onClose}
      title={TITLES[step.name]}
      isBusy={isBusy}
    >
      {step.name === 'password' ? (
        <PasswordPrompt
          form={password}
          confirmLabel="Continue"
          onCancel={onClose}
          onPassword={async (entered) =>
            setStep({ name: 'scan', setUp: await startTwoFactor(entered) })
          }
        >
          <p>
            You need an authenticator app on your phone. Turning this on signs you out everywhere
            else.
          </p>
        </PasswordPrompt>
      ) : null}
      {step.name === 'scan' ? (
        <Scan
          form={scan}
          setUp={step.setUp}
          onCancel={onClose}
          onDone={() => turnedOn(step.setUp)}
        />
      ) : null}
      {step.name === 'keep' ? <BackupCodes codes={step.setUp.backupCodes} onDone={finish} /> : null}
    </Dialog>
  );
}
