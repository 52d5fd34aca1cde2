/** A project with one of each thing, so that every example of the descriptions finds what it refers to. */
import { createSecondFactors } from '../../../api/auth/secondFactor.ts';
import { keyHash } from '../../../domain/accounts/keyFormats.ts';
import { deriveKey } from '../../../domain/accounts/secretKeys.ts';
import { newTotpSecret, recoveryCodeHash, totpCode, totpStep } from '../../../domain/accounts/totp.ts';
import { acceptInvitationOperation } from '../../../api/cabinet/accounts/invitations.ts';
import { signIn } from '../../../api/cabinet/accounts/signInLinks.ts';
import { insertSignInLink } from '../../../db/accounts/signInLinks.ts';
import { insertInvitation } from '../../../db/accounts/invitations.ts';
import { randomUUID } from 'node:crypto';
import { queueExport } from '../../../db/reports/exports.ts';
import { findTagKey } from '../../../db/sites/siteKeys.ts';
import { updateSite } from '../../../db/sites/sites.ts';
import type { TestDatabase } from '../../support/database.ts';
import { addVisit, addVisitor } from '../../support/people/siteFacts.ts';
import { recordEvent } from '../../support/webhooks/webhooks.ts';
import {
  clientOf,
  createTestProject,
  createTestToken,
  type Client,
  type TestApi,
  type TestProject,
} from './testApi.ts';
import { chunkOf, createVisitor, sendChunk } from './recordings.ts';
import { createTestUser, openBrowser, PASSWORD, type Person } from './people.ts';

export interface World {
  api: TestApi;
  database: TestDatabase;
  project: TestProject;
  content: Client;
  cabinet: Client;
  analytics: Client;
  /** Values of path parameters, keyed by the start of the path where one name means different things. */
  paths: Record<string, string>;
  user: Person;
}

/** The ids in the examples of the content API. */
export const ITEM_ID = 'lesson-42';
export const USER_ID = 'user-7';
/** The id in the examples of the analytics API: a visitor with a visit, logged in as the user above. */
export const VISITOR_ID = '6f1c2a7e-0b5d-4c55-9d0e-8a3f2b1c4d5e';

/** Names of a world's things where the integrator chooses the name. */
export interface WorldNames {
  item: string;
  user: string;
  visitor: string;
  goal: string;
  property: string;
  surface: string;
  /** Suffix of every title. */
  mark: string;
}

const EXAMPLE_NAMES: WorldNames = {
  item: ITEM_ID,
  user: USER_ID,
  visitor: VISITOR_ID,
  goal: 'open',
  property: 'level',
  surface: 'feed',
  mark: '',
};

