/** What a hit's user agent and address tell. Nothing here asks the network: all lists and databases are files. */
import { readFile } from 'node:fs/promises';
import type { ClientFacts, Place } from '../../domain/lakeRows.ts';
import type { RobotRules } from '../../domain/sites.ts';
import { budgeted, type Budget } from './budget.ts';
import { createClientReader, cutUserAgent, UNKNOWN_CLIENT } from './client.ts';
import { remembered } from './lru.ts';
import { parseNetworks, type NetworkSet } from './networks.ts';
import { openPlaces } from './place.ts';
import { isRobotUserAgent } from './robot.ts';

/** At most 1 KB each, so 20 MB; a site's day has some thousands. */
const REMEMBERED_USER_AGENTS = 20_000;

/**
 * For user agents that are new. A start with an empty memory reads some 6,000 of phones at once; a flood of made-up
 * ones takes half a core and not all of the ingest, and while it lasts new devices are unknown.
 */
const READING: Budget = { burstMs: 20_000, share: 0.5 };

export type RobotReason = 'UserAgent' | 'DataCentre';

export interface EnrichOptions {
  /** Path of an .mmdb with regions and cities. */
  cityDatabase: string | null;
  /** Path of a text file with the networks of data centres. */
  dataCentres: string | null;
}

export interface Enricher {
  /** Of the request's User-Agent header; an empty or unreadable one, and in a flood a new one, has device type `other` and nulls. */
  client(userAgent: string): ClientFacts;
  /** Nulls for private and unknown addresses. */
  place(ip: string): Place;
  /** The sign that marks the sender as a robot; null for people, and for signs that the site has switched off. */
  robotOf(userAgent: string, ip: string, rules: RobotRules): RobotReason | null;
  close(): void;
}

/**
 * Reads the lists and databases, once: after a change of a file the process is started anew.
 * @throws when a file is missing or unreadable, naming the file and its fault.
 */
export async function createEnricher(options: EnrichOptions): Promise<Enricher> {
  const [places, dataCentres] = await Promise.all([
    openPlaces(options.cityDatabase),
    readNetworks(options.dataCentres),
  ]);
  const client = remembered(REMEMBERED_USER_AGENTS, budgeted(createClientReader(), READING));
  const isRobot = remembered(REMEMBERED_USER_AGENTS, isRobotUserAgent);
  return {
    client: (userAgent) => client(cutUserAgent(userAgent)) ?? UNKNOWN_CLIENT,
    place: (ip) => places.place(ip),
    robotOf(userAgent, ip, rules) {
      if (rules.user_agents && isRobot(cutUserAgent(userAgent))) return 'UserAgent';
      return rules.data_centres && dataCentres?.has(ip) === true ? 'DataCentre' : null;
    },
    // All files are in memory as a whole.
    close() {},
  };
}

async function readNetworks(path: string | null): Promise<NetworkSet | null> {
  if (path === null) return null;
  try {
    return parseNetworks(await readFile(path, 'utf8'));
  } catch (error) {
    throw new Error(`"${path}" is no list of networks: ${(error as Error).message}`, { cause: error });
  }
}
