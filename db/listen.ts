/** LISTEN on a connection of its own, which is opened again whenever it breaks. */
import pg from 'pg';

export interface Listener {
  close(): Promise<void>;
}

const RECONNECT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Calls `onNotify` for every notification of the channel, and once after each (re)connection, because notifications
 * that were sent in between are lost.
 * @param onError called once for every broken connection; the next attempt follows a second later
 */
export function listen(
  databaseUrl: string,
  channel: string,
  onNotify: () => void,
  onError: (error: Error) => void,
): Listener {
  /** The current client; messages of earlier ones are ignored. */
  let current: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;

  const connect = (): void => {
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: `attune-listen-${channel}`,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    current = client;
    const notify = (): void => {
      if (client === current) onNotify();
    };
    const giveUp = (fault: Error): void => {
      if (client !== current) return;
      current = null;
      // A refused LISTEN leaves the connection open; it would stay open in addition to the next one.
      void client.end().catch(() => {});
      timer = setTimeout(connect, RECONNECT_MS);
      onError(fault);
    };
    client.on('notification', notify);
    client.on('error', giveUp);
    client.on('end', () => giveUp(new Error('the listening connection ended')));
    client
      .connect()
      .then(() => client.query(`listen ${pg.escapeIdentifier(channel)}`))
      .then(notify, giveUp);
  };
  connect();
  return {
    async close() {
      const last = current;
      current = null;
      clearTimeout(timer);
      await last?.end().catch(() => {});
    },
  };
}