/** Creates everything through the APIs, except the rows that only workers create. */
export async function createWorld(
  api: TestApi,
  database: TestDatabase,
  names: WorldNames = EXAMPLE_NAMES,
): Promise<World> {
  const { mark } = names;
  const project = await createTestProject(database.pool);
  const content = clientOf(api.content, project.key);
  const cabinet = clientOf(api.cabinet, await createTestToken(database.pool));
  const base = `/projects/${project.id}`;
  await made(content('PUT', `/items/${names.item}`, { type: 'mixed', title: `Урок 42${mark}` }));
  await made(content('POST', '/users/profile', { user: { user_id: names.user }, city: `Москва${mark}` }));
  const webhook = await made(
    cabinet('POST', `${base}/webhooks`, {
      url: `https://hooks.example.com/${mark}`,
      events: ['item.processed', 'item.failed'],
    }),
  );
  await recordEvent(database.pool, project.id, names.item);
  const deliveries = await made(cabinet('GET', `${base}/webhooks/${webhook['id']}/deliveries`));
  const key = await made(cabinet('POST', `${base}/keys`, { name: `Ещё один${mark}` }));
  const file = await made(
    cabinet('POST', `${base}/imports`, '{"id":"a","type":"text"}\n', {
      headers: { 'content-type': 'application/x-ndjson' },
    }),
  );
  const variants = ['как было', 'длинная'].map((name) => ({ name: `${name}${mark}`, share: 0.5 }));
  await made(
    cabinet('PUT', `${base}/surfaces/${names.surface}`, {
      experiment: { id: 'first', from: '2026-11-20T00:00:00Z', variants },
    }),
  );
  const rerun = await made(cabinet('POST', `${base}/rerun`, { steps: ['summary'] }));
  // Does the data worker's part; a second rerun is refused while one runs.
  await database.pool.query(`update reruns set state = 'done' where project_id = $1`, [project.id]);
  const recovery = await made(
    cabinet('POST', `${base}/webhooks/${webhook['id']}/recover`, { since: '2026-01-19T21:00:00Z' }),
  );
  await database.pool.query(`update webhook_recoveries set state = 'done', finished_at = now() where project_id = $1`, [
    project.id,
  ]);
  const token = await made(cabinet('POST', '/tokens', { name: `Выгрузка${mark}` }));
  const user = await createTestUser(database.pool, 'viewer', { projects: [project.id] });
  const site = await made(
    cabinet('POST', '/sites', { title: `Магазин${mark}`, hosts: ['*'], timezone: 'Europe/Moscow', currency: 'RUB' }),
  );
  const siteKey = await made(cabinet('POST', `/sites/${site['id']}/keys`, { name: `Сервер${mark}` }));
  await made(cabinet('PUT', `/sites/${site['id']}/goals/${names.goal}`, { title: `Открытие${mark}`, type: 'js' }));
  await made(cabinet('PUT', `/sites/${site['id']}/goals/lead`, { title: 'Заявка', type: 'js' }));
  const segment = await made(
    cabinet('POST', `/sites/${site['id']}/segments`, {
      title: `Каталог${mark}`,
      conditions: { dimension: 'page_path', op: 'contains', values: ['/catalog/'] },
    }),
  );
  const savedReport = await made(
    cabinet('POST', `/sites/${site['id']}/saved-reports`, {
      title: `Визиты${mark}`,
      report: { metrics: ['visits'] },
      last_days: 7,
    }),
  );
  const queued = await queueExport(database.pool, {
    siteId: String(site['id']),
    format: 'csv',
    language: 'ru',
    report: { metrics: ['visits'] },
    userId: null,
    requestId: null,
  });
  await addVisitor(database.pool, String(site['id']), { visitorId: names.visitor, userId: names.user });
  await addVisit(database.pool, String(site['id']), names.visitor, new Date('2026-11-20T08:30:00Z'));
  return {
    api,
    database,
    project,
    content,
    cabinet,
    analytics: clientOf(api.analytics, String(siteKey['key'])),
    user,
    paths: {
      '/items/{id}': names.item,
      '/projects/{id}': project.id,
      '/tokens/{id}': String(token['id']),
      '/sessions/{id}': await storeSession(database, user),
      '/users/{id}': user.id,
      '/sites/{id}': String(site['id']),
      '/sites {key_id}': String(siteKey['id']),
      '{recording}': randomUUID(),
      '{seq}': '0',
      '{sid}': String(segment['id']),
      '{export}': String(queued?.id),
      '{report}': String(savedReport['id']),
      '/sites {visitor_id}': randomUUID(),
      '/sites {user_id}': names.user,
      '{user_id}': names.user,
      '{wid}': String(webhook['id']),
      '{key_id}': String(key['id']),
      '{delivery_id}': String((deliveries['items'] as { delivery_id: string }[])[0]?.delivery_id),
      '{import_id}': String(file['id']),
      '{rerun}': String(rerun['id']),
      '{rid}': String(recovery['id']),
      '{code}': names.goal,
      '{name}': names.property,
      '{surface}': names.surface,
      '{item}': names.item,
      '{visitor_id}': names.visitor,
    },
  };
}

/** Stores a session whose cookie nobody has. */
async function storeSession({ pool }: TestDatabase, { id }: Person): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    'insert into sessions (hash, user_id) values ($1, $2) returning id',
    [keyHash(randomUUID()), id],
  );
  return rows[0]?.id ?? '';
}

/** Stores another recording of one chunk, as the tag would have sent it. */
export async function storeRecording({ api, paths }: World): Promise<void> {
  paths['{recording}'] = randomUUID();
  const siteId = paths['/sites/{id}'] ?? '';
  const visitorId = await createVisitor(api.pool, siteId);
  await updateSite(api.pool, siteId, { recordings: true });
  const tagKey = (await findTagKey(api.pool, siteId)) ?? '';
  const { status } = await sendChunk(api, chunkOf({ tagKey }, visitorId, paths['{recording}'] ?? ''));
  if (status !== 202) throw new Error(`a chunk got ${status}`);
}

async function made(answer: ReturnType<Client>): Promise<Record<string, unknown>> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`the world's preparation got ${status}: ${JSON.stringify(body)}`);
  return body as Record<string, unknown>;
}

/** Returns the path with the ids of existing things. @throws {Error} when the world has nothing for a parameter */
export function pathIn({ paths }: World, template: string): string {
  const path = template.replace(/^\/\w+\/\{id\}/, (head) => {
    const id = paths[head];
    return id === undefined ? head : head.replace('{id}', encodeURIComponent(id));
  });
  const [kind] = template.match(/^\/\w+/) ?? [];
  return path.replaceAll(/\{\w+\}/g, (name) => {
    const id = paths[`${kind} ${name}`] ?? paths[name];
    if (id === undefined)
      throw new Error(`the world has nothing for ${name} of ${template}: add it to test/api/support/examples.ts`);
    return encodeURIComponent(id);
  });
}

/** Returns a value of {@link QUERY_VALUES} in a world. */
export const queryValueIn = ({ paths }: World, value: string): string => paths[value] ?? value;

