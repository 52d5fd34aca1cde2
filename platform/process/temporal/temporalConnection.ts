/**
 * Connections to Temporal, separate from the workers: their SDK makes a process that only sends requests take twice as
 * long to load.
 */
import { Connection } from '@temporalio/client';
import type { TemporalAccess } from './temporalAccess.ts';

/** How a process reaches Temporal. */
export interface TemporalEndpoint {
  temporalAddress: string;
  /** TLS, a client certificate, an API key. */
  temporalAccess: TemporalAccess;
}

/** Returns options for connections of clients and of workers. */
export function connectionOptions({ temporalAddress, temporalAccess }: TemporalEndpoint) {
  return { address: temporalAddress, ...temporalAccess };
}

/** Returns a client connection that is opened on first use, so that a process starts without Temporal. */
export function lazyConnection(endpoint: TemporalEndpoint): Connection {
  return Connection.lazy(connectionOptions(endpoint));
}
