/** The people who are on a site now. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTestUser, type Person } from '../../api/support/people.ts';
import { createTestSite, type TestSite } from '../../api/support/testSite.ts';
import { answerRequests, expectVisible, stageCabinet } from '../support/stage.ts';

const stage = stageCabinet({}, { hasReports: true });
let site: TestSite;
let viewer: Person;

beforeAll(async () => {
  site = await createTestSite(stage.database.pool);
  viewer = await createTestUser(stage.database.pool, 'viewer', { sites: [site.id] });
});

describe('the live page', () => {
  it('shows visitors as they come, without a reload, with their page and source', async () => {
    const page = await stage.open(`/s/${site.id}/live`, viewer);
    await expectVisible(page.getByText('Nobody at the moment.').first());
    const [google, other] = [randomUUID(), randomUUID()];
    await stage.reports.tell(site.id, google, [
      { at: Date.now(), url: 'https://shop.example/catalog/', referrer: 'https://www.google.com/' },
    ]);
    await stage.reports.tell(site.id, other, [{ at: Date.now(), url: 'https://shop.example/cart' }]);
    const [pages, sources] = ['Pages now', 'Sources'].map((name) => page.getByRole('list', { name }));
    await pages?.getByText('/catalog/').waitFor();
    await pages?.getByText('/cart').waitFor();
    await sources?.getByText('Google Search').waitFor();
    await expectVisible(page.getByText('People in the last 30 minutes: 2, visits: 2'));
  });

  it('keeps its contents if a request fails', async () => {
    stage.allow(/Failed to load resource.*500/);
    await stage.reports.tell(site.id, randomUUID(), [{ at: Date.now(), url: 'https://shop.example/about' }]);
    const page = await stage.open(`/s/${site.id}/live`, viewer);
    await expectVisible(page.getByText('/about'));
    const stop = await answerRequests(page, '**/realtime', (route) => route.fulfill({ status: 500, body: '' }));
    await expectVisible(page.getByRole('alert').getByRole('button', { name: 'Try again' }));
    expect(await page.getByText('/about').count()).toBe(1);
    stop();
    // Polling may succeed first, and then there is no button any more.
    await page.evaluate(`document.querySelector('[role=alert] button')?.click()`);
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });
});
