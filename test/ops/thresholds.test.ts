/**
 * Alerts on disks, on PostgreSQL, on backups and on trainings: each fires above its limit and is silent below it.
 */
import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { registerDiskGauges } from '../../platform/process/metrics/diskGauges.ts';
import { firesAt, seriesOf } from './support/alerting.ts';
import { readExposition } from './support/exposition.ts';

const HOUR = 3_600;
const CASES: [alert: string, metric: string, bad: number, good: number][] = [
  ['AttuneDiskFillsUp', 'attune_disk_free_ratio', 0.14, 0.16],
  ['AttuneDiskFull', 'attune_disk_free_ratio', 0.04, 0.06],
  ['AttunePostgresConnections', 'attune_postgres_connections_ratio', 0.95, 0.85],
  ['AttunePostgresTransactions', 'attune_postgres_transactions_ratio', 0.6, 0.4],
  ['AttuneArchiveFails', 'attune_postgres_archive_failing_seconds', 1_000, 600],
  ['AttuneBackupOld', 'attune_backup_age_seconds', 27 * HOUR, 25 * HOUR],
  ['AttuneTrainingFails', 'attune_training_failed_projects', 1, 0],
  ['AttuneTrainingMissing', 'attune_training_night_age_seconds', 31 * HOUR, 29 * HOUR],
  ['AttuneTrainingMissing', 'attune_training_age_seconds', 12.1 * HOUR, 12 * HOUR],
];

describe.each(CASES)('%s', (alert, metric, bad, good) => {
  const told = (value: number) => [seriesOf(metric, { service: 'api', folder: 'work' }, HOUR, () => value)];

  it(`fires at ${bad} and not at ${good}`, () => {
    expect(firesAt(alert, told(bad), HOUR)).not.toBeNull();
    expect(firesAt(alert, told(good), HOUR)).toBeNull();
  });
});

describe('the free space on disks', () => {
  it('is reported for each existing folder', async () => {
    const registry = new Registry();
    registerDiskGauges(registry, { work: '/', lost: '/not/there' });
    const told = readExposition(await registry.metrics());
    expect(told.map(({ labels }) => labels['folder'])).toEqual(['work']);
    const free = told[0]?.samples[0]?.[1] ?? -1;
    expect(free).toBeGreaterThanOrEqual(0);
    expect(free).toBeLessThanOrEqual(1);
  });
});
