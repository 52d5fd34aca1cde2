/** Finds everything that can be wrong before the start, and reports it at once. */
import type { Env } from '../../../config.ts';
import { findPortFaults } from './settings/ports.ts';
import { removeDescription } from './settings/devFiles.ts';
import { connectError } from './settings/reachable.ts';
import { readSettings, wantedPorts, type DevSettings } from './settings/devSettings.ts';
import { acquireLock, StackRunningError, type StackLock } from './lock/stackLock.ts';

/** Error for a start that cannot begin; one line per fault, with its fix. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

/**
 * Checks the settings, takes the lock (which ends the processes of a killed launcher and so frees its ports), then
 * checks the ports and the external servers.
 * @throws {StartError} with every fault; the lock is not held then.
 */
export async function preflight(
  env: Env,
  args: readonly string[],
  report: (line: string) => void,
): Promise<{ settings: DevSettings; lock: StackLock }> {
  const { settings, faults } = readSettings(env, args);
  const lock = await takeLock(settings.dataDir, report, faults);
  if (lock === null) throw new StartError(faults); // the running stack's own ports would only add noise
  await removeDescription(settings.dataDir); // the description of a killed launcher would look like a running stack
  faults.push(...(await findPortFaults(wantedPorts(settings))), ...(await givenServerFaults(settings)));
  if (faults.length === 0) return { settings, lock };
  await lock.release();
  throw new StartError(faults);
}

async function takeLock(dataDir: string, report: (line: string) => void, faults: string[]): Promise<StackLock | null> {
  try {
    return await acquireLock(dataDir, report);
  } catch (error) {
    if (error instanceof StackRunningError) faults.push(error.message);
    else
      faults.push(
        `ATTUNE_DATA_DIR="${dataDir}" cannot be used (${(error as Error).message}): name a folder that you may write to`,
      );
    return null;
  }
}

async function givenServerFaults(settings: DevSettings): Promise<string[]> {
  const faults: string[] = [];
  if (settings.databaseUrl !== null) {
    const { hostname, port } = new URL(settings.databaseUrl);
    faults.push(...(await unreachable('DATABASE_URL', 'PostgreSQL', hostname || 'localhost', Number(port) || 5432)));
  }
  if (settings.temporalAddress !== null) {
    const { hostname, port } = new URL(`tcp://${settings.temporalAddress}`);
    faults.push(...(await unreachable('TEMPORAL_ADDRESS', 'Temporal', hostname, Number(port))));
  }
  return faults;
}

async function unreachable(setting: string, what: string, host: string, port: number): Promise<string[]> {
  const reason = await connectError(host.replace(/^\[|\]$/g, ''), port);
  if (reason === null) return [];
  return [
    `${setting} names ${host}:${port}, where nothing answers (${reason}): start that ${what}, or leave ${setting} out to have one started`,
  ];
}
