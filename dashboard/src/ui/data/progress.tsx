interface ProgressProps {
  label: string;
  /** 0 to 1; absent: the duration is unknown. */
  value?: number;
}

/** The progress of something, or how much of a limit is used. */
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
