import pg from 'pg';

const LISTEN_AGAIN_MS = 1000;

/**
 * Listens on a channel. Notifications are a hint that saves waiting: a lost connection is reopened, and missing one does no
 * harm.
 */
export async function listen(
  url: string,
  channel: string,
  heard: (payload: string) => void,
): Promise<() => Promise<void>> {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const connect = async (): Promise<void> => {
    client = new pg.Client({ connectionString: url, application_name: 'recollect listener' });
    client.on('notification', (message) => heard(message.payload ?? ''));
    client.on('error', again);
    client.on('end', again);
    await client.connect();
    await client.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
  };
  function again(): void {
    if (stopped || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      connect().catch(again);
    }, LISTEN_AGAIN_MS);
  }
  const stop = async (): Promise<void> => {
    stopped = true;
    clearTimeout(timer);
    await client?.end().catch(() => undefined);
  };
  try {
    await connect();
  } catch (error) {
    await stop(); // the caller gets the error, and no reconnecting continues
    throw error;
  }
  return stop;
}
