interface ProgressProps {
  label: string;
  /** 0 to 1; without it, how long it will take is not known. */
  value?: number;
}

/** How far something is, or how much of a limit is used. */
export function Progress({ label, value }: ProgressProps) {
  const percent =
    value === undefined ? undefined : Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div
      className="progress"
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
