import { networkInterfaces } from 'node:os';

/** Every address of this machine's interfaces, for `OwnEndpoints.addresses`. Zones are cut off. */
export function interfaceAddresses(): string[] {
  const interfaces = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return [...new Set(interfaces.map(({ address }) => address.replace(/%.*$/, '')))];
}
