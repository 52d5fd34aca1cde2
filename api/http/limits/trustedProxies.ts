/** The client of a request: its address and scheme behind trusted proxies. */
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { StartError } from '../../../platform/process/lifecycle.ts';

export interface Peer {
  /** In text form; an IPv4-mapped address is written as IPv4. */
  ip: string;
  isHttps: boolean;
}

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];
export type TrustedProxies = readonly Network[];

/**
 * Parses TRUSTED_PROXIES: addresses and CIDR networks.
 * @throws {StartError} naming the first entry that is neither
 */
export function parseTrustedProxies(entries: readonly string[]): TrustedProxies {
  return entries.map((entry) => {
    if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry);
    if (!ipaddr.isValid(entry))
      throw new StartError(`TRUSTED_PROXIES: "${entry}" is neither an address nor a network such as 10.0.0.0/8`);
    const address = ipaddr.process(entry);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  });
}

/**
 * Returns the client. Forwarded headers count only when the peer itself is a trusted proxy; the client is then the
 * first untrusted address from the right in X-Forwarded-For.
 */
export function peerOf(request: IncomingMessage, proxies: TrustedProxies): Peer {
  const direct = normalise(request.socket.remoteAddress ?? '') ?? '0.0.0.0';
  const isEncrypted = 'encrypted' in request.socket;
  if (!isTrusted(direct, proxies)) return { ip: direct, isHttps: isEncrypted };
  const forwardedProto = listOf(request.headers['x-forwarded-proto']).at(-1)?.toLowerCase();
  return {
    ip: forwardedClient(direct, listOf(request.headers['x-forwarded-for']), proxies),
    isHttps: isEncrypted || forwardedProto === 'https',
  };
}

/** Returns the key by which an address is limited: the whole /64 for IPv6, since one host has all of it. */
export function limitKeyOf(ip: string): string {
  const address = ipaddr.parse(ip);
  if (address.kind() === 'ipv4') return ip;
  return ipaddr.IPv6.networkAddressFromCIDR(`${ip}/64`).toNormalizedString();
}

function forwardedClient(direct: string, hops: readonly string[], proxies: TrustedProxies): string {
  let client = direct;
  for (const hop of hops.toReversed()) {
    const ip = normalise(hop);
    if (ip === null) return client;
    client = ip;
    if (!isTrusted(ip, proxies)) return client;
  }
  return client;
}

function isTrusted(ip: string, proxies: TrustedProxies): boolean {
  const address = ipaddr.parse(ip);
  return proxies.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

function normalise(text: string): string | null {
  const bare = text.replace(/%.*$/, '');
  return ipaddr.isValid(bare) && (bare.includes(':') || ipaddr.IPv4.isValidFourPartDecimal(bare))
    ? ipaddr.process(bare).toString()
    : null;
}

function listOf(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
