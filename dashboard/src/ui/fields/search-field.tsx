import { useEffect, useId, useRef, useState } from 'react';
import { Search } from '../icons.tsx';

const PAUSE_MS = 250;

interface SearchFieldProps {
  label: string;
  value: string;
  /** Called when typing has paused, and at once on Enter. */
  onChange: (value: string) => void;
  placeholder?: string;
}

/** Searches a list while the user types. */
export function SearchField({ label, value, onChange, placeholder }: SearchFieldProps) {
  const id = useId();
  const [text, setText] = useState(value);
  // Only what was typed is reported: a text that came from the address must not go back into a newer one.
  const [isTyped, setTyped] = useState(false);
  const reported = useRef(value);
  const seen = useRef(value);
  const report = (next: string) => {
    setTyped(false);
    if (reported.current === next) return;
    reported.current = next;
    onChange(next);
  };
  // A reported text comes back as the value a moment later; until then the value is the previous one.
  if (value !== seen.current) {
    seen.current = value;
    if (value !== reported.current) {
      reported.current = value;
      setText(value);
      setTyped(false);
    }
  }
  useEffect(() => {
    if (!isTyped) return;
    const timer = setTimeout(() => report(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  });
  return (
    <search className="search-field">
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      <Search aria-hidden="true" />
      <input
        id={id}
        type="search"
        className="input"
        value={text}
        placeholder={placeholder ?? label}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          setText(event.target.value);
          setTyped(true);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') report(text.trim());
        }}
      />
    </search>
  );
}
