/** How much room the disks of this process's folders have. */
import { statfs } from 'node:fs/promises';
import { Gauge, type Registry } from 'prom-client';
import { inTime } from './inTime.ts';
import { SCRAPE_TIMEOUT_MS } from './stateGauges.ts';

/** @param folders by the words under which they are shown, such as `blobs` */
export function registerDiskGauges(registry: Registry, folders: Readonly<Record<string, string>>): void {
  const gauge = new Gauge({
    name: 'attune_disk_free_ratio',
    help: 'Part of the disk of a folder that is free for us; no series when it cannot be read',
    labelNames: ['folder'],
    registers: [registry],
    async collect() {
      const known = await Promise.all(
        Object.entries(folders).map(async ([folder, path]) => ({
          folder,
          stat: await inTime(statfs(path), SCRAPE_TIMEOUT_MS),
        })),
      );
      gauge.reset();
      for (const { folder, stat } of known) if (stat) gauge.set({ folder }, stat.bavail / stat.blocks);
    },
  });
}
