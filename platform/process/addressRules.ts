/**
 * Which addresses given by users are refused. It is separate from the agent, so that checking an address does not load
 * an HTTP client.
 */
import type { KeylessConfig } from '../../config.ts';
import type { AddressRules, OwnEndpoints } from '../outgoing/address.ts';
import { interfaceAddresses, publicEndpoints } from '../outgoing/ownAddresses.ts';

/**
 * Returns the refused addresses: everything internal, and the service's own addresses, listen ports and public names.
 */
export function addressRules(config: KeylessConfig): AddressRules {
  return { allow: config.allowNetworks, deny: config.denyNetworks, own: ownEndpoints(config) };
}

function ownEndpoints(config: KeylessConfig): OwnEndpoints {
  const { protocol } = new URL(config.publicUrl);
  const names = [config.contentHost, config.analyticsHost].flatMap((host) =>
    host === null ? [] : [`${protocol}//${host}`],
  );
  const seen = publicEndpoints([config.publicUrl, ...names]);
  return {
    addresses: [...interfaceAddresses(), ...seen.addresses],
    ports: [...ownPorts(config), ...seen.ports],
    hosts: seen.hosts,
  };
}

function ownPorts(config: KeylessConfig): number[] {
  const database = Number(new URL(config.databaseUrl).port || 5432);
  const temporal = Number(config.temporalAddress.split(':').at(-1));
  return [config.port, config.metricsPort, database, temporal].filter((port) => Number.isInteger(port) && port > 0);
}
