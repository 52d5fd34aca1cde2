/** Data folders for PostgreSQL servers of a test's own: copies of one that is made and migrated once a run. */
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { askBroker } from './brokerClient.ts';

const run = promisify(execFile);

/**
 * Fills the data folder of a server that has yet to start (`dataDir` of startPostgres, which gives it its
 * port). The database `postgres` is migrated in it. Not where the first use itself is tested.
 */
export async function copyCluster(dataDir: string): Promise<void> {
  const { dir } = await askBroker<{ dir: string }>('/cluster');
  await mkdir(dataDir, { recursive: true });
  // With the owners: run by root, the server's files belong to the account that it runs as.
  await run('cp', ['-a', `${dir}/.`, dataDir]);
}
