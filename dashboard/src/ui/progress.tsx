interface ProgressProps {
  label: string;
  /** 0 to 1; without it, how long it will take is not known. */
  value?: number;
  tone?: 'accent' | 'warning' | 'danger';
}

/** How far something is, or how much of a limit is used. */
export function Progress({ label, value, tone = 'accent' }: ProgressProps) {
  const percent =
    value === undefined ? undefined : Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div
      className={`progress progress-${tone}`}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      data-endless={percent === undefined ? '' : undefined}
    >
      <span style={percent === undefined ? undefined : { inlineSize: `${percent}%` }} />
    </div>
  );
}
