/** The verdict on one connection: maps a host and port to the addresses that may be dialled. */
import { isForbiddenAddress, isForbiddenHost, isInAllowList, type AddressRules } from './forbiddenAddresses.ts';
import { OutgoingError, toOutgoingError } from './errors.ts';
import type { Resolve } from './resolve.ts';
import { isLocalhost, literalAddresses } from './url.ts';

export interface Target {
  /** `https:` or `http:`. */
  readonly protocol: string;
  /** A name, or an IP literal without brackets. */
  readonly hostname: string;
  readonly port: number;
}

export interface Guard {
  readonly rules: AddressRules;
  readonly allowHttp: boolean;
  readonly resolve: Resolve;
}

/**
 * Returns every address of the target if all of them are allowed. One bad address refuses the whole name: a name with a
 * public and an internal address is an attack or an error, and trying only the good one would reveal by timing which it
 * was. A refusal precedes any packet to the target, so its timing depends only on name servers, never on whether
 * something listens there.
 *
 * `localhost` is the exception: its two addresses are known to be ours, not a claim of a stranger, so the allowed one
 * is used even when the other is not allowed.
 *
 * @throws {OutgoingError} `forbidden_address` or `dns`
 */
export async function vetTarget(target: Target, guard: Guard): Promise<string[]> {
  if (isForbiddenHost(target.hostname, [], guard.rules, target.port)) throw new OutgoingError('forbidden_address');
  const addresses = await addressesOf(target, guard);
  if (addresses.length === 0) throw new OutgoingError('dns');
  if (addresses.some((ip) => isForbiddenAddress(ip, guard.rules, target.port)))
    throw new OutgoingError('forbidden_address');
  if (isForbiddenHost(target.hostname, addresses, guard.rules, target.port))
    throw new OutgoingError('forbidden_address');
  if (target.protocol !== 'https:' && !allowsPlainHttp(addresses, guard)) throw new OutgoingError('forbidden_address');
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

function allowsPlainHttp(addresses: readonly string[], guard: Guard): boolean {
  return guard.allowHttp && addresses.every((ip) => isInAllowList(ip, guard.rules.allow));
}
