import type pg from 'pg';
import { inTransaction } from '../../db/pool.ts';
import { cancelReruns } from '../../db/reruns/reruns.ts';
import { cancelRecoveries } from '../../db/webhooks/deliveries/recoveries.ts';

/**
 * Sets the state of a client. The keys of a blocked client get 403; recoveries of its webhooks and requested reruns of
 * its projects end.
 */
export function setClientState(pool: pg.Pool, clientId: string, state: 'active' | 'blocked'): Promise<void> {
  return inTransaction(pool, async (client) => {
    await client.query('update clients set state = $2 where id = $1', [clientId, state]);
    if (state === 'active') return;
    await cancelRecoveries(client, { clientId });
    await cancelReruns(client, { clientId }, { ofModels: false });
  });
}
