/**
 * Every page of projects and accounts meets the requirements of everyPage.ts and everyControl.ts, and integrators'
 * data is shown as text.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestUser, type Person } from '../../api/support/people.ts';
import { clientOf, createTestProject, createTestToken, type TestProject } from '../../api/support/testApi.ts';
import { Analyst, mediaItem } from '../../support/items/items.ts';
import { textItem } from '../../support/project.ts';
import { addUndelivered } from '../../support/webhooks/recoveries.ts';
import { addWebhook, readDeliveries, recordEvent, type TestWebhook } from '../../support/webhooks/webhooks.ts';
import { describeControls } from '../support/everyControl.ts';
import { storeAttempts } from '../support/deliveries.ts';
import { storeAnswers, storeModels } from '../support/output.ts';
import { describePages, openKnown, type KnownPage } from '../support/everyPage.ts';
import { storeLesson } from '../support/samples/lesson.ts';
import { startMediaHost, type MediaHost } from '../support/media.ts';
import { expectTrue, expectVisible, stageCabinet } from '../support/stage.ts';

const HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';

const stage = stageCabinet({ ALLOW_HTTP_MEDIA: 'true', ALLOW_NETWORKS: '127.0.0.1/32' });
let host: MediaHost;
let project: TestProject;
let empty: TestProject;
let owner: Person;
let viewer: Person;
let webhook: TestWebhook;
let delivery: string;
let file: string;

beforeAll(async () => {
  host = await startMediaHost();
  const { pool } = stage.database;
  [project, empty] = [await createTestProject(pool), await createTestProject(pool)];
  owner = await createTestUser(pool, 'owner', { projects: [project.id, empty.id] });
  viewer = await createTestUser(pool, 'viewer', { projects: [project.id, empty.id] });
  await storeLesson(stage.api, project.id, { id: 'lesson', title: 'How a tram moves', videoUrl: host.videoUrl });
  const analyst = new Analyst(pool, project.id);
  await analyst.put('waiting', textItem({ title: 'Not analysed yet' }));
  await analyst.put(
    `odd/${HOSTILE}`,
    textItem({ title: HOSTILE, description: HOSTILE, author: HOSTILE, url: 'https://example.com/' }),
  );
  await analyst.put('long', mediaItem('audio', [], { title: 'ThisTitleHasNoPlaceToBreakIt'.repeat(8) }));
  await storeJournal();
  await storeImport();
  await storeEvents();
  await storeOutput();
});
afterAll(() => host?.close());

/** Stores the journal of a failing webhook, whose URL has no line-break opportunity. */
async function storeJournal(): Promise<void> {
  const { pool } = stage.database;
  webhook = await addWebhook(pool, project.id, `https://hooks.example.com/${'attune'.repeat(30)}`);
  await recordEvent(pool, project.id, 'lesson');
  await storeAttempts(pool, webhook, 'lesson', 3);
  delivery = (await readDeliveries(pool, webhook))[0]?.id ?? '';
  await addUndelivered(pool, webhook, { count: 2 });
  await addUndelivered(pool, webhook, { count: 1, prefix: HOSTILE, status: 'dropped' });
  await pool.query(
    `update webhooks set failing_since = now() - interval '26 hours', backlog_since = now(), held_until = now() + interval '1 hour'
      where id = $1`,
    [webhook.webhookId],
  );
}

/** Stores the import of a file with a fault of each kind. */
async function storeImport(): Promise<void> {
  const { id, key } = { id: randomUUID(), key: 'imports/x' };
  await stage.database.pool.query(
    `insert into imports (project_id, id, state, format, blob_key, bytes, next_offset, done, failed, finished_at) values ($1, $2, 'done', 'csv', $3, 9, 9, 2, 3, now())`,
    [project.id, id, key],
  );
  const fault = { field: 'media[0].url', code: 'invalid_url' };
  await stage.database.pool.query(
    `insert into import_errors (project_id, import_id, line, item_id, code, faults)
     values ($1, $2, 3, $3, 'validation_failed', $4), ($1, $2, 4, null, 'invalid_csv', '[]')`,
    [project.id, id, HOSTILE, JSON.stringify([fault, { field: HOSTILE, code: 'unknown_field' }])],
  );
  file = id;
}

