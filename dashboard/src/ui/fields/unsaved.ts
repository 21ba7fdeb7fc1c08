import { useEffect, useRef } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';

/** Says of each form on the page that guards its changes whether it has any that are not saved. */
const guarded = new Set<() => boolean>();

/** Returns whether leaving the page would lose what somebody has typed. */
export function hasUnsavedChanges(): boolean {
  return [...guarded].some((isUnsaved) => isUnsaved());
}

/** State of a navigation that discards the form on purpose, so that nobody is asked whether to leave. */
export const DISCARDING = { discarding: true } as const;

/** Returns whether a navigation discards the form on purpose. */
export function isDiscarding(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'discarding' in state;
}

/** Guards what was typed into a form for as long as it is shown; a form that is being sent may move on. */
export function useUnsavedGuard<V extends FieldValues>(
  form: UseFormReturn<V>,
  isGuarding: boolean,
): void {
  const { isDirty, isSubmitting } = form.formState;
  const isUnsaved = useRef(false);
  isUnsaved.current = isDirty && !isSubmitting;
  useEffect(() => {
    if (!isGuarding) return;
    const ask = () => isUnsaved.current;
    guarded.add(ask);
    return () => void guarded.delete(ask);
  }, [isGuarding]);
}
