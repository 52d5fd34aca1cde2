/**
 * Data folders for PostgreSQL servers that belong to one test: copies of a folder that is created and migrated once
 * a run.
 */
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { askBroker } from './brokerClient.ts';

const run = promisify(execFile);

/**
 * Fills the data folder of a server that has not started yet (`dataDir` of startPostgres, which sets its port). The
 * database `postgres` in it is migrated. Do not use it where the first start itself is tested.
 */
export async function copyCluster(dataDir: string): Promise<void> {
  const { dir } = await askBroker<{ dir: string }>('/cluster');
  await mkdir(dataDir, { recursive: true });
  // Keeps the owners: when root runs the tests, the server's files belong to the server's account.
  await run('cp', ['-a', `${dir}/.`, dataDir]);
}
