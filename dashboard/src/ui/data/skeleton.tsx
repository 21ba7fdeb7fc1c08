/** Grey lines while text is loading. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div className="skeleton" role="status">
      <span className="visually-hidden">Loading</span>
      {Array.from({ length: lines }, (_, place) => place).map((line) => (
        <span key={line} className="skeleton-line" aria-hidden="true" />
      ))}
    </div>
  );
}
