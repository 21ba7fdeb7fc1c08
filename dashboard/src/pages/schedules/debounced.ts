import { useEffect, useState } from 'react';

/** The value as it was when it had not changed for so many milliseconds. */
export function useDebounced<T extends string>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
