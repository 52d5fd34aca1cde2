/** Robots that say so: the list of isbot, and requests without any user agent, which no browser makes. */
import { isbot } from 'isbot';

/** Of a cut user agent (client.ts). */
export function isRobotUserAgent(userAgent: string): boolean {
  return userAgent.trim() === '' || isbot(userAgent);
}
