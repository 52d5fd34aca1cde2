/** The guarded agent for requests to addresses given by users, with this installation's own rules. */
import { createGuardedAgent, type GuardedAgent } from '../outgoing/connect.ts';
import { addressRules, type OutgoingSettings } from './addressRules.ts';

/** Creates the agent of one purpose, which holds the pooled connections. */
export function createOutgoingAgent(
  settings: OutgoingSettings,
  options: { connectTimeoutMs?: number; allowHttp?: boolean } = {},
): GuardedAgent {
  return createGuardedAgent({ ...addressRules(settings), ...options });
}
