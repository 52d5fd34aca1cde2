/**
 * Recognises robots by their sender: those that identify themselves (the list of isbot), requests without a user agent,
 * which no browser sends, and those from the networks of data centres, if a list is configured. A site can switch off
 * the signs in the user agent, or the sign of the network. domain/visits/robots.ts judges the behaviour of a visit.
 */
import { isbot } from 'isbot';
import type { RobotRules } from '../../../domain/sites/robotRules.ts';
import type { NetworkSet } from './networks.ts';

export type RobotReason = 'UserAgent' | 'DataCentre';

export interface Sender {
  /** As userAgent.ts has cut it. */
  userAgent: string;
  ip: string;
}

/**
 * Returns the sign that marks a sender as a robot; null for people and for signs that the site has switched off.
 * @param isRobot {@link isRobotUserAgent}, or the same with a cache
 * @param dataCentres the configured list; null without one
 */
export function robotOf(
  { userAgent, ip }: Sender,
  rules: RobotRules,
  { isRobot, dataCentres }: { isRobot(userAgent: string): boolean; dataCentres: NetworkSet | null },
): RobotReason | null {
  if (rules.user_agents && isRobot(userAgent)) return 'UserAgent';
  return rules.data_centres && dataCentres?.has(ip) === true ? 'DataCentre' : null;
}

/** Expects a user agent that userAgent.ts has cut. */
export function isRobotUserAgent(userAgent: string): boolean {
  return userAgent.trim() === '' || isbot(userAgent);
}
