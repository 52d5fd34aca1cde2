import type { Config } from '../config.ts';
import { parseAllowNetworks, type AddressRules } from '../outgoing/address.ts';
import { interfaceAddresses } from '../outgoing/own.ts';
import { StartError } from '../process/lifecycle.ts';

/**
 * Which addresses a user may name for media and webhooks.
 * @throws {StartError} when ALLOW_NETWORKS is not a list of networks
 */
export function addressRulesOf(config: Config): AddressRules {
  const ports = [config.port, config.metricsPort, portOf(config.databaseUrl, 5432), portOf(`tcp://${config.temporalAddress}`, 7233)];
  try {
    return { allow: parseAllowNetworks(config.allowNetworks), own: { addresses: interfaceAddresses(), ports } };
  } catch (error) {
    throw new StartError(`ALLOW_NETWORKS: ${(error as Error).message}`);
  }
}

function portOf(address: string, usual: number): number {
  const port = URL.canParse(address) ? new URL(address).port : '';
  return port === '' ? usual : Number(port);
}
