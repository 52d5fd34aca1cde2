/** A set of IP networks with a fast membership test, read from a text file. */
import ipaddr from 'ipaddr.js';

/** First and last address of a range, in a fixed-width form that sorts as text (see {@link addressKey}). */
type Range = readonly [first: string, last: string];

export interface NetworkSet {
  /** Number of disjoint ranges. */
  readonly size: number;
  /** Returns false for text that is not an address. O(log n). */
  has(ip: string): boolean;
}

/** Error that names the first faulty line. */
export class NetworkListError extends Error {
  override readonly name = 'NetworkListError';
}

/**
 * Parses a file with one network (`203.0.113.0/24`, `2001:db8::/32`) or address per line. Empty lines and text after a
 * `#` are skipped. Ranges may overlap.
 * @throws {NetworkListError} for any other line.
 */
export function parseNetworks(file: string): NetworkSet {
  const ranges: Range[] = [];
  for (const [index, line] of file.split('\n').entries()) {
    const entry = line.replace(/#.*/, '').trim();
    if (entry === '') continue;
    const range = rangeOf(entry);
    if (range === null)
      throw new NetworkListError(
        `line ${index + 1}: "${entry.slice(0, 60)}" is neither a network such as 192.0.2.0/24 nor an address`,
      );
    ranges.push(range);
  }
  return networkSet(merge(ranges));
}

function networkSet(ranges: readonly Range[]): NetworkSet {
  return {
    size: ranges.length,
    has(ip) {
      const key = addressKey(ip);
      if (key === null) return false;
      const range = ranges[lastStartingAtOrBefore(ranges, key)];
      return range !== undefined && key <= range[1];
    },
  };
}

/** Returns the index of the last range that begins at or before the address, or −1 when there is none. */
function lastStartingAtOrBefore(ranges: readonly Range[], key: string): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const range = ranges[middle];
    if (range !== undefined && range[0] <= key) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function merge(ranges: Range[]): Range[] {
  const merged: Range[] = [];
  for (const range of ranges.sort((a, b) => (a[0] < b[0] ? -1 : Number(a[0] > b[0])))) {
    const last = merged.at(-1);
    if (last === undefined || range[0] > last[1]) merged.push(range);
    else if (range[1] > last[1]) merged[merged.length - 1] = [last[0], range[1]];
  }
  return merged;
}

function rangeOf(entry: string): Range | null {
  const single = addressKey(entry);
  if (single !== null) return [single, single];
  if (!ipaddr.IPv4.isValidCIDRFourPartDecimal(entry) && !ipaddr.IPv6.isValidCIDR(entry)) return null;
  const [address, prefix] = ipaddr.parseCIDR(entry);
  const bits = address.kind() === 'ipv4' ? prefix + 96 : prefix;
  const bytes = bytesOf(address);
  return [
    hex(bytes.map((byte, index) => byte & mask(bits, index))),
    hex(bytes.map((byte, index) => byte | (~mask(bits, index) & 255))),
  ];
}

/** Returns a mask of the bits of one byte that belong to the network. */
function mask(bits: number, index: number): number {
  const own = Math.min(8, Math.max(0, bits - index * 8));
  return (255 << (8 - own)) & 255;
}

/**
 * Returns an address as 32 hexadecimal digits, IPv4 as mapped into IPv6; null for text that is not an address in its
 * usual form.
 */
function addressKey(ip: string): string | null {
  if (!ipaddr.IPv4.isValidFourPartDecimal(ip) && !ipaddr.IPv6.isValid(ip)) return null;
  return hex(bytesOf(ipaddr.parse(ip)));
}

function bytesOf(address: ipaddr.IPv4 | ipaddr.IPv6): number[] {
  return (address instanceof ipaddr.IPv4 ? address.toIPv4MappedAddress() : address).toByteArray();
}

function hex(bytes: readonly number[]): string {
  return Buffer.from(bytes).toString('hex');
}
