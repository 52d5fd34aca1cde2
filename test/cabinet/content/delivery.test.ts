/** The page of a delivery, and the page that checks a signature. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { MAX_ATTEMPTS } from '../../../domain/webhooks/retrySchedule.ts';
import { coreSignature } from '../../../domain/webhooks/signature.ts';
import { createTestUser, type Person } from '../../api/support/people.ts';
import { createTestProject } from '../../api/support/testApi.ts';
import { addWebhook, readDeliveries, recordEvent, type TestWebhook } from '../../support/webhooks/webhooks.ts';
import { storeAttempts } from '../support/deliveries.ts';
import { expectVisible, stageCabinet } from '../support/stage.ts';

const stage = stageCabinet();
let webhook: TestWebhook;
let owner: Person;

beforeAll(async () => {
  const { pool } = stage.database;
  const { id } = await createTestProject(pool);
  owner = await createTestUser(pool, 'owner', { projects: [id] });
  webhook = await addWebhook(pool, id, 'https://hooks.example.com/');
});

/** Opens the delivery of an item. */
async function openDelivery(itemId: string): Promise<Page> {
  const { projectId, webhookId } = webhook;
  const { rows } = await stage.database.pool.query<{ id: string }>(
    'select id from deliveries where webhook_id = $1 and item_id = $2',
    [webhookId, itemId],
  );
  return stage.open(`/p/${projectId}/webhooks/${webhookId}/deliveries/${rows[0]?.id}`, owner);
}

describe('the page of a delivery', () => {
  it('shows past attempts and upcoming ones, up to the last', async () => {
    await recordEvent(stage.database.pool, webhook.projectId, 'waiting');
    await storeAttempts(stage.database.pool, webhook, 'waiting', 2);
    const page = await openDelivery('waiting');
    const schedule = page.getByText(/^\d+ attempts over /);
    await expectVisible(schedule);
    expect(await schedule.innerText()).toBe('7 attempts over 20 hr 36 min');
    expect(await page.locator('[data-state=failed]').count()).toBe(2);
    expect(await page.locator('[data-state=next]').innerText()).toContain('Attempt 3');
    expect(await page.locator('[data-state=later]').allInnerTexts()).toEqual([
      expect.stringContaining('30 min after the previous one'),
      expect.stringContaining('2 hr after the previous one'),
      expect.stringContaining('6 hr after the previous one'),
      expect.stringContaining('12 hr after the previous one'),
    ]);
    await expectVisible(page.getByText('"id": "waiting"'));
    await page.getByText('Byte for byte as it was signed').click();
    await expectVisible(page.getByText('{"event":"item.processed"'));
  });

  it('says when all attempts have been made, and sends again at once', async () => {
    await recordEvent(stage.database.pool, webhook.projectId, 'refused');
    await storeAttempts(stage.database.pool, webhook, 'refused', MAX_ATTEMPTS);
    const page = await openDelivery('refused');
    await expectVisible(page.getByText('Attune does not try again automatically.'));
    await page.getByRole('button', { name: 'Send again' }).click();
    await expectVisible(page.getByText('It is being sent.'));
    await expectVisible(page.getByText('about to be made', { exact: true }));
    const rows = await readDeliveries(stage.database.pool, webhook);
    expect(rows.filter(({ lane }) => lane === 'urgent')).toMatchObject([{ attempt: MAX_ATTEMPTS, status: 'pending' }]);
  });

  it('of a test says why it is not sent again', async () => {
    await stage.database.pool.query(
      `insert into deliveries (project_id, webhook_id, event, item_id, item, status, lane)
       values ($1, $2, 'webhook.test', 'webhook-test', '{}', 'delivered', null)`,
      [webhook.projectId, webhook.webhookId],
    );
    const page = await openDelivery('webhook-test');
    await expectVisible(page.getByText('A test cannot be sent again'));
    expect(await page.getByRole('button', { name: 'Send again' }).isDisabled()).toBe(true);
  });
});

describe('the page that checks a signature', () => {
  it('names the fault, and says when everything is valid', async () => {
    const secret = `whsec_${'a1'.repeat(20)}`;
    const body = '{"event":"item.processed","item":{"id":"a"}}';
    const seconds = Math.floor(Date.now() / 1000);
    const page = await stage.open(`/p/${webhook.projectId}/webhooks/${webhook.webhookId}/signature`, owner);
    await page.getByLabel('Secret').fill(secret);
    await page
      .getByLabel('Headers of the request')
      .fill(`X-Core-Timestamp: ${seconds}\nX-Core-Signature: ${coreSignature(secret, seconds, body)}`);
    await page.getByLabel('Body as your server received it').fill(JSON.stringify(JSON.parse(body), null, 2));
    await page.getByRole('button', { name: 'Check' }).click();
    await expectVisible(page.getByText('The body has been parsed and serialised again'));
    await page.getByLabel('Body as your server received it').fill(body);
    await page.getByRole('button', { name: 'Check' }).click();
    await expectVisible(page.getByText('The signature is valid'));
  });
});
