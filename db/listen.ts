/** LISTEN on a connection of its own, which is opened again whenever it breaks. */
import pg from 'pg';

export interface Listener {
  close(): Promise<void>;
}

const RECONNECT_MS = 1_000;

/**
 * Calls `onNotify` for every notification of the channel, and once after each (re)connection,
 * because whatever was said while nobody listened is lost.
 * @param onError sees every broken connection; the next attempt follows a second later
 */
export function listen(databaseUrl: string, channel: string, onNotify: () => void, onError: (error: Error) => void): Listener {
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const reconnect = (error: Error): void => {
    if (closed || timer) return;
    onError(error);
    client = null;
    timer = setTimeout(connect, RECONNECT_MS);
  };
  const connect = (): void => {
    timer = undefined;
    const next = new pg.Client({ connectionString: databaseUrl, application_name: `attune-listen-${channel}`, keepAlive: true });
    client = next;
    next.on('notification', onNotify);
    next.on('error', reconnect);
    next.on('end', () => reconnect(new Error('the listening connection ended')));
    next.connect()
      .then(() => next.query(`listen ${pg.escapeIdentifier(channel)}`))
      .then(onNotify, reconnect);
  };
  connect();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}
