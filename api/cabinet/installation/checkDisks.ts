/** The disks of the installation, and which of them are short of space. */
import { readDisks, type Disk } from '../../../platform/process/metrics/disks.ts';
import type { PartState } from './installationSchemas.ts';

const TIMEOUT_MS = 2_000;
/** Share of free space below which a disk is degraded, as in ops/alerts.yml. */
const MIN_FREE = 0.15;

/** @param folders by name, as readDisks takes them */
export async function checkDisks(folders: Parameters<typeof readDisks>[0]) {
  return (await readDisks(folders, TIMEOUT_MS)).map(toDisk);
}

function toDisk({ folder, freeBytes, totalBytes }: Disk) {
  const state: PartState = freeBytes < totalBytes * MIN_FREE ? 'degraded' : 'ok';
  return { folder: folder as 'work' | 'blobs' | 'lake', state, free_bytes: freeBytes, total_bytes: totalBytes };
}
