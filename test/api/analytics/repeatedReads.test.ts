/** The limit of reads also counts a request that was answered a moment ago. */
import { expect, it } from '@jest/globals';
import { addVisitor } from '../../support/people/sitePeople.ts';
import { stageApi } from '../support/stageApi.ts';
import { clientOf, type Answer, type Client } from '../support/testApi.ts';
import { createTestSite } from '../support/testSite.ts';

const stage = stageApi();
const PER_SECOND = 1;

// proves: decisions-visitors/repeated-reads
it.each<[string, (call: Client, visitor: string) => Promise<Answer>]>([
  [
    'POST /visitors/attributes',
    (call, visitor) => call('POST', '/visitors/attributes', { visitors: [{ visitor_id: visitor }] }),
  ],
  ['GET /visitors/{visitor_id}', (call, visitor) => call('GET', `/visitors/${visitor}`)],
  ['GET /network', (call) => call('GET', '/network')],
])('%s counts towards the limit each time it is repeated', async (_what, read) => {
  const site = await createTestSite(stage.database.pool, { output_per_second: PER_SECOND });
  const visitor = await addVisitor(stage.database.pool, site.id);
  const call = clientOf(stage.api.analytics, site.key);
  const started = performance.now();
  const answers = await Promise.all(Array.from({ length: 100 }, () => read(call, visitor)));
  const seconds = (performance.now() - started) / 1000;
  const statuses = answers.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  const admitted = statuses.filter((status) => status === 200).length;
  expect(admitted).toBeGreaterThanOrEqual(PER_SECOND);
  expect(admitted).toBeLessThanOrEqual(PER_SECOND * (1 + seconds) + 1);
});
