/**
 * Connections to Temporal, separate from the workers: their SDK makes a process that only sends requests take twice as
 * long to load.
 */
import { Connection } from '@temporalio/client';
import type { KeylessConfig } from '../../config.ts';

/** Returns options for connections of clients and of workers. */
export function connectionOptions({
  temporalAddress,
  temporalAccess,
}: Pick<KeylessConfig, 'temporalAddress' | 'temporalAccess'>) {
  return { address: temporalAddress, ...temporalAccess };
}

/** Returns a client connection that is opened on first use, so that a process starts without Temporal. */
export function lazyConnection(config: KeylessConfig): Connection {
  return Connection.lazy(connectionOptions(config));
}
