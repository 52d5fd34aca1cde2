/** Past answers and trained models, which otherwise come about only over time. */
import type pg from 'pg';
import { insertSnapshots } from '../../../db/output/snapshots.ts';
import { newRecommendationId } from '../../../domain/output/recommendationId.ts';

const DAY_MS = 86_400_000;

/** @param experiment whose two variants share the answers */
export async function storeAnswers(
  pool: pg.Pool,
  projectId: string,
  {
    surface,
    itemIds,
    experiment,
    days = 3,
    perDay = 20,
  }: {
    surface: string;
    itemIds: string[];
    experiment: string;
    days?: number;
    perDay?: number;
  },
): Promise<string[]> {
  const { rows } = await pool.query<{ since: string }>(
    'select changed_at::text as since from output_experiments where project_id = $1 and id = $2',
    [projectId, experiment],
  );
  const since = rows[0]?.since ?? 'now';
  const snapshots = Array.from({ length: days * perDay }, (_, at) => {
    const variant = { experiment, index: at % 2 };
    return {
      projectId,
      id: newRecommendationId({ mode: 'contextual', variant }),
      page: 0,
      path: 'similar' as const,
      identityId: null,
      surface,
      mode: 'contextual' as const,
      model: null,
      variant: `${experiment}.${at % 2}`,
      lot: { since, slot: at, mark: 2 ** 33 },
      itemIds,
      scores: itemIds.map(() => 1),
      reasons: itemIds.map(() => ({ code: 'new' as const })),
      firstPosition: 0,
      hasNext: false,
      propensities: null,
      latencyMs: 10 + at,
      createdAt: new Date(Date.now() - (at % days) * DAY_MS),
    };
  });
  await insertSnapshots(pool, snapshots);
  return snapshots.map(({ id }) => id);
}

/** Stores one active model, one that was not good enough, and one that failed. */
export async function storeModels(pool: pg.Pool, projectId: string): Promise<void> {
  await pool.query(
    `insert into output_models (project_id, kind, state, started_at, finished_at, reason, events, items, people, quality, settings)
     select $1, 'full', state, now() - hours * interval '1 hour', now() - hours * interval '1 hour' + interval '1 minute', reason,
            events, events / 10, events / 20, quality::jsonb, '{}'
       from (values ('failed', 50, 'internal', null, null),
                    ('rejected', 26, 'below_popularity', 9000, '{"ndcg": 0.08, "recall": 0.06, "popular_7d": 0.0944}'),
                    ('published', 2, null, 12000, '{"ndcg": 0.1873, "recall": 0.1621, "popular_7d": 0.0944}'))
            as m (state, hours, reason, events, quality)`,
    [projectId],
  );
}
