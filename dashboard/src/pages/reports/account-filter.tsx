import { useId, useState } from 'react';

interface AccountFilterProps {
  label: string;
  /** The account that '' stands for. */
  usual: string;
  value: string;
  onChange: (value: string) => void;
}

/** Names an account of the merchant's accounting program, once it is left or Enter is pressed. */
export function AccountFilter({ label, usual, value, onChange }: AccountFilterProps) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const tell = () => {
    if (typed === null) return;
    setTyped(null);
    onChange(typed.trim());
  };
  return (
    <div className="day-filter">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="input account-filter"
        autoComplete="off"
        spellCheck={false}
        placeholder={usual}
        value={typed ?? value}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={tell}
        onKeyDown={(event) => {
          if (event.key === 'Enter') tell();
        }}
      />
    </div>
  );
}
