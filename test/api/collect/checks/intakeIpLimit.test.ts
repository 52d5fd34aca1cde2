/** The rate limit of one address at the tag's intake. */
import { describe, expect, it } from '@jest/globals';
import { withStoppedClock } from '../../../support/jest/fakeTime.ts';
import { stageApi } from '../../support/stageApi.ts';
import { startTestApi } from '../../support/testApi.ts';
import { batch, collect, createTestSite, event } from '../support/site.ts';

const stage = stageApi();

describe('the limit per address at /collect', () => {
  it('is 60,000 a minute by default', () => {
    expect(stage.api.config.collectIpRequestsPerMinute).toBe(60_000);
  });

  // proves: collect/floods
  it('refuses what exceeds it with 429 and Retry-After, and does not affect other addresses', async () => {
    const { database } = stage;
    const narrow = await startTestApi({
      databaseUrl: database.url,
      env: { COLLECT_IP_REQUESTS_PER_MINUTE: '3', TRUSTED_PROXIES: '127.0.0.1' },
    });
    try {
      const { tagKey } = await createTestSite(database.pool);
      const send = (ip: string) => collect(narrow, batch(tagKey, [event()]), { headers: { 'x-forwarded-for': ip } });
      const answers: Awaited<ReturnType<typeof send>>[] = [];
      await withStoppedClock(async () => {
        for (let index = 0; index < 4; index++) answers.push(await send('203.0.113.1'));
      });
      expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 429]);
      expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(answers[3]?.body.error.code).toBe('rate_limited');
      expect((await send('203.0.113.2')).status).toBe(202);
    } finally {
      await narrow.close();
    }
  });
});
