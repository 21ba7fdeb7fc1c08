import { unzipSync } from 'fflate';

/** Opens a zip archive: its files as text, by name. */
export const filesInZip = (archive: Uint8Array): Record<string, string> =>
  Object.fromEntries(
    Object.entries(unzipSync(archive)).map(([name, bytes]) => [
      name,
      Buffer.from(bytes).toString(),
    ]),
  );
