/**
 * Signing secrets are bound to their webhooks: older ones are rebound when used, and those of other webhooks cannot
 * be decrypted.
 */
import { createCipheriv, randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Lanes } from '../../../loops/delivery/lanes.ts';
import { decryptSigningSecret, signingSecretKeys, webhookSecretContext } from '../../../domain/accounts/secretKeys.ts';
import { cleanUp } from '../../platform/outgoing/support/servers.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { isSignedBy, startReceiver } from '../../support/servers/receiver.ts';
import {
  addProject,
  addWebhook,
  allSettled,
  deliveriesUntil,
  recordEvent,
  startTestLanes,
  TEST_SECRET_KEY,
  type TestWebhook,
} from '../../support/webhooks/webhooks.ts';

const keys = signingSecretKeys(TEST_SECRET_KEY);
let database: TestDatabase;
let lanes: Lanes | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await lanes?.close();
  await cleanUp();
});
afterAll(() => database.drop());

/** Encrypts as the previous release did, without a binding. */
function unbound(secret: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keys.encryption, nonce);
  const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

const storedSecret = async ({ webhookId }: TestWebhook): Promise<Buffer> =>
  (await database.pool.query<{ secret: Buffer }>('select secret from webhooks where id = $1', [webhookId])).rows[0]
    ?.secret ?? Buffer.alloc(0);
const store = ({ webhookId }: TestWebhook, secret: Buffer): Promise<unknown> =>
  database.pool.query('update webhooks set secret = $2 where id = $1', [webhookId, secret]);

describe('the secret of a webhook', () => {
  it('that was stored before secrets were bound signs as before, and is bound from then on', async () => {
    const receiver = await startReceiver();
    const webhook = await addWebhook(database.pool, await addProject(database.pool), receiver.url);
    await store(webhook, unbound(webhook.secret));
    lanes = startTestLanes(database);
    await recordEvent(database.pool, webhook.projectId, 'item-1');
    const [request] = await receiver.received(1);
    expect(request && isSignedBy(request, webhook.secret)).toBe(true);
    const context = webhookSecretContext(webhook.projectId, webhook.webhookId);
    const renewed = await eventually(async () => {
      const opened = decryptSigningSecret(keys, await storedSecret(webhook), context);
      return opened.isUnbound ? null : opened;
    }, 'the bound secret');
    expect(renewed.text).toBe(webhook.secret);
  });

  it('of another webhook signs nothing', async () => {
    const receiver = await startReceiver();
    const [mine, other] = [
      await addWebhook(database.pool, await addProject(database.pool), receiver.url),
      await addWebhook(database.pool, await addProject(database.pool), receiver.url),
    ];
    await store(mine, await storedSecret(other));
    lanes = startTestLanes(database);
    await recordEvent(database.pool, mine.projectId, 'item-1');
    const [row] = await deliveriesUntil(database.pool, mine, allSettled);
    expect(row?.status).not.toBe('delivered');
    expect(receiver.requests).toEqual([]);
  });
});
