/** Connections to Temporal, apart from the workers: the SDK for those costs a process that only asks twice as much to load. */
import { Connection } from '@temporalio/client';
import type { KeylessConfig } from '../config.ts';

/** For connections of clients and of workers alike. */
export function connectionOptions({
  temporalAddress,
  temporalAccess,
}: Pick<KeylessConfig, 'temporalAddress' | 'temporalAccess'>) {
  return { address: temporalAddress, ...temporalAccess };
}

/** A client connection that is made when first used, so that a process starts without Temporal. */
export function lazyConnection(config: KeylessConfig): Connection {
  return Connection.lazy(connectionOptions(config));
}
