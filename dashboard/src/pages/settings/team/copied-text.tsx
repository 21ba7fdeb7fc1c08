import { CopyButton } from '../../../ui/values/copy-button.tsx';

/** An address to pass on, with a button that copies it. */
export function CopiedText({ value, label }: { value: string; label: string }) {
  return (
    <span className="copied">
      <code>{value}</code>
      <CopyButton value={value} label={label} isIcon />
    </span>
  );
}
