/**
 * Determines which addresses given by users are refused. It is separate from the agent, so that checking an address
 * does not load an HTTP client.
 */
import type { AddressRules, AllowList, OwnEndpoints } from '../outgoing/forbiddenAddresses.ts';
import { interfaceAddresses, publicEndpoints } from '../outgoing/ownAddresses.ts';

/** The settings of an installation that decide which addresses it refuses. */
export interface OutgoingSettings {
  allowNetworks: AllowList;
  denyNetworks: AllowList;
  publicUrl: string;
  contentHost: string | null;
  analyticsHost: string | null;
  databaseUrl: string;
  /** `host:port` */
  temporalAddress: string;
  port: number;
  metricsPort: number;
}

/**
 * Returns the refused addresses: everything internal, and the service's own addresses, listen ports and public names.
 */
export function addressRules(settings: OutgoingSettings): AddressRules {
  return { allow: settings.allowNetworks, deny: settings.denyNetworks, own: ownEndpoints(settings) };
}

function ownEndpoints(settings: OutgoingSettings): OwnEndpoints {
  const { protocol } = new URL(settings.publicUrl);
  const names = [settings.contentHost, settings.analyticsHost].flatMap((host) =>
    host === null ? [] : [`${protocol}//${host}`],
  );
  const seen = publicEndpoints([settings.publicUrl, ...names]);
  return {
    addresses: [...interfaceAddresses(), ...seen.addresses],
    ports: [...ownPorts(settings), ...seen.ports],
    hosts: seen.hosts,
  };
}

function ownPorts(settings: OutgoingSettings): number[] {
  const database = Number(new URL(settings.databaseUrl).port || 5432);
  const temporal = Number(settings.temporalAddress.split(':').at(-1));
  return [settings.port, settings.metricsPort, database, temporal].filter((port) => Number.isInteger(port) && port > 0);
}
