import { CopyButton } from './copy-button.tsx';

/** Code or JSON to read and copy; long lines scroll within it. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <figure className="code-block">
      <figcaption>
        <span>{label}</span>
        <CopyButton value={code} label={`Copy: ${label}`} isIcon />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </figure>
  );
}
