/** Projects with one webhook each. */
import { uuidv7 } from 'uuidv7';
import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { DELIVERIES_CHANNEL } from '../../../db/webhooks/deliveries/recordItemEvent.ts';
import { newKey } from '../../../domain/accounts/keyFormats.ts';
import { newTenantId } from '../../../domain/accounts/tenantIds.ts';
import { encryptSigningSecret, signingSecretKeys, webhookSecretContext } from '../../../domain/accounts/secretKeys.ts';

export interface Hook {
  projectId: string;
  webhookId: string;
}

/** SECRET_KEY of the stack, which encrypts the webhooks' secrets. */
export const SECRET_KEY = randomBytes(32).toString('base64');

/** Derived as in config.ts. */
const secretKeys = signingSecretKeys(createHash('sha256').update(SECRET_KEY).digest());

/** Creates a project for each address, with a webhook that subscribes to every event. */
export async function addHooks(pool: pg.Pool, urls: readonly string[]): Promise<Hook[]> {
  const hooks: Hook[] = [];
  for (const url of urls) {
    const projectId = newTenantId();
    const webhookId = uuidv7();
    await pool.query(
      `with client as (insert into clients (title) values ('bench') returning id),
            project as (insert into projects (id, client_id, title) select $1, id, 'bench' from client returning id)
       insert into webhooks (project_id, id, url, events, secret) select id, $4, $2, '{item.processed,item.failed}', $3 from project`,
      [
        projectId,
        url,
        encryptSigningSecret(secretKeys, newKey('webhook'), webhookSecretContext(projectId, webhookId)),
        webhookId,
      ],
    );
    hooks.push({ projectId, webhookId });
  }
  return hooks;
}

/** Holds first attempts, as the circuit breaker does. */
export async function holdDeliveries(pool: pg.Pool, hooks: readonly Hook[]): Promise<void> {
  await pool.query(`update webhooks set held_until = 'infinity' where project_id = any($1)`, [
    hooks.map(({ projectId }) => projectId),
  ]);
}

/** Releases first attempts, as a 2xx does. */
export async function releaseDeliveries(pool: pg.Pool, hooks: readonly Hook[]): Promise<void> {
  await pool.query(
    `with freed as (update webhooks set held_until = null where project_id = any($1)) select pg_notify('${DELIVERIES_CHANNEL}', '')`,
    [hooks.map(({ projectId }) => projectId)],
  );
}

/** Removes the webhooks with their journals; their retries find nothing to do. */
export async function removeHooks(pool: pg.Pool, hooks: readonly Hook[]): Promise<void> {
  await pool.query('delete from webhooks where project_id = any($1)', [hooks.map(({ projectId }) => projectId)]);
}

/** Resolves when none of the webhooks' deliveries waits for its first attempt or is in progress. */
export async function untilAttempted(pool: pg.Pool, hooks: readonly Hook[]): Promise<void> {
  const deadline = performance.now() + ATTEMPTED_LIMIT_MS;
  for (;;) {
    const { rows } = await pool.query<{ open: boolean }>(
      `select exists (select from deliveries where project_id = any($1) and lane = 'first') as open`,
      [hooks.map(({ projectId }) => projectId)],
    );
    if (!rows[0]?.open) return;
    if (performance.now() > deadline)
      throw new Error(`first attempts are not over after ${ATTEMPTED_LIMIT_MS / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

const ATTEMPTED_LIMIT_MS = 120_000;
const POLL_MS = 20;
