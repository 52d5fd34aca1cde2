/** Gauges of the free space on the disks of this process's folders. */
import { Gauge, type Registry } from 'prom-client';
import { readDisks } from './disks.ts';
import { SCRAPE_TIMEOUT_MS } from './stateGauges.ts';

/** Registers the gauges. @param folders by their labels, such as `blobs` */
export function registerDiskGauges(registry: Registry, folders: Readonly<Record<string, string>>): void {
  const gauge = new Gauge({
    name: 'attune_disk_free_ratio',
    help: 'Share of the disk of a folder that this process may still fill; no series when it cannot be read',
    labelNames: ['folder'],
    registers: [registry],
    async collect() {
      const disks = await readDisks(folders, SCRAPE_TIMEOUT_MS);
      gauge.reset();
      for (const { folder, freeBytes, totalBytes } of disks) gauge.set({ folder }, freeBytes / totalBytes);
    },
  });
}
