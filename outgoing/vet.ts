/** The verdict on one connection: from a host and port to the addresses that may be dialled. */
import { isForbiddenAddress, isForbiddenHost, isOpenedAddress, type AddressRules } from './address.ts';
import { OutgoingError, toOutgoingError } from './errors.ts';
import type { Resolve } from './resolve.ts';
import { isLocalhost, literalAddresses } from './url.ts';

export interface Target {
  /** `https:` or `http:`. */
  readonly protocol: string;
  /** A name or an IP literal, without brackets. */
  readonly hostname: string;
  readonly port: number;
}

export interface Guard {
  readonly rules: AddressRules;
  readonly allowHttp: boolean;
  readonly resolve: Resolve;
}

/**
 * Every address of the target, once all of them are found good. One bad address refuses the whole
 * name: a name with a public and an internal address is an attack or a fault, and trying only the
 * good one would let timing tell which it was. A refusal comes before any packet to the target, so
 * its time depends on name servers alone, never on whether something listens there.
 *
 * `localhost` is the exception: its two addresses are ours by definition, not a stranger's claim,
 * so the opened one is used even when the other is not open.
 *
 * @throws {OutgoingError} `forbidden_address` or `dns`.
 */
export async function vetTarget(target: Target, guard: Guard): Promise<string[]> {
  if (isForbiddenHost(target.hostname, [], guard.rules, target.port)) throw new OutgoingError('forbidden_address');
  const addresses = await addressesOf(target, guard);
  if (addresses.length === 0) throw new OutgoingError('dns');
  if (addresses.some((ip) => isForbiddenAddress(ip, guard.rules, target.port)))
    throw new OutgoingError('forbidden_address');
  if (isForbiddenHost(target.hostname, addresses, guard.rules, target.port))
    throw new OutgoingError('forbidden_address');
  if (target.protocol !== 'https:' && !mayGoPlain(addresses, guard)) throw new OutgoingError('forbidden_address');
  return addresses;
}

async function addressesOf(target: Target, guard: Guard): Promise<string[]> {
  const literal = literalAddresses(target.hostname);
  if (literal === null) {
    return guard.resolve(target.hostname).catch((error: unknown) => Promise.reject(toOutgoingError(error, 'dns')));
  }
  if (!isLocalhost(target.hostname)) return literal;
  const open = literal.filter((ip) => !isForbiddenAddress(ip, guard.rules, target.port));
  return open.length > 0 ? open : literal;
}

function mayGoPlain(addresses: readonly string[], guard: Guard): boolean {
  return guard.allowHttp && addresses.every((ip) => isOpenedAddress(ip, guard.rules.allow));
}
