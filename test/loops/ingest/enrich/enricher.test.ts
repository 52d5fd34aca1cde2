import { describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_ROBOT_RULES } from '../../../../domain/sites/robotRules.ts';
import { USER_AGENT_CHARACTERS } from '../../../../loops/ingest/enrich/userAgent.ts';
import { createEnricher } from '../../../../loops/ingest/enrich/index.ts';
import { BROWSERS, CONSOLES, ROBOTS } from './userAgents.ts';

const PLAIN = { cityDatabase: null, dataCentres: null };
const CHROME = BROWSERS[0]?.userAgent ?? '';
const NOTHING = {
  device_type: 'other',
  device_brand: null,
  device_model: null,
  os: null,
  os_version: null,
  browser: null,
  browser_version: null,
  browser_engine: null,
};
const enricher = await createEnricher(PLAIN);

describe('client', () => {
  // proves: report-dimensions/device-types
  it.each(BROWSERS)('reads $userAgent', ({ userAgent, facts }) => {
    expect(enricher.client(userAgent)).toEqual(facts);
  });

  // proves: report-dimensions/device-types
  it.each(CONSOLES)('recognises the console of %s', (userAgent, brand, model) => {
    expect(enricher.client(userAgent)).toMatchObject({
      device_type: 'console',
      device_brand: brand,
      device_model: model,
    });
  });

  // proves: report-dimensions/device-types
  it.each(['', ' ', '-', '\u0000', '💥', 'null'])('recognises nothing in %p', (userAgent) => {
    expect(enricher.client(userAgent)).toEqual(NOTHING);
  });

  it('gives the same answer from its memory', () => {
    expect(enricher.client(CHROME)).toEqual(enricher.client(CHROME));
  });

  it('reads only the beginning of a long user agent', () => {
    const long = CHROME.padEnd(USER_AGENT_CHARACTERS, ' ');
    expect(enricher.client(`${long} Edg/142.0.0.0`)).toEqual(enricher.client(CHROME));
  });
});

/**
 * Inputs that slow down regular expressions for user agents: long repetitions of texts with which such expressions
 * begin.
 */
const HOSTILE = [
  'a',
  '(',
  ' ',
  '1.',
  'Mozilla/5.0 (',
  'Android ',
  'Linux; U; ',
  'Chrome/',
  'Version/',
  'SM-',
  'Build/',
  '; wv',
  'x x;',
  'iPhone OS 1_',
  '\u0001',
  '\u00ff',
].map((part) => part.repeat(Math.ceil(8192 / part.length)).slice(0, 8192));

describe('hostile user agents', () => {
  it.each(HOSTILE)('are read as if they ended after 500 characters: input %#', (userAgent) => {
    const cut = userAgent.slice(0, USER_AGENT_CHARACTERS);
    expect(enricher.client(userAgent)).toEqual(enricher.client(cut));
    expect(enricher.robotOf(userAgent, '77.88.55.242', DEFAULT_ROBOT_RULES)).toBe(
      enricher.robotOf(cut, '77.88.55.242', DEFAULT_ROBOT_RULES),
    );
  });

  it('take on average less than 100 times the CPU time of ordinary ones', () => {
    const plain = timeOf(BROWSERS.map(({ userAgent }, index) => `${userAgent} ${index}`));
    const hostile = timeOf(HOSTILE.map((userAgent, index) => `${index}${userAgent}`));
    // The measured ratio is 5 to 10. With a catastrophic expression it is in the thousands, or the call never ends.
    expect(hostile / plain).toBeLessThan(100);
  });

  /** Returns this thread's mean CPU time for a user agent in microseconds, which does not depend on other load. */
  function timeOf(userAgents: readonly string[]): number {
    const start = process.threadCpuUsage();
    for (const userAgent of userAgents) {
      enricher.client(userAgent);
      enricher.robotOf(userAgent, '77.88.55.242', DEFAULT_ROBOT_RULES);
    }
    const { user, system } = process.threadCpuUsage(start);
    return (user + system) / userAgents.length;
  }
});

describe('the enricher', () => {
  // proves: decisions-visits/robots-user-agent
  it.each(ROBOTS)('recognises a robot by the user agent %s', (userAgent) => {
    expect(enricher.robotOf(userAgent, '77.88.55.242', DEFAULT_ROBOT_RULES)).toBe('UserAgent');
  });

  it.each(BROWSERS)('treats $userAgent as a person', ({ userAgent }) => {
    expect(enricher.robotOf(userAgent, '77.88.55.242', DEFAULT_ROBOT_RULES)).toBeNull();
  });

  it('treats a missing user agent as a robot, unless the site does not check user agents', () => {
    expect(enricher.robotOf('', '77.88.55.242', DEFAULT_ROBOT_RULES)).toBe('UserAgent');
    expect(enricher.robotOf('', '77.88.55.242', { ...DEFAULT_ROBOT_RULES, user_agents: false })).toBeNull();
  });

  // proves: decisions-visits/robots-data-centres
  it('recognises data centres by the list, if there is one and the site uses it', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'attune-enrich-'));
    try {
      const dataCentres = join(dir, 'networks.txt');
      await writeFile(dataCentres, '# ours\n198.51.100.0/24\n2001:db8::/32\n');
      const listed = await createEnricher({ ...PLAIN, dataCentres });
      expect(listed.robotOf(CHROME, '198.51.100.7', DEFAULT_ROBOT_RULES)).toBe('DataCentre');
      expect(listed.robotOf(CHROME, '2001:db8::7', DEFAULT_ROBOT_RULES)).toBe('DataCentre');
      expect(listed.robotOf(CHROME, '198.51.101.7', DEFAULT_ROBOT_RULES)).toBeNull();
      expect(listed.robotOf(CHROME, '198.51.100.7', { ...DEFAULT_ROBOT_RULES, data_centres: false })).toBeNull();
      expect(listed.robotOf('curl/8.5.0', '198.51.100.7', DEFAULT_ROBOT_RULES)).toBe('UserAgent');
      expect(enricher.robotOf(CHROME, '198.51.100.7', DEFAULT_ROBOT_RULES)).toBeNull();
      listed.close();
    } finally {
      await rm(dir, { recursive: true });
    }
  });

  it('does not start with a list of data centres that it cannot read', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'attune-enrich-'));
    try {
      const dataCentres = join(dir, 'networks.txt');
      await writeFile(dataCentres, '198.51.100.0/24\nexample.com\n');
      await expect(createEnricher({ ...PLAIN, dataCentres })).rejects.toThrow(
        /networks\.txt" is not a list of networks: line 2: "example\.com"/,
      );
      await expect(createEnricher({ ...PLAIN, dataCentres: join(dir, 'missing') })).rejects.toThrow('missing');
    } finally {
      await rm(dir, { recursive: true });
    }
  });
});
