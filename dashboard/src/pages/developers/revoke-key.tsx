import type { ApiKey } from '@recollect/sdk';
import { useRevokeKey } from '../../api/developers.ts';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { toast } from '../../ui/overlays/toast.tsx';

/** Revokes a key at once, after confirmation. */
export function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const revoke = useRevokeKey();
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Revoke “${apiKey.name}”?`}
      confirmLabel="Revoke key"
      tone="danger"
      onConfirm={async () => {
        await revoke.mutateAsync(apiKey.id);
        toast(`The key “${apiKey.name}” no longer works.`, 'success');
      }}
    >
      <p>
        The key ending in <code>{apiKey.hint}</code> stops working immediately, and this cannot be
        undone. Requests that still use it get a 401 response. To replace it without downtime,
        rotate it instead.
      </p>
    </ConfirmDialog>
  );
}
