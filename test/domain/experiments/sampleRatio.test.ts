import { describe, expect, it } from '@jest/globals';
import { deleteLateSampledPeople } from '../../../db/people/experimentPeople.ts';
import { inReport } from '../../../db/output/outputReport.ts';
import { readReportedExperiments } from '../../../db/output/reportedExperiments.ts';
import { insertSnapshots, type OutputSnapshot } from '../../../db/output/snapshots.ts';
import { MISMATCH_P, sampleRatioP } from '../../../domain/experiments/sampleRatio.ts';
import { newRecommendationId } from '../../../domain/output/recommendationId.ts';
import type { ReadExperiment } from '../../../domain/output/surfaces.ts';
import { assignedVariant } from '../../../output/serve/request/variants.ts';
import { eventually } from '../../support/eventually.ts';
import { stageOutput } from '../../output/support/outputStage.ts';
import { experimentOf, stageSurfaces } from '../../output/support/surfaces.ts';

const stage = stageOutput();
const surfaces = stageSurfaces(stage);

const AB = [
  ['a', 0.5],
  ['b', 0.5],
] as const;
const DAY_MS = 86_400_000;

const stored = (count: number) =>
  eventually(async () => {
    const { rows } = await stage.api.pool.query<{ count: number }>(
      'select count(*)::int as count from output_snapshots where project_id = $1',
      [stage.project.id],
    );
    return rows[0]?.count === count;
  }, `${count} snapshots`);

describe('visitors who send nothing but requests', () => {
  const similar = (user: object) =>
    stage.call('POST', '/recommendations/similar', { item: 't-0', surface: 'feed', user });
  const reported = async () =>
    (await surfaces.cabinet('GET', surfaces.of('/output/report'))).body.experiments[0].variants.map(
      ({ people }: { people: number }) => people,
    ) as number[];
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
  const prepare = async () => {
    await stage.addItems(['t-0', 't-1'].map((id) => ({ id, title: `Трамвай ${id}` })));
    await stage.followed();
    await surfaces.putSurface('feed', { experiment: experimentOf(AB) });
  };

  // proves: output-cabinet/sample-ratio
  it('count once, however often they ask, and also when they become known in between', async () => {
    await prepare();
    for (let n = 0; n < 8; n += 1)
      await Promise.all(Array.from({ length: 5 }, () => similar({ anonymous_id: `v-${n}` })));
    await stage.send([{ who: 'v-0', item: 't-1' }]);
    await stage.call('POST', '/users/link', { user_id: 'u-0', anonymous_id: 'v-0' });
    await similar({ anonymous_id: 'v-0' });
    await similar({ user_id: 'u-0' });
    await stored(42);
    expect(sum(await reported())).toBe(8);
  });

  it('leave the sample when they are deleted, known or not', async () => {
    await prepare();
    await stage.send([{ who: 'v-1', item: 't-1' }]);
    await stage.call('POST', '/users/link', { user_id: 'u-1', anonymous_id: 'v-1' });
    for (const n of [0, 1, 2]) await similar({ anonymous_id: `v-${n}` });
    await stored(3);
    expect(sum(await reported())).toBe(3);
    await stage.call('POST', '/users/delete', { user: { anonymous_id: 'v-0' } });
    expect(sum(await reported())).toBe(2);
    await stage.call('POST', '/users/delete', { user: { user_id: 'u-1' } });
    expect(sum(await reported())).toBe(1);
  });
});

