import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  CLOSED_RULES,
  FORBIDDEN_IPV4,
  FORBIDDEN_IPV6,
  isForbiddenAddress,
  isForbiddenHost,
  isInAllowList,
  NOTHING_ALLOWED,
  parseAllowNetworks,
  type AddressRules,
} from '../../../platform/outgoing/forbiddenAddresses.ts';

const forbidden = (ip: string, rules: AddressRules = CLOSED_RULES, port?: number) =>
  isForbiddenAddress(ip, rules, port);
const opening = (csv: string): AddressRules => ({
  allow: parseAllowNetworks(csv),
  own: { addresses: [], ports: [], hosts: [] },
});

type Edges = [cidr: string, first: string, last: string, before: string | null, after: string | null];

/** A network's first and last address, and the addresses before and after it, where those exist. */
const IPV4_EDGES: Edges[] = [
  ['0.0.0.0/8', '0.0.0.0', '0.255.255.255', null, '1.0.0.0'],
  ['10.0.0.0/8', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0/10', '100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0/8', '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['169.254.0.0/16', '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0/12', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0/24', '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0/24', '192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.88.99.0/24', '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0/16', '192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['198.18.0.0/15', '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0/24', '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0/24', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0/4', '224.0.0.0', '239.255.255.255', '223.255.255.255', null],
  ['240.0.0.0/4', '240.0.0.0', '255.255.255.255', null, null],
  ['168.63.129.16/32', '168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
];

const IPV6_EDGES: Edges[] = [
  [
    '2001::/23',
    '2001::',
    '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:200::',
  ],
  [
    '2001:db8::/32',
    '2001:db8::',
    '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:db9::',
  ],
  [
    '2002::/16',
    '2002::',
    '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2003::',
  ],
  [
    '3fff::/20',
    '3fff::',
    '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff',
    '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '3fff:1000::',
  ],
];

describe('forbidden addresses', () => {
  // proves: webhooks/1
  it.each([...IPV4_EDGES, ...IPV6_EDGES])(
    'contain %s from its first to its last address and nothing outside it',
    (_cidr, first, last, before, after) => {
      expect(forbidden(first)).toBe(true);
      expect(forbidden(last)).toBe(true);
      if (before !== null) expect(forbidden(before)).toBe(false);
      if (after !== null) expect(forbidden(after)).toBe(false);
    },
  );

  it('are tested at the edges of every network in the tables', () => {
    expect([...IPV4_EDGES, ...IPV6_EDGES].map(([cidr]) => cidr)).toEqual([...FORBIDDEN_IPV4, ...FORBIDDEN_IPV6]);
  });

  it.each([
    ['1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', true],
    ['2000::', false],
    ['3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', false],
    ['4000::', true],
  ])('include IPv6 outside 2000::/3: %s → %s', (ip, expected) => expect(forbidden(ip)).toBe(expected));

  it.each([
    ['loopback', '::1'],
    ['unspecified', '::'],
    ['mapped', '::ffff:8.8.8.8'],
    ['compatible', '::8.8.8.8'],
    ['NAT64', '64:ff9b::808:808'],
    ['local NAT64', '64:ff9b:1::a00:1'],
    ['discard', '100::1'],
    ['unique local', 'fd00::1'],
    ['metadata', 'fd00:ec2::254'],
    ['link-local', 'fe80::1'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['Teredo', '2001:0:4136:e378::1'],
    ['6to4 of 127.0.0.1', '2002:7f00:1::'],
  ])('include IPv6 %s %s', (_kind, ip) => expect(forbidden(ip)).toBe(true));

  it.each(['8.8.8.8', '1.1.1.1', '93.184.215.14', '2606:4700:4700::1111', '2a00:1450:4010:c0e::71'])(
    'do not contain a public address: %s',
    (ip) => {
      expect(forbidden(ip)).toBe(false);
    },
  );

  it.each([
    '',
    'example.com',
    '127.1',
    '0x7f000001',
    '2130706433',
    '010.8.8.8',
    '8.8.8',
    '8.8.8.8 ',
    '2606::1%eth0',
    '[2606::1]',
    '1.2.3.4.5',
  ])('contain anything that is not a plain address: "%s"', (text) => expect(forbidden(text)).toBe(true));

  it('contain every address of a forbidden /8 network, and every mapped IPv4 address', () => {
    const byte = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(fc.constantFrom('10', '127', '0', '224', '239', '240', '255'), byte, byte, byte, (head, b, c, d) =>
        forbidden(`${head}.${b}.${c}.${d}`),
      ),
    );
    fc.assert(fc.property(byte, byte, byte, byte, (a, b, c, d) => forbidden(`::ffff:${a}.${b}.${c}.${d}`)));
  });
});

describe('the allow-list', () => {
  // proves: decisions-guard/allow
  it('opens exactly what it names', () => {
    const rules = opening('127.0.0.0/8, fd00::/8');
    expect(forbidden('127.0.0.1', rules)).toBe(false);
    expect(forbidden('fd12::1', rules)).toBe(false);
    expect(forbidden('10.0.0.1', rules)).toBe(true);
    expect(forbidden('::1', rules)).toBe(true);
    expect(forbidden('::ffff:127.0.0.1', rules)).toBe(true);
    expect(isInAllowList('127.9.9.9', rules.allow)).toBe(true);
    expect(isInAllowList('8.8.8.8', rules.allow)).toBe(false);
  });

  it.each(['', ' ', ',', ' , '])('opens nothing if it is empty: "%s"', (csv) =>
    expect(parseAllowNetworks(csv)).toEqual(NOTHING_ALLOWED),
  );

  it.each([
    '10.0.0.0',
    '10/8',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    'fd00::/129',
    'localhost/8',
    '0x7f.0.0.0/8',
    '10.0.0.0/8;::1/128',
    '::ffff:10.0.0.0/104',
    '::ffff:5db8:d700/120',
  ])('refuses "%s", and names it', (entry) =>
    expect(() => parseAllowNetworks(`127.0.0.0/8,${entry}`)).toThrow(`"${entry}"`),
  );
});

describe("the service's own endpoints", () => {
  const own = { addresses: ['8.8.4.4', '10.0.0.5', '2606:0:0::5'], ports: [5432, 8080], hosts: ['attune.example'] };

  it('are refused on every port, even at a public address', () => {
    const rules = { allow: NOTHING_ALLOWED, own };
    expect(forbidden('8.8.4.4', rules, 443)).toBe(true);
    expect(forbidden('2606::5', rules, 443)).toBe(true);
    expect(forbidden('8.8.4.5', rules, 443)).toBe(false);
  });

  it('keep their listening ports closed when a whole network is opened', () => {
    const rules = { allow: parseAllowNetworks('10.0.0.0/8, 127.0.0.0/8'), own };
    expect(forbidden('10.0.0.5', rules, 443)).toBe(false);
    expect(forbidden('10.0.0.5', rules, 5432)).toBe(true);
    expect(forbidden('127.0.0.9', rules, 8080)).toBe(true);
    expect(forbidden('10.0.0.6', rules, 5432)).toBe(false);
  });

  it('are opened with their ports when named exactly', () => {
    const rules = { allow: parseAllowNetworks('10.0.0.5/32, 2606::5/128'), own };
    expect(forbidden('10.0.0.5', rules, 5432)).toBe(false);
    expect(forbidden('2606::5', rules, 8080)).toBe(false);
  });
});

describe('denied networks', () => {
  const rules: AddressRules = {
    ...CLOSED_RULES,
    allow: parseAllowNetworks('10.0.0.0/8, 93.184.215.14/32'),
    deny: parseAllowNetworks('93.184.215.0/24, 10.1.0.0/16, 2606:2800::/32'),
  };

  it('are refused although they are public, and other public addresses are not', () => {
    expect(forbidden('93.184.215.20', rules)).toBe(true);
    expect(forbidden('2606:2800:21f:cb07::1', rules)).toBe(true);
    expect(forbidden('93.184.216.20', rules)).toBe(false);
    expect(forbidden('2606:2801::1', rules)).toBe(false);
  });

  it('are refused even if a network or the exact address is opened', () => {
    expect(forbidden('10.1.2.3', rules)).toBe(true);
    expect(forbidden('93.184.215.14', rules)).toBe(true);
    expect(forbidden('10.2.2.3', rules)).toBe(false);
  });
});

describe("the service's own host names", () => {
  const rulesOf = (csv: string): AddressRules => ({
    allow: parseAllowNetworks(csv),
    own: { addresses: [], ports: [443], hosts: ['attune.example'] },
  });
  const refused = (addresses: string[], csv: string, port: number) =>
    isForbiddenHost('Attune.Example.', addresses, rulesOf(csv), port);

  it('are refused wherever they lead, before and after resolution', () => {
    expect(refused([], '', 443)).toBe(true);
    expect(refused(['93.184.215.14'], '', 8443)).toBe(true);
    expect(refused(['93.184.215.14'], '10.0.0.0/8', 8443)).toBe(true);
    expect(isForbiddenHost('receiver.attune.example', [], rulesOf(''), 443)).toBe(false);
  });

  it('are checked after resolution when networks are opened, and are opened with all their addresses', () => {
    expect(refused([], '10.0.0.0/8', 443)).toBe(false);
    expect(refused(['10.0.0.5'], '10.0.0.0/8', 8443)).toBe(false);
    expect(refused(['10.0.0.5', '93.184.215.14'], '10.0.0.0/8', 8443)).toBe(true);
    expect(refused(['10.0.0.5', 'fe80::1%eth0'], '10.0.0.0/8', 8443)).toBe(true);
  });

  it('keep the ports of the service closed until their addresses are named exactly', () => {
    expect(refused(['10.0.0.5'], '10.0.0.0/8', 443)).toBe(true);
    expect(refused(['10.0.0.5'], '10.0.0.5/32', 443)).toBe(false);
  });
});
