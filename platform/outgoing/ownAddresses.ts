/** Endpoints of the service itself: its machine's addresses, and its public names. */
import { networkInterfaces } from 'node:os';
import type { OwnEndpoints } from './forbiddenAddresses.ts';
import { isLocalhost, literalAddresses, portOf } from './url.ts';

/** Returns every address of this machine's interfaces, for `OwnEndpoints.addresses`, without zones. */
export function interfaceAddresses(): string[] {
  const interfaces = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return [...new Set(interfaces.map(({ address }) => address.replace(/%.*$/, '')))];
}

/**
 * Returns the endpoints in the public origins of the service (`https://attune.example.com`). Behind a proxy these are
 * not addresses of this machine, but they lead back to it.
 */
export function publicEndpoints(origins: readonly string[]): OwnEndpoints {
  const urls = origins.filter((origin) => URL.canParse(origin)).map((origin) => new URL(origin));
  const literal = (url: URL): string[] => (isLocalhost(url.hostname) ? [] : (literalAddresses(url.hostname) ?? []));
  return {
    addresses: urls.flatMap(literal),
    ports: urls.map(portOf),
    hosts: urls.filter((url) => literalAddresses(url.hostname) === null).map((url) => url.hostname.replace(/\.$/, '')),
  };
}
