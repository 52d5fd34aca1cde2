/** Valid report requests, for tests that break them. */
import type { FieldFault } from '../../../domain/schemas/fieldFaults.ts';
import { reportFaults } from '../../../reports/validate/index.ts';

/** 10:00 on 20 November in Moscow. */
export const NOW = new Date('2026-11-20T07:00:00Z');
export const SITE = { timezone: 'Europe/Moscow' };

export const GOOD = {
  dimensions: ['source_type'],
  metrics: ['visits'],
  date_from: '2026-11-01',
  date_to: '2026-11-20',
};

/** Returns the faults of a valid request with these changes, each as `field code`. */
export function faultsOf(changes: Record<string, unknown>, { timezone = SITE.timezone, now = NOW } = {}): string[] {
  return textsOf(reportFaults({ ...GOOD, ...changes }, { timezone }, now));
}

export const textsOf = (faults: readonly FieldFault[]): string[] => faults.map(({ field, code }) => `${field} ${code}`);
