import { CopyButton } from '../../ui/values/copy-button.tsx';

/** What stands on the merchant's bank statement, whole, with a button to copy it. */
export function StatementReference({ value }: { value: string }) {
  return (
    <span className="id">
      <code>{value}</code>
      <CopyButton value={value} label={`Copy ${value}`} isIcon />
    </span>
  );
}