/** Query parameters that must refer to something that exists: a literal value, or a key of the world's paths. */
export const QUERY_VALUES: Record<string, string> = {
  page: 'https://shop.example.com/',
  segment: '{sid}',
  user_id: USER_ID,
  item: ITEM_ID,
  fingerprint_uuid: '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11',
  visitor: '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11',
  kind: 'user_id',
};

/**
 * Preparations that an operation's example needs beyond the world, by operationId; `body` replaces an example that
 * becomes outdated.
 */
export const PREPARATIONS: Record<
  string,
  (world: World) => Promise<{ client?: Client; query?: Record<string, string>; body?: unknown } | void>
> = {
  /** A profile is read by user id. */
  getProfile: () => Promise.resolve({ query: { user_id: USER_ID } }),
  /** Events are read by user or by item. */
  listProjectEvents: () => Promise.resolve({ query: { item: ITEM_ID } }),
  /** Deliveries are read by item. */
  listItemDeliveries: () => Promise.resolve({ query: { item: ITEM_ID } }),
  recommendNext: (world) => storeItems(world, ['lesson-41']),
  recommendTogether: (world) => storeItems(world, ['coffee-1', 'cup-7']),
  async login({ cabinet }) {
    await made(cabinet('POST', '/users', { email: 'anna@example.com', password: PASSWORD, role: 'owner' }));
  },
  async acceptInvitation({ database }) {
    const secret = acceptInvitationOperation.body?.example as { invitation: string };
    await insertInvitation(database.pool, {
      hash: keyHash(secret.invitation),
      email: 'maria@example.com',
      role: 'viewer',
      projects: [],
      sites: [],
      invitedBy: null,
    });
  },
  createSignInLink: ({ user }) => Promise.resolve({ body: { user: user.id } }),
  async signIn({ database, user }) {
    const secret = signIn.body?.example as { link: string };
    await insertSignInLink(database.pool, { hash: keyHash(secret.link), userId: user.id, manager: null });
  },
  patchPreferences: asUser,
  listSessions: asUser,
  endSession: asUser,
  getSecondFactor: asUser,
  startSecondFactor: asUser,
  async confirmSecondFactor(world) {
    const secret = newTotpSecret();
    await world.database.pool.query('update users set totp_secret = $2 where id = $1', [
      world.user.id,
      sealedFor(world, secret),
    ]);
    return { ...(await asUser(world)), body: { code: totpCode(secret, totpStep(Date.now())) } };
  },
  async removeSecondFactor(world) {
    const browser = await asUser(world);
    await world.database.pool.query('update users set totp_secret = $2, totp_since = now() where id = $1', [
      world.user.id,
      sealedFor(world, newTotpSecret()),
    ]);
    await world.database.pool.query('insert into recovery_codes (user_id, hash) values ($1, $2)', [
      world.user.id,
      recoveryCodeHash('ABCD-EFGH-IJKL-MNOP'),
    ]);
    return browser;
  },
  /** Only a person has a password; the installation's token has none. */
  async changePassword({ api, user }) {
    const browser = await openBrowser(api, user);
    return { client: browser.call };
  },
  /** The analytics API's visitor exists; the cabinet's one is deleted by other operations. */
  async getVisitor({ database, paths }) {
    await database.pool.query(
      'insert into site_visitors (site_id, visitor_id) values ($1, $2) on conflict do nothing',
      [paths['/sites/{id}'], paths['/sites {visitor_id}']],
    );
  },
  getRecording: storeRecording,
  getRecordingTimeline: storeRecording,
  getRecordingChunks: storeRecording,
  getRecordingChunk: storeRecording,
  patchRecording: storeRecording,
  deleteRecording: storeRecording,
  /** Does the webhook worker's part: the answer waits for the attempt. */
  async testWebhook({ database, project }) {
    void settleTest(database, project.id);
  },
};

async function storeItems({ content }: World, ids: readonly string[]): Promise<void> {
  for (const id of ids) await made(content('PUT', `/items/${id}`, { type: 'text', title: id }));
}

/** Returns a client for a person's things, which the installation's token lacks. */
async function asUser({ api, user }: World): Promise<{ client: Client }> {
  return { client: (await openBrowser(api, user)).call };
}

function sealedFor({ api, user }: World, secret: Buffer): Buffer {
  return createSecondFactors(deriveKey(api.config.secretKey, 'totp-secrets')).seal(secret, user.id);
}

async function settleTest({ pool }: TestDatabase, projectId: string): Promise<void> {
  for (let made = 0; made === 0;) {
    const { rowCount } = await pool.query(
      `update deliveries set status = 'delivered', lane = null, attempt = 1, response_status = 200 where project_id = $1 and event = 'webhook.test'`,
      [projectId],
    );
    made = rowCount ?? 0;
  }
}
