/** The examples that integrators copy from docs/output.md: each request is answered as the page says. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { createTestToken, clientOf } from '../api/support/testApi.ts';
import { stageOutput } from './support/outputStage.ts';

const stage = stageOutput();
const GUIDE = await readFile(join(import.meta.dirname, '../../docs/output.md'), 'utf8');

/** Returns the JSON after these words, up to its last closing bracket. */
function bodyAfter(words: string): Record<string, unknown> {
  const start = GUIDE.indexOf('{', GUIDE.indexOf(words));
  for (let end = GUIDE.indexOf('}', start); end > start; end = GUIDE.indexOf('}', end + 1)) {
    try {
      return JSON.parse(GUIDE.slice(start, end + 1)) as Record<string, unknown>;
    } catch {
      // This bracket is not the last one.
    }
  }
  throw new Error(`docs/output.md has no JSON after "${words}"`);
}

it('the requests of the guide get similar items, and send the events that follow', async () => {
  await stage.addItems([
    { id: 'lesson-42', title: 'История трамваев' },
    { id: 'lesson-43', title: 'История трамваев и троллейбусов' },
  ]);
  await stage.followed();
  const similar = await stage.call('POST', '/recommendations/similar', bodyAfter('$BASE/recommendations/similar'));
  expect([similar.status, similar.body]).toEqual([
    200,
    expect.objectContaining({ mode: 'contextual', items: [expect.objectContaining({ id: 'lesson-43' })] }),
  ]);
  const { events } = bodyAfter('with the `recommendation_id` of the answer') as { events: object[] };
  const named = events.map((event) => ({ ...event, recommendation_id: similar.body.recommendation_id as string }));
  const taken = await stage.call('POST', '/events', { events: named });
  expect([taken.status, taken.body]).toMatchObject([202, { accepted: 1, rejected: [] }]);
});

it('the requests of the guide run an experiment, and preview what somebody else would get', async () => {
  await stage.addItems([{ id: 'lesson-42', title: 'История трамваев' }]);
  const cabinet = clientOf(stage.api.cabinet, await createTestToken(stage.api.pool));
  const path = `/projects/${stage.project.id}`;
  const surface = await cabinet('PUT', `${path}/surfaces/main`, bodyAfter('Write it into the surface'));
  expect([surface.status, surface.body]).toMatchObject([201, { experiment: { id: 'long1' } }]);
  const preview = await cabinet('POST', `${path}/output/preview`, bodyAfter('output/preview'));
  expect(preview.status).toBe(200);
  const report = await cabinet('GET', `${path}/output/report?from=2026-11-01&until=2026-11-07`);
  expect(report.status).toBe(200);
});
