/** The guarded agent for requests to addresses given by users, with this installation's own rules. */
import { createGuardedAgent, type GuardedAgent } from '../outgoing/connect.ts';
import { addressRules, type OutgoingSettings } from './addressRules.ts';
import type { Logger } from './logger.ts';

/** Creates the agent of one purpose, which holds the pooled connections, and logs opened networks. */
export function createOutgoingAgent(
  settings: OutgoingSettings & { requireHttps: boolean },
  logger: Logger,
  options: { connectTimeoutMs?: number; allowHttp?: boolean } = {},
): GuardedAgent {
  logOpenNetworks(settings, logger);
  return createGuardedAgent({ ...addressRules(settings), ...options });
}

/**
 * Logs opened networks, in production as a warning: an opening that was meant for a test must not go unnoticed there.
 * `npm start` opens one for its samples.
 */
export function logOpenNetworks(
  { allowNetworks, requireHttps }: OutgoingSettings & { requireHttps: boolean },
  logger: Logger,
): void {
  const networks = allowNetworks.networks.map(([address, bits]) => `${address.toString()}/${bits}`);
  const level = requireHttps ? 'warn' : 'info';
  if (networks.length > 0) logger[level]({ networks }, 'ALLOW_NETWORKS lets outgoing requests reach internal networks');
}
