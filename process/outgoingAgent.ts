/** The guarded way out to addresses that users gave, with this installation's own rules. */
import type { KeylessConfig } from '../config.ts';
import { createGuardedAgent, type GuardedAgent } from '../outgoing/connect.ts';
import { addressRules } from './addressRules.ts';

/** One agent per purpose; it holds the pooled connections. */
export function createOutgoingAgent(
  config: KeylessConfig,
  options: { connectTimeoutMs?: number; allowHttp?: boolean } = {},
): GuardedAgent {
  return createGuardedAgent({ ...addressRules(config), ...options });
}