/** Stores a surface with every setting, answers for it, and models. */
async function storeOutput(): Promise<void> {
  const { pool } = stage.database;
  const cabinet = clientOf(stage.api.cabinet, await createTestToken(pool));
  await cabinet('PUT', `/projects/${project.id}/properties/level`, { type: 'number', filterable: true });
  const filter = { property: 'level', op: 'gte', value: 3 };
  const variants = [
    { name: HOSTILE.slice(0, 64), share: 0.5 },
    { name: 'b', share: 0.5, settings: { limit: 24 } },
  ];
  await cabinet('PUT', `/projects/${project.id}/surfaces/feed`, {
    defaults: { limit: 5, authors: ['anna'], filters: [filter] },
    boosts: [{ filter, factor: 2 }],
    pins: [{ item: HOSTILE, position: 0 }],
    experiment: { id: 'long1', from: new Date(Date.now() - 9 * 86_400_000).toISOString(), variants },
  });
  await cabinet('PUT', `/projects/${project.id}/synonyms`, { synonyms: [{ words: [HOSTILE, 'b'] }] });
  await storeAnswers(pool, project.id, { surface: 'feed', itemIds: ['lesson'], experiment: 'long1' });
  await storeModels(pool, project.id);
}

/** Stores accepted and rejected events of a person with a hostile name. */
async function storeEvents(): Promise<void> {
  const call = clientOf(stage.api.content, project.key);
  const user = { user_id: HOSTILE };
  await call('POST', '/users/profile', { user, interests: [HOSTILE], hidden_authors: [HOSTILE], city: 'Kazan' });
  await call('POST', '/events', {
    events: [
      { id: 'e-1', type: 'open', item: 'lesson', user, surface: 'feed', position: 2 },
      { id: 'e-2', type: 'like', item: 'lesson', user, value: 1 },
      { id: 'e-3', type: 'impression', item: 'lesson', user },
      { id: 'e-4', type: 'open', item: HOSTILE, user },
      { id: 'e-5', type: 'applause', item: 'lesson', user },
    ],
  });
  await call('POST', '/orders', { order_id: HOSTILE, user, items: [{ item: 'lesson', price: 5 }] });
}

const onProject = (path: string) => () => `/p/${project.id}${path}`;
const signedIn = () => owner;
const nobody = () => null;

const HOSTILE_ITEM: KnownPage = {
  name: 'an item with hostile texts',
  path: () => `/p/${project.id}/items/${encodeURIComponent(`odd/${HOSTILE}`)}`,
  sign: 'section',
  person: signedIn,
};

