/**
 * Recognises robots that identify themselves (the list of isbot), and requests without a user agent, which no browser
 * sends.
 */
import { isbot } from 'isbot';

/** Expects a user agent that userAgent.ts has cut. */
export function isRobotUserAgent(userAgent: string): boolean {
  return userAgent.trim() === '' || isbot(userAgent);
}
