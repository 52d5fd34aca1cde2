/**
 * Decides which IP addresses a request to a user-given URL may reach. Pure: addresses in, a verdict out. The tables
 * follow the IANA special-purpose registries (RFC 6890 and its updates), plus the one public address that is a cloud's
 * internal endpoint.
 */
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/**
 * Networks that are explicitly allowed (`ALLOW_NETWORKS`; for development and tests, empty in production) or denied
 * (`DENY_NETWORKS`).
 */
export interface AllowList {
  readonly networks: readonly Network[];
}

/** Endpoints of the service itself. */
export interface OwnEndpoints {
  /** Addresses of its machine, and IP literals in its public URLs. */
  readonly addresses: readonly string[];
  /** Ports that it listens on, and those of its public URLs. */
  readonly ports: readonly number[];
  /** Its public host names, in lower case and without the trailing dot. */
  readonly hosts: readonly string[];
}

export interface AddressRules {
  readonly allow: AllowList;
  /** Refused whatever else allows them: internal hosts that have public addresses. */
  readonly deny?: AllowList;
  readonly own: OwnEndpoints;
}

export const NOTHING_ALLOWED: AllowList = { networks: [] };
export const NO_OWN_ENDPOINTS: OwnEndpoints = { addresses: [], ports: [], hosts: [] };
export const CLOSED_RULES: AddressRules = { allow: NOTHING_ALLOWED, own: NO_OWN_ENDPOINTS };

export const FORBIDDEN_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // IETF protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relay
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
  '168.63.129.16/32', // Azure's internal endpoint, a public address by number
] as const;

/**
 * The only IPv6 space allocated for the public internet; mapped, NAT64, ULA and link-local addresses are outside it.
 */
const GLOBAL_IPV6 = '2000::/3';

export const FORBIDDEN_IPV6 = [
  '2001::/23', // protocol assignments: Teredo, ORCHID, benchmarking
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, carries any IPv4 address
  '3fff::/20', // documentation
] as const;

const forbiddenIpv4: readonly Network[] = FORBIDDEN_IPV4.map((cidr) => ipaddr.parseCIDR(cidr));
const forbiddenIpv6: readonly Network[] = FORBIDDEN_IPV6.map((cidr) => ipaddr.parseCIDR(cidr));
const globalIpv6: Network = ipaddr.parseCIDR(GLOBAL_IPV6);
const loopback: readonly Network[] = ['127.0.0.0/8', '::1/128', '0.0.0.0/8', '::/128'].map((cidr) =>
  ipaddr.parseCIDR(cidr),
);

/**
 * Parses a comma-separated CIDR list such as `127.0.0.0/8, ::1/128`. Empty text allows nothing.
 * @throws {Error} naming the first entry that is not a CIDR network
 */
export function parseAllowNetworks(csv: string): AllowList {
  const entries = csv
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return { networks: entries.map(parseNetwork) };
}

function parseNetwork(entry: string): Network {
  const [host = '', bits = '', ...rest] = entry.split('/');
  const address = parseAddress(host);
  const prefix = /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  const widest = address?.kind() === 'ipv4' ? 32 : 128;
  // An IPv4 address that is written as IPv6 would deny nothing: connections to it are made, and judged, as IPv4.
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress();
  if (address === null || isMapped || rest.length > 0 || !(prefix <= widest)) {
    throw new Error(`"${entry}" is not a network: write it as 10.0.0.0/8 or fd00::/8`);
  }
  return [address, prefix];
}

/**
 * Returns true when a request must not go to this address.
 *
 * The allow-list opens an address that the tables or the service's own list would refuse, with one exception: a port on
 * which the service itself listens. Allowing 10.0.0.0/8 for the receivers of a company must not open the service's own
 * database on 10.0.0.5; only an entry for exactly that address (`10.0.0.5/32`) does. Nothing opens an address that the
 * installation denies.
 *
 * @param ip plain IPv4 or IPv6 text; anything else is forbidden (including an IPv6 zone)
 * @param port the target port, if known
 */
export function isForbiddenAddress(ip: string, rules: AddressRules, port?: number): boolean {
  const address = parseAddress(ip);
  if (address === null || matchesAny(address, rules.deny?.networks ?? [])) return true;
  if (matchesAny(address, rules.allow.networks)) {
    return isOwnPort(address, port, rules.own) && !isNamedExactly(address, rules.allow);
  }
  return isOwnAddress(address, rules.own) || isSpecialPurpose(address);
}

/**
 * Returns true when a request must not go to this host because the service itself answers there, whatever its
 * addresses: behind a proxy they are not this machine's. The allow-list opens such a host in the same way as the
 * service's own addresses: everything that the name resolves to must be in an allowed network, and on a port of the
 * service each address must be listed exactly.
 *
 * @param addresses what the name resolves to; empty while that is unknown
 */
export function isForbiddenHost(
  hostname: string,
  addresses: readonly string[],
  { allow, own }: AddressRules,
  port: number,
): boolean {
  if (!own.hosts.includes(hostname.toLowerCase().replace(/\.$/, ''))) return false;
  if (addresses.length === 0) return allow.networks.length === 0;
  const parsed = addresses.map(parseAddress);
  const all = (isOpen: (address: Address) => boolean): boolean =>
    parsed.every((address) => address !== null && isOpen(address));
  if (own.ports.includes(port)) return !all((address) => isNamedExactly(address, allow));
  return !all((address) => matchesAny(address, allow.networks));
}

/** Returns true when the allow-list has a network that contains this address. */
export function isInAllowList(ip: string, allow: AllowList): boolean {
  const address = parseAddress(ip);
  return address !== null && matchesAny(address, allow.networks);
}

function parseAddress(text: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (text.includes(':') && !text.includes('%') && ipaddr.IPv6.isValid(text)) return ipaddr.IPv6.parse(text);
  return null;
}

function isSpecialPurpose(address: Address): boolean {
  if (address.kind() === 'ipv4') return matchesAny(address, forbiddenIpv4);
  return !matches(address, globalIpv6) || matchesAny(address, forbiddenIpv6);
}

function isOwnAddress(address: Address, own: OwnEndpoints): boolean {
  const canonical = address.toString();
  return own.addresses.some((text) => parseAddress(text)?.toString() === canonical);
}

function isOwnPort(address: Address, port: number | undefined, own: OwnEndpoints): boolean {
  if (port === undefined || !own.ports.includes(port)) return false;
  return matchesAny(address, loopback) || isOwnAddress(address, own);
}

function isNamedExactly(address: Address, allow: AllowList): boolean {
  return allow.networks.some((network) => network[1] === address.toByteArray().length * 8 && matches(address, network));
}

function matchesAny(address: Address, networks: readonly Network[]): boolean {
  return networks.some((network) => matches(address, network));
}

/** ipaddr.js throws when the kinds differ: an IPv4 network never contains an IPv6 address, mapped or not. */
function matches(address: Address, [base, bits]: Network): boolean {
  return address.kind() === base.kind() && address.match(base, bits);
}