describe('the test of the sample ratio, on simulated experiments', () => {
  const simulated = async (count: number, shares: readonly number[]): Promise<ReadExperiment[]> => {
    const { rows } = await stage.api.pool.query<ReadExperiment>(
      `insert into output_experiments (project_id, id, surface, starts_at, variants)
       select $1, 'x' || n, 'feed', now() - interval '1 day', $3 from generate_series(1, $2) n
       returning id, starts_at as "from", ends_at as until, variants, changed_at::text as "changedAt"`,
      [
        stage.project.id,
        count,
        JSON.stringify(shares.map((share, index) => ({ name: `v${index}`, share, settings: {} }))),
      ],
    );
    return rows;
  };

  /** Answers visitors whom nobody knows; `answers` says how many each visitor of a variant gets. */
  async function answerVisitors(
    experiment: ReadExperiment,
    visitors: number,
    answers: (index: number, visitor: number) => number,
  ) {
    const snapshots: OutputSnapshot[] = [];
    for (let visitor = 0; visitor < visitors; visitor += 1) {
      const { variant, lot } = await assignedVariant(stage.api.pool, experiment, {
        projectId: stage.project.id,
        identifiers: [{ kind: 'anonymous', externalId: `v-${visitor}` }],
        position: null,
      });
      for (let left = answers(variant?.index ?? 0, visitor); left > 0; left -= 1)
        snapshots.push({
          projectId: stage.project.id,
          id: newRecommendationId({ mode: 'popular', variant }),
          page: 0,
          path: 'feed',
          identityId: null,
          surface: 'feed',
          mode: 'popular',
          model: null,
          variant: `${variant?.experiment}.${variant?.index}`,
          lot,
          itemIds: [],
          scores: [],
          reasons: [],
          firstPosition: 0,
          hasNext: false,
          propensities: null,
          latencyMs: 1,
          createdAt: new Date(),
        });
    }
    for (let at = 0; at < snapshots.length; at += 500)
      await insertSnapshots(stage.api.pool, snapshots.slice(at, at + 500));
  }

  const probabilities = async (): Promise<number[]> => {
    const now = Date.now();
    const wanted = {
      projectId: stage.project.id,
      from: new Date(now - DAY_MS),
      until: new Date(now + DAY_MS),
      surface: null,
      group: [],
    };
    const experiments = await inReport(stage.api.pool, (ask) => readReportedExperiments(ask, wanted));
    return experiments.map(
      ({ sample, variants }) =>
        sampleRatioP(
          sample.map(({ people }) => people),
          variants.map(({ share }) => share),
        ) ?? 1,
    );
  };
  const below = (limit: number, ps: readonly number[]) => ps.filter((p) => p < limit).length;

  // The hashes of these visitors and experiments are the same in each run, so the test always passes or never does.
  // proves: output-cabinet/sample-ratio
  it.each([[[0.5, 0.5]], [[0.6, 0.3, 0.1]]])(
    'warns of fair experiments with the shares %j no more often than it should, at five answers a visitor',
    async (shares) => {
      for (const experiment of await simulated(80, shares)) await answerVisitors(experiment, 40, () => 5);
      const ps = await probabilities();
      expect(ps).toHaveLength(80);
      expect(below(MISMATCH_P, ps)).toBeLessThanOrEqual(1);
      // Four are expected; more than 10 have a probability of 0.2 %.
      expect(below(0.05, ps)).toBeLessThanOrEqual(10);
      expect(below(0.5, ps)).toBeGreaterThan(25);
    },
  );

  it('does not count visitors who come more often as more visitors', async () => {
    const [experiment] = await simulated(1, [0.5, 0.5]);
    if (experiment) await answerVisitors(experiment, 400, (index) => 2 + 10 * index);
    expect(below(MISMATCH_P, await probabilities())).toBe(0);
  });

  it('forgets a deleted visitor whose answer is stored only after the deletion', async () => {
    const { pool } = stage.api;
    const [experiment] = await simulated(1, [0.5, 0.5]);
    await stage.call('POST', '/users/delete', { user: { anonymous_id: 'v-0' } });
    if (experiment) await answerVisitors(experiment, 2, () => 1);
    const sampled = async () =>
      (await pool.query('select from experiment_people where project_id = $1', [stage.project.id])).rowCount;
    await deleteLateSampledPeople(pool, 100);
    expect(await sampled()).toBe(2);
    await pool.query(`update forgotten_lots set forgotten_at = forgotten_at - interval '10 minutes'`);
    await deleteLateSampledPeople(pool, 100);
    expect(await sampled()).toBe(1);
    expect((await pool.query('select from forgotten_lots')).rowCount).toBe(0);
  });

  // proves: output-cabinet/sample-ratio
  it('finds a variant that answers only half of its visitors', async () => {
    const [experiment] = await simulated(1, [0.5, 0.5]);
    if (experiment) await answerVisitors(experiment, 400, (index, visitor) => (index === 1 && visitor % 2 ? 0 : 5));
    expect(below(MISMATCH_P, await probabilities())).toBe(1);
  });
});
