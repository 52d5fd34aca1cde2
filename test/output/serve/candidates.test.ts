import { describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import type { OutputPerson } from '../../../db/output/person/person.ts';
import { createCandidateCheck } from '../../../output/serve/candidates/allowedCandidates.ts';
import { suppressedFor } from '../../../output/serve/candidates/suppressSimilar.ts';
import { NO_RULES } from '../../support/showRules.ts';

/** A pool whose items have unit vectors: the id is the angle in degrees. Records the ids of each query by its name. */
function circle() {
  const asked: Record<string, string[][]> = {};
  const vectorAt = (id: string) => {
    const angle = (Number(id) / 180) * Math.PI;
    return Buffer.from(Float32Array.of(Math.cos(angle), Math.sin(angle)).buffer);
  };
  const pool = {
    async query({ name, values }: { name: string; values: [string, string[]] }) {
      const ids = values[1];
      (asked[name] ??= []).push(ids);
      const items = ids.map((id) => [id, 'text', null, 0, true, false, 'ready']);
      const vectors = ids.map((id) => ({ id, vectors: vectorAt(id), chunks: 1, model: 'm' }));
      return { rows: name === 'output-items-0000' ? [{ items }] : vectors };
    },
  } as unknown as pg.Pool;
  return { pool, asked };
}

const ALL = { excludeSeenBy: [], fields: [] };
const candidates = (...ids: number[]) =>
  ids.map((id) => ({ id: String(id), score: 1, reason: { code: 'similar' as const } }));

describe('the check of candidates', () => {
  it('reads the vectors of suppressed items once, however often it runs', async () => {
    const { pool, asked } = circle();
    const keepAllowed = createCandidateCheck({
      pool,
      projectId: 'p',
      rules: NO_RULES,
      suppressed: ['0', '90'],
      ...ALL,
    });
    expect((await keepAllowed(candidates(1, 45, 89))).map(({ id }) => id)).toEqual(['45']);
    expect((await keepAllowed(candidates(180, 91))).map(({ id }) => id)).toEqual(['180']);
    expect(asked['output-item-vectors']?.filter((ids) => ids.includes('0'))).toHaveLength(1);
  });

  it('reads no vector if nothing is suppressed', async () => {
    const { pool, asked } = circle();
    await createCandidateCheck({ pool, projectId: 'p', rules: NO_RULES, suppressed: [], ...ALL })(candidates(1, 2));
    expect(Object.keys(asked)).toEqual(['output-items-0000']);
  });

  it('compares candidates with the latest 200 suppressed items only', () => {
    const suppressedItems = Array.from({ length: 1_000 }, (_, n) => `i-${n}`);
    expect(suppressedFor({ suppressedItems } as unknown as OutputPerson)).toEqual(suppressedItems.slice(0, 200));
    expect(suppressedFor(null)).toEqual([]);
  });
});
