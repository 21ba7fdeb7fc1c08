import { BASE } from '../../app/base.ts';
import { useMe } from '../../app/session.tsx';
import { LinkButton } from '../../ui/link-button.tsx';

interface DownloadProps {
  /** The address of the list, such as `/api/v1/payments`. */
  of: string;
  /** The list's filter; empty values do not filter. */
  filter?: Readonly<Record<string, string | number | undefined>>;
}

/** Downloads a list as it is filtered, all of it. */
export function DownloadCsv(props: DownloadProps) {
  return <DownloadFile {...props} ending="csv" label="Download CSV" />;
}

interface FileProps extends DownloadProps {
  /** The file's address below that of the list. */
  ending: string;
  label: string;
}

/** Downloads a file of a list, as it is filtered. */
export function DownloadFile({ of, filter = {}, ending, label }: FileProps) {
  const query = new URLSearchParams({ merchant: useMe().merchant.id });
  for (const [name, value] of Object.entries(filter))
    if (value !== undefined && value !== '') query.set(name, String(value));
  return (
    <LinkButton href={`${BASE}${of}/${ending}?${query}`} isDownload>
      {label}
    </LinkButton>
  );
}
