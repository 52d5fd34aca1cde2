/** A site whose reports are answered at once, and the parts of requests for them. */
import { beforeAll, expect } from '@jest/globals';
import { createHeldReports, type HeldReports } from '../../support/heldReports.ts';
import { stageApi, type ApiStage } from '../../support/stageApi.ts';
import { clientOf, type Answer, type Client } from '../../support/testApi.ts';
import { createTestSite, type TestSite } from '../../support/testSite.ts';

export interface ReportStage extends ApiStage {
  reports: HeldReports;
  site: TestSite;
  /** Sends a report, as the site unless another client is given. */
  ask(body: unknown, client?: Client): Promise<Answer>;
  /** Returns the details of a 422. */
  faultsOf(body: unknown): Promise<string[]>;
}

export const WIDE = { reports_simultaneous: 100, reports_per_minute: 100_000 };
export const GOOD = { metrics: ['visits'], date_from: '2026-06-01', date_to: '2026-06-30' };
export const filter = (op: unknown, values: unknown, dimension: unknown = 'country') => ({ dimension, op, values });
export const LEAF = filter('eq', ['RU']);

export function withChanges(changes: Record<string, unknown>): Record<string, unknown> {
  return { ...GOOD, dimensions: ['source_type'], ...changes };
}

export function stageReports(): ReportStage {
  const reports = createHeldReports();
  reports.release();
  const stage = stageApi({ reports }) as ReportStage;
  stage.reports = reports;
  stage.ask = (body, client = clientOf(stage.api.analytics, stage.site.key)) => client('POST', '/reports', body);
  stage.faultsOf = async (body) => {
    const answer = await stage.ask(body);
    expect([answer.status, answer.body.error?.code]).toEqual([422, 'validation_failed']);
    const details = answer.body.error.details as { field: string; code: string }[];
    for (const detail of details) expect(Object.keys(detail)).toEqual(['field', 'code']);
    return details.map(({ field, code }) => `${field} ${code}`);
  };
  beforeAll(async () => {
    stage.site = await createTestSite(stage.database.pool, WIDE);
  });
  return stage;
}
