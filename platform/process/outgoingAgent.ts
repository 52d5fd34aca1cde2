/** The guarded agent for requests to addresses given by users, with this installation's own rules. */
import type { KeylessConfig } from '../../config.ts';
import { createGuardedAgent, type GuardedAgent } from '../outgoing/connect.ts';
import { addressRules } from './addressRules.ts';

/** Creates the agent of one purpose, which holds the pooled connections. */
export function createOutgoingAgent(
  config: KeylessConfig,
  options: { connectTimeoutMs?: number; allowHttp?: boolean } = {},
): GuardedAgent {
  return createGuardedAgent({ ...addressRules(config), ...options });
}
