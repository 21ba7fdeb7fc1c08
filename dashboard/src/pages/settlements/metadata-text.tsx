/** The merchant's own data of a schedule, such as an order number, each with its name. */
export function MetadataText({ metadata }: { metadata: Readonly<Record<string, unknown>> | null }) {
  const entries = Object.entries(metadata ?? {});
  if (entries.length === 0) return '–';
  return (
    <span className="stacked">
      {entries.map(([name, value]) => (
        <span key={name}>
          <span className="quiet">{name.replaceAll('_', ' ')}</span> {String(value)}
        </span>
      ))}
    </span>
  );
}
