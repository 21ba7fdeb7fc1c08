import { CopyButton } from './copy-button.tsx';

/** A key or a link that is shown only once, to copy. `label`: what its button says. */
export function Secret({ value, label }: { value: string; label: string }) {
  return (
    <div className="secret">
      <code>{value}</code>
      <CopyButton value={value} label={label} />
    </div>
  );
}
