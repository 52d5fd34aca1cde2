/** A server with a new site for each test, which has the goal `lead`, and readers of its conversions. */
import { beforeEach, expect } from '@jest/globals';
import { stageApi, type ApiStage } from '../../support/stageApi.ts';
import { clientOf } from '../../support/testApi.ts';
import { createTestGoal, createTestSite, type TestSite } from '../../support/testSite.ts';

interface ConversionsAnswer {
  accepted: number;
  duplicates: number;
  rejected: object[];
}

export interface ConversionStage extends ApiStage {
  site: TestSite;
  /** Sends one batch, which must be answered with 202. */
  send(...conversions: object[]): Promise<ConversionsAnswer>;
  /** Reads the one conversion that a test has stored, unless another is named. */
  stored(id?: string): Promise<Record<string, unknown> | undefined>;
}

/** Registers the hooks; call it before other hooks of the file. */
export function stageConversions(): ConversionStage {
  const stage = stageApi() as ConversionStage;
  beforeEach(async () => {
    stage.site = await createTestSite(stage.database.pool);
    await createTestGoal(stage.database.pool, stage.site.id, 'lead');
  });
  stage.send = async (...conversions) => {
    const call = clientOf(stage.api.analytics, stage.site.key);
    const { status, body } = await call('POST', '/conversions', { conversions });
    expect(status).toBe(202);
    expect(body.accepted + body.duplicates + body.rejected.length).toBe(conversions.length);
    return body;
  };
  stage.stored = async (id = 'c-1') => {
    const { rows } = await stage.database.pool.query<Record<string, unknown>>(
      `select goal, goal_source, visitor_id, user_id, occurred_at, received_at, value::float8 as value, attribution, visit_id, visit_started_at
         from site_conversions where site_id = $1 and id = $2 and origin = 'api'`,
      [stage.site.id, id],
    );
    return rows[0];
  };
  return stage;
}

export const ago = (ms: number): Date => new Date(Date.now() - ms);
export const iso = (moment: Date): string => moment.toISOString();
