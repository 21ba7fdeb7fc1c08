import { type KindItem, useSwitchKind } from '../../../api/notices.ts';
import { useCan } from '../../../app/session.tsx';
import { errorText } from '../../../ui/error-text.ts';
import { toast } from '../../../ui/overlays/toast.tsx';

const CHOICES = [1, 2, 3, 5, 7, 10, 14, 21, 30];

/** Chooses how many days before a collection an email is sent. */
export function DaysAhead({ kind, days }: { kind: KindItem; days: number }) {
  const mayChange = useCan('manage_settings');
  const change = useSwitchKind();
  const choose = async (daysAhead: number) => {
    try {
      await change.mutateAsync({ kind: kind.kind, isOn: true, daysAhead });
      toast('Saved.', 'success');
    } catch (error) {
      toast(errorText(error).advice, 'danger');
    }
  };
  const choices = [...new Set([...CHOICES, days])].sort((a, b) => a - b);
  return (
    <label className="days-ahead">
      <select
        className="input select"
        aria-label={`Days before the collection: ${kind.title}`}
        value={days}
        disabled={!mayChange || !kind.is_on || change.isPending}
        onChange={(event) => void choose(Number(event.target.value))}
      >
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
      <span className="quiet small">{days === 1 ? 'day' : 'days'} before</span>
    </label>
  );
}
