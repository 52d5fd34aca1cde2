/**
 * Derives facts from a hit's user agent and address. Nothing here uses the network: all lists and databases are files.
 */
import { readFile } from 'node:fs/promises';
import type { ClientFacts, Place } from '../../../domain/reports/lakeRows.ts';
import type { RobotRules } from '../../../domain/sites/robotRules.ts';
import { budgeted } from './timeBudget.ts';
import { createUserAgentParser, cutUserAgent, READING_BUDGET, UNKNOWN_CLIENT } from './userAgent.ts';
import { memoise } from './lru.ts';
import { parseNetworks, type NetworkSet } from './networks.ts';
import { openPlaces } from './place.ts';
import { isRobotUserAgent, robotOf, type RobotReason } from './robot.ts';

/** Each entry takes at most 1 KB, so the cache takes 20 MB; a site sees a few thousand user agents a day. */
const REMEMBERED_USER_AGENTS = 20_000;

export interface EnrichOptions {
  /** Path of an .mmdb file with regions and cities. */
  cityDatabase: string | null;
  /** Path of a text file that lists the networks of data centres. */
  dataCentres: string | null;
}

export interface Enricher {
  /**
   * Reads the User-Agent header. The device type is `other` and the rest null when it is empty or unreadable, or new
   * during a flood.
   */
  client(userAgent: string): ClientFacts;
  /** Looks the address up; all fields are null for private and unknown addresses. */
  place(ip: string): Place;
  /** See robot.ts. */
  robotOf(userAgent: string, ip: string, rules: RobotRules): RobotReason | null;
  close(): void;
}

/**
 * Reads the lists and databases once; after a file changes, the process has to be restarted.
 * @throws when a file is missing or unreadable, naming the file and its fault.
 */
export async function createEnricher(options: EnrichOptions): Promise<Enricher> {
  const [places, dataCentres] = await Promise.all([
    openPlaces(options.cityDatabase),
    readNetworks(options.dataCentres),
  ]);
  const client = memoise(REMEMBERED_USER_AGENTS, budgeted(createUserAgentParser(), READING_BUDGET));
  const isRobot = memoise(REMEMBERED_USER_AGENTS, isRobotUserAgent);
  return {
    client: (userAgent) => client(cutUserAgent(userAgent)) ?? UNKNOWN_CLIENT,
    place: (ip) => places.place(ip),
    robotOf: (userAgent, ip, rules) =>
      robotOf({ userAgent: cutUserAgent(userAgent), ip }, rules, { isRobot, dataCentres }),
    // All files are held in memory completely, so nothing needs closing.
    close() {},
  };
}

async function readNetworks(path: string | null): Promise<NetworkSet | null> {
  if (path === null) return null;
  try {
    return parseNetworks(await readFile(path, 'utf8'));
  } catch (error) {
    throw new Error(`"${path}" is not a list of networks: ${(error as Error).message}`, { cause: error });
  }
}