const PAGES: KnownPage[] = [
  { name: 'sign-in', path: () => '/sign-in', sign: 'form', person: nobody },
  { name: 'home', path: () => '/', sign: 'ul a', person: signedIn },
  { name: 'a project', path: onProject(''), sign: 'dl', person: signedIn },
  { name: 'items', path: onProject('/items'), sign: 'table', person: signedIn },
  { name: 'an empty project', path: () => `/p/${empty.id}/items`, sign: 'pre', person: signedIn },
  { name: 'a lesson', path: onProject('/items/lesson'), sign: 'video', person: signedIn },
  { name: 'an item that waits', path: onProject('/items/waiting'), sign: 'section', person: signedIn },
  HOSTILE_ITEM,
  { name: 'items as pictures', path: onProject('/items?view=grid'), sign: 'main li', person: signedIn },
  { name: 'a new item', path: onProject('/add-item'), sign: 'form', person: signedIn },
  { name: 'a change of an item', path: onProject('/items/lesson/edit'), sign: 'form', person: signedIn },
  { name: 'the pipeline', path: onProject('/pipeline'), sign: 'table', person: signedIn },
  { name: 'an import', path: () => `/p/${project.id}/imports?file=${file}`, sign: 'td code', person: signedIn },
  { name: 'webhooks', path: onProject('/webhooks'), sign: 'main li', person: signedIn },
  { name: 'no webhooks', path: () => `/p/${empty.id}/webhooks`, sign: 'main button', person: signedIn },
  {
    name: 'a webhook',
    path: () => `/p/${project.id}/webhooks/${webhook.webhookId}`,
    sign: 'table',
    person: signedIn,
  },
  {
    name: 'a delivery',
    path: () => `/p/${project.id}/webhooks/${webhook.webhookId}/deliveries/${delivery}`,
    sign: 'main pre',
    person: signedIn,
  },
  {
    name: 'a look into a signature',
    path: () => `/p/${project.id}/webhooks/${webhook.webhookId}/signature`,
    sign: 'form',
    person: signedIn,
  },
  { name: 'events', path: onProject('/events'), sign: 'td', person: signedIn },
  { name: 'events of an item', path: onProject('/events?item=lesson'), sign: 'td', person: signedIn },
  { name: 'no events', path: () => `/p/${empty.id}/events`, sign: 'pre', person: signedIn },
  { name: 'people', path: onProject('/users'), sign: 'td', person: signedIn },
  {
    name: 'a person',
    path: onProject(`/users/${encodeURIComponent(HOSTILE)}`),
    sign: 'table',
    person: signedIn,
  },
  {
    name: 'the lab with a change',
    path: onProject(`/lab?user=${encodeURIComponent(HOSTILE)}&limit=3&change=%7B%22diversity%22%3A1%7D`),
    sign: 'ol li',
    person: signedIn,
  },
  { name: 'recommendations', path: onProject('/output?by=%5B%22variant%22%5D'), sign: 'article td', person: signedIn },
  { name: 'no recommendations', path: () => `/p/${empty.id}/output`, sign: 'textarea', person: signedIn },
  { name: 'a surface', path: onProject('/output/feed'), sign: 'textarea', person: signedIn },
  { name: 'the lab without an item', path: onProject('/lab?path=next'), sign: 'form', person: signedIn },
  { name: 'settings', path: onProject('/settings'), sign: 'td', person: signedIn },
  { name: 'an account', path: () => '/account', sign: 'td', person: signedIn },
  { name: 'users', path: () => '/users', sign: 'td', person: signedIn },
  { name: 'an invitation', path: () => `/invitation#ai_${'A'.repeat(40)}`, sign: 'form', person: nobody },
  { name: 'a page that is not there', path: () => '/p', sign: 'h1', person: signedIn },
];

describePages(stage, PAGES);
describeControls(stage, { pages: PAGES, viewer: () => viewer, part: 'others' });

describe('text from integrators', () => {
  it('is shown as text and is never executed', async () => {
    const page = await openKnown(stage, HOSTILE_ITEM);
    await expectVisible(page.getByRole('heading', { name: HOSTILE }));
    await page.getByText('As returned by the API').click();
    await page.goto(`${stage.url}/p/${project.id}/items`);
    await expectVisible(page.getByRole('link', { name: HOSTILE }));
    expect(await page.evaluate('window.hacked')).toBeUndefined();
  });
});

describe('language and theme', () => {
  it('are chosen in the menu, and apply at once and after a reload', async () => {
    const page = await stage.open('/', owner);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitemradio', { name: 'Русский' }).click();
    await expectVisible(page.getByRole('heading', { name: 'Ваши проекты и сайты' }));
    await page.getByRole('button', { name: 'Учётная запись' }).click();
    await page.getByRole('menuitemradio', { name: 'Тёмная' }).click();
    await expectTrue(page, `document.documentElement.style.colorScheme === 'dark'`);
    await page.reload();
    await expectVisible(page.getByRole('heading', { name: 'Ваши проекты и сайты' }));
    expect(await page.evaluate('document.documentElement.style.colorScheme')).toBe('dark');
  });
});
