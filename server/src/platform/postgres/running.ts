import { SERVICE } from './cluster.ts';
import { loginUrl, openDataFolder, readSecret } from './folder.ts';
import { runningPostmaster } from './postmaster.ts';

/** How to log in to the PostgreSQL that another process runs on this data folder; null where none runs. */
export function runningPostgresUrl(dataDir: string): string | null {
  const folder = openDataFolder(dataDir);
  const postmaster = runningPostmaster(folder.cluster);
  if (postmaster?.ready !== true) return null;
  return loginUrl(SERVICE, SERVICE, postmaster.port, readSecret(folder));
}
