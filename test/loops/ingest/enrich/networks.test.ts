import { describe, expect, it } from '@jest/globals';
import { NetworkListError, parseNetworks } from '../../../../loops/ingest/enrich/networks.ts';

describe('parseNetworks', () => {
  const networks = parseNetworks(
    [
      '# hosting',
      '203.0.113.0/24',
      '203.0.113.128/25  # within the one before',
      '198.51.100.7',
      '',
      '192.0.2.0/25\r',
      '192.0.2.128/25',
      '2001:db8:1::/48',
      '::ffff:100.64.0.0/106',
      '10.0.0.0/8',
      '10.255.255.255/32',
    ].join('\n'),
  );

  it.each([
    '203.0.113.0',
    '203.0.113.255',
    '203.0.113.200',
    '198.51.100.7',
    '192.0.2.1',
    '192.0.2.255',
    '2001:db8:1::1',
    '2001:db8:1:ffff:ffff:ffff:ffff:ffff',
    '100.64.0.1',
    '::ffff:203.0.113.9',
    '10.1.2.3',
  ])('contains %s', (ip) => expect(networks.has(ip)).toBe(true));

  it.each([
    '203.0.112.255',
    '203.0.114.0',
    '198.51.100.6',
    '198.51.100.8',
    '2001:db8:2::',
    '2001:db8:0:ffff::',
    '100.128.0.0',
    '9.255.255.255',
    '11.0.0.0',
    '::1',
    '255.255.255.255',
    '0.0.0.0',
    '',
    'unknown',
    '203.0.113',
    '203.0.113.0/24',
    '3405803776',
    '0xcb007100',
  ])('does not contain %p', (ip) => expect(networks.has(ip)).toBe(false));

  it('joins ranges that overlap', () => {
    expect(parseNetworks('10.0.0.0/8\n10.1.0.0/16\n10.2.3.4').size).toBe(1);
    expect(parseNetworks('# nothing\n\n').size).toBe(0);
  });

  it.each(['example.com', '203.0.113.0/33', '203.0.113.0/-1', '2001:db8::/129', '203.0.113/24'])(
    'names the line of %p',
    (line) => {
      expect(() => parseNetworks(`192.0.2.0/24\n\n${line}`)).toThrow(NetworkListError);
      expect(() => parseNetworks(`192.0.2.0/24\n\n${line}`)).toThrow('line 3');
    },
  );

  it('agrees with a linear search over a thousand random networks', () => {
    const random = seeded(7);
    const list = Array.from({ length: 1000 }, () => ({
      base: Math.floor(random() * 2 ** 32),
      bits: 12 + Math.floor(random() * 21),
    }));
    const set = parseNetworks(list.map(({ base, bits }) => `${dotted(base)}/${bits}`).join('\n'));
    for (let probe = 0; probe < 1000; probe++) {
      const near = list[Math.floor(random() * list.length)] ?? { base: 0, bits: 32 };
      const ip = (near.base + Math.floor((random() - 0.5) * 2 ** (33 - near.bits)) + 2 ** 32) % 2 ** 32;
      const expected = list.some(({ base, bits }) => ip >>> (32 - bits) === base >>> (32 - bits));
      expect([dotted(ip), set.has(dotted(ip))]).toEqual([dotted(ip), expected]);
    }
  });
});

function dotted(ip: number): string {
  return [24, 16, 8, 0].map((shift) => (ip >>> shift) & 255).join('.');
}

/** Returns Park and Miller's generator: the same numbers in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
