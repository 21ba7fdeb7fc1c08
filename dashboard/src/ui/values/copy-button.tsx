import { useEffect, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Button } from '../button.tsx';
import { Check, Copy } from '../icons.tsx';
import { toast } from '../overlays/toast.tsx';

const SHOWN_MS = 2_000;

interface CopyButtonProps {
  value: string;
  label: string;
  /** Only an icon; the label is read out. */
  isIcon?: boolean;
}

/** Copies the value to the clipboard, and confirms it. */
export function CopyButton({ value, label, isIcon = false }: CopyButtonProps) {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isDone]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setDone(true);
      toast('Copied.', 'success');
    } catch {
      toast('Your browser blocked copying. Select the text and copy it yourself.', 'danger');
    }
  };
  const icon = isDone ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />;
  if (isIcon)
    return (
      <AriaButton className="icon-button icon-button-small" aria-label={label} onPress={copy}>
        {icon}
      </AriaButton>
    );
  return (
    <Button onPress={copy}>
      {icon}
      {label}
    </Button>
  );
}

/** A key or a link that is shown only once, to copy. `label`: what its button says. */
export function Secret({ value, label }: { value: string; label: string }) {
  return (
    <div className="secret">
      <code>{value}</code>
      <CopyButton value={value} label={label} />
    </div>
  );
}
