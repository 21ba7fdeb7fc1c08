import { useSyncExternalStore } from 'react';
import { Button } from 'react-aria-components/Button';
import { CircleAlert, CircleCheck, Info, X } from '../icons.tsx';

type ToastTone = 'info' | 'success' | 'danger';

interface Toast {
  id: number;
  text: string;
  tone: ToastTone;
}

const SHOWN_MS = 6_000;
const DANGER_SHOWN_MS = 15_000;
const MAX = 3;

let toasts: readonly Toast[] = [];
let count = 0;
const listeners = new Set<() => void>();

function put(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function dismiss(id: number): void {
  put(toasts.filter((each) => each.id !== id));
}

/** Shows briefly that something was done or failed. It disappears after a while; what must be read belongs in a Notice. */
export function toast(text: string, tone: ToastTone = 'success'): void {
  count += 1;
  const id = count;
  put([...toasts.filter((each) => each.text !== text), { id, text, tone }].slice(-MAX));
  setTimeout(() => dismiss(id), tone === 'danger' ? DANGER_SHOWN_MS : SHOWN_MS);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const ICONS = { info: Info, success: CircleCheck, danger: CircleAlert };

/** Where toasts appear; once, around everything. Stays reachable above an open dialog. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className="toasts" role="status" aria-live="polite" data-react-aria-top-layer="true">
      {shown.map(({ id, text, tone }) => {
        const Icon = ICONS[tone];
        return (
          <div key={id} className={`toast tone-${tone}`}>
            <Icon aria-hidden="true" />
            <span>{text}</span>
            <Button
              className="icon-button icon-button-small"
              aria-label="Dismiss"
              onPress={() => dismiss(id)}
            >
              <X aria-hidden="true" />
            </Button>
          </div>
        );
      })}
    </div>
  );
}
