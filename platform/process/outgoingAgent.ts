/** The guarded agent for requests to addresses given by users, with this installation's own rules. */
import { createGuardedAgent, type GuardedAgent } from '../outgoing/connect.ts';
import { addressRules, type OutgoingSettings } from './addressRules.ts';
import type { Logger } from './logger.ts';

/**
 * Creates the agent of one purpose, which holds the pooled connections. Opened networks are logged as a warning: an
 * opening that was meant for a test must not go unnoticed in production. `npm start` opens one for its samples.
 */
export function createOutgoingAgent(
  settings: OutgoingSettings & { requireHttps: boolean },
  logger: Logger,
  options: { connectTimeoutMs?: number; allowHttp?: boolean } = {},
): GuardedAgent {
  const networks = settings.allowNetworks.networks.map(([address, bits]) => `${address.toString()}/${bits}`);
  if (settings.requireHttps && networks.length > 0)
    logger.warn({ networks }, 'ALLOW_NETWORKS lets outgoing requests reach internal networks');
  return createGuardedAgent({ ...addressRules(settings), ...options });
}
