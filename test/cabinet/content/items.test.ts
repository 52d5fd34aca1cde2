/**
 * Items in the cabinet: one is added, followed, changed and deleted; a failed one shows its reason and is run
 * again.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createTestUser, type Person } from '../../api/support/people.ts';
import { createTestProject, type TestProject } from '../../api/support/testApi.ts';
import { countChanges } from '../../../loops/relay/popularityCounter.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { by, sent, take } from '../../support/people/events.ts';
import { Analyst, mediaItem, medium } from '../../support/items/items.ts';
import { textItem } from '../../support/project.ts';
import { withoutTriggers } from '../../support/unstamped.ts';
import {
  answerOnce,
  answerRequests,
  expectAddress,
  expectTrue,
  expectVisible,
  holdRequests,
  openPalette,
  stageCabinet,
} from '../support/stage.ts';

const stage = stageCabinet();
let project: TestProject;
let owner: Person;
let viewer: Person;
let analyst: Analyst;

beforeAll(async () => {
  const { pool } = stage.database;
  project = await createTestProject(pool);
  owner = await createTestUser(pool, 'owner', { projects: [project.id] });
  viewer = await createTestUser(pool, 'viewer', { projects: [project.id] });
  analyst = new Analyst(pool, project.id);
});

const list = (search = ''): string => `/p/${project.id}/items${search}`;
const pathOf = (id: string): string => `${list()}/${encodeURIComponent(id)}`;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const read = async (id: string) => {
  const { rows } = await stage.database.pool.query(
    'select type, title, body, available, deleted, status from items where project_id = $1 and id = $2',
    [project.id, id],
  );
  return rows[0] as Record<string, unknown> | undefined;
};

/** The focus moves to the fault, and nothing covers it. */
const FOCUSED_FAULT = `document.activeElement.ariaInvalid === 'true'
  && document.activeElement.getBoundingClientRect().top >= document.querySelector('header').getBoundingClientRect().bottom`;

/** Stores the state of an analysis whose medium does not exist. */
async function storeFailed(id: string): Promise<void> {
  await analyst.put(id, mediaItem('image', [medium('image', 'gone.jpg')], { title: 'A picture that is gone' }));
  const error = { code: 'media_not_found', message: 'Медиа не найдено.' };
  await withoutTriggers(
    stage.database.pool,
    `update items set status = 'failed', steps = (
       select jsonb_object_agg(key, value || jsonb_build_object('state', case key when 'speech' then 'skipped' else 'failed' end, 'error', $3::jsonb))
         from jsonb_each(steps)) where project_id = $1 and id = $2`,
    [project.id, id, JSON.stringify(error)],
  );
}

describe('a new item', () => {
  it('is added with only the keyboard, and its page follows the analysis to its end', async () => {
    const page = await stage.open(list(), owner);
    await page.getByRole('link', { name: 'Add an item' }).focus();
    await page.keyboard.press('Enter');
    await field(page, 'Title').fill('The tram');
    await field(page, 'Text').fill('It came back to the depot.');
    await field(page, 'Identifier').fill('tram 1/ü');
    await page.keyboard.press('Enter');
    await expectVisible(page.getByRole('heading', { name: 'The tram', level: 1 }));
    await expectAddress(page, stage.url + pathOf('tram 1/ü'));
    await expectTrue(page, `document.activeElement === document.querySelector('main h1')`);
    await expectVisible(page.getByText('Queued', { exact: true }));
    await analyst.analyse('tram 1/ü');
    await expectVisible(page.getByText('Ready', { exact: true }));
  });

  it('is added once if the answer to the first attempt was lost', async () => {
    stage.allow(/Failed to load resource/);
    const page = await stage.open(`/p/${project.id}/add-item`, owner);
    await field(page, 'Title').fill('The ferry');
    await answerOnce(page, /\/items\//, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await button(page, 'Add the item').click();
    await expectVisible(page.getByRole('alert'));
    await button(page, 'Add the item').click();
    await expectVisible(page.getByRole('heading', { name: 'The ferry', level: 1 }));
    const { rows } = await stage.database.pool.query("select id from items where title = 'The ferry'");
    expect(rows).toHaveLength(1);
  });

  it('does not call back a user who has opened another page while it is being saved', async () => {
    const page = await stage.open(`/p/${project.id}/add-item`, owner);
    const release = await holdRequests(page, '**/items/slow', 'PUT');
    await field(page, 'Title').fill('A slow train');
    await field(page, 'Identifier').fill('slow');
    await button(page, 'Add the item').click();
    await page.locator('[data-pending]').waitFor();
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await expectVisible(page.getByText('No webhooks yet'));
    const saved = page.waitForResponse(/items\/slow$/);
    release();
    await saved;
    await openPalette(page);
    await expectAddress(page, /webhooks$/);
    expect(await read('slow')).toMatchObject({ title: 'A slow train' });
  });

  it('opens when it is stored, even if somebody types while it is being saved', async () => {
    const page = await stage.open(`/p/${project.id}/add-item`, owner);
    const release = await holdRequests(page, '**/items/typed', 'PUT');
    await field(page, 'Title').fill('A typed train');
    await field(page, 'Identifier').fill('typed');
    await button(page, 'Add the item').click();
    await page.locator('[data-pending]').waitFor();
    await field(page, 'Title').fill('A typed train, and more');
    release();
    await expectVisible(page.getByRole('heading', { name: 'A typed train', exact: true }));
  });

  it('shows faults at its fields if it is invalid, and keeps the input', async () => {
    stage.allow(/Failed to load resource.*(422|503)/);
    await analyst.put('taken', textItem());
    const page = await stage.open(`/p/${project.id}/add-item`, owner);
    await button(page, 'Add the item').click();
    await expectVisible(page.getByText('Give the item a title or some text.'));
    await expectTrue(page, FOCUSED_FAULT);
    await page.getByRole('button', { name: /Type$/ }).click();
    await page.getByRole('option', { name: 'Video' }).click();
    await field(page, 'Title').fill('A film');
    await button(page, 'Add the item').click();
    await expectVisible(page.getByText('A video needs at least one medium of the kind "Video".'));
    await field(page, 'Address').fill('file:///film.mp4');
    await button(page, 'Add the item').click();
    await expectVisible(page.getByText('Enter a full https address'));
    await expectTrue(page, FOCUSED_FAULT);
    await field(page, 'Address').fill('https://cdn.example.com/film.mp4');
    await field(page, 'Properties').fill('{level}');
    await button(page, 'Add the item').click();
    await expectVisible(page.getByText('This is not a JSON object'));
    await field(page, 'Properties').fill('{"level": "B1"}');
    await field(page, 'Identifier').fill('taken');
    await button(page, 'Add the item').click();
    await expectVisible(page.getByText('An item with this identifier already exists.'));
    await field(page, 'Identifier').fill('..');
    await button(page, 'Add the item').click();
    await expectVisible(
      page.getByText('This identifier is not possible here: browsers take “.” and “..” out of addresses.'),
    );
    await field(page, 'Identifier').fill('film');
    await button(page, 'Add the item').click();
    await expectVisible(page.getByRole('heading', { name: 'A film', level: 1 }));
    expect(await read('film')).toMatchObject({ type: 'video', title: 'A film', status: 'queued' });
  });
});

describe('an item', () => {
  it('is changed without affecting other fields', async () => {
    await analyst.put('old', textItem({ title: 'Old', body: 'Kept as it is.' }));
    const page = await stage.open(pathOf('old'), owner);
    await page.getByRole('link', { name: 'Change' }).click();
    await field(page, 'Title').fill('New');
    await button(page, 'Save').click();
    await expectVisible(page.getByRole('heading', { name: 'New', level: 1 }));
    expect(await read('old')).toMatchObject({ title: 'New', body: 'Kept as it is.' });
  });

  it('says so if its text cannot be read', async () => {
    stage.allow(/Failed to load resource.*500/);
    await analyst.put('unread', textItem({ title: 'Unread', body: 'The depot opens at five.' }));
    const page = await stage.open(list(), owner);
    const stop = await answerRequests(page, /items\/unread\?include=body/, (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'x' } } }),
    );
    await page.getByRole('link', { name: 'Unread', exact: true }).click();
    await expectVisible(page.getByRole('alert'));
    stop();
    await button(page, 'Try again').click();
    await expectVisible(page.getByText('The depot opens at five.'));
  });

  it('is hidden, deleted, and restored', async () => {
    await analyst.put('gone', textItem({ title: 'Gone', body: 'Kept.' }));
    await analyst.analyse('gone');
    const page = await stage.open(pathOf('gone'), owner);
    await button(page, 'More actions').click();
    await page.getByRole('menuitem', { name: 'Hide from recommendations and searches' }).click();
    await expectVisible(page.getByText('hidden', { exact: true }));
    await button(page, 'More actions').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expectVisible(page.getByText('This item is deleted'));
    await button(page, 'Undo the deletion').click();
    await page.getByText('This item is deleted').waitFor({ state: 'detached' });
    expect(await read('gone')).toMatchObject({ deleted: false, available: false, body: 'Kept.', status: 'ready' });
  });

  it('shows nothing of the actions on the item that was open before it', async () => {
    await analyst.put('first', textItem({ title: 'First' }));
    await analyst.put('second', textItem({ title: 'Second' }));
    const page = await stage.open(pathOf('first'), owner);
    await button(page, 'Analyse again').click();
    await expectVisible(page.getByText('The analysis is queued again.'));
    await openPalette(page);
    await page.keyboard.type('second');
    await page.getByRole('menuitem', { name: /Second/ }).click();
    await expectVisible(page.getByRole('heading', { name: 'Second', level: 1 }));
    expect(await page.getByText('The analysis is queued again.').count()).toBe(0);
  });

  it('says why its analysis failed and what to do, and can be rerun', async () => {
    stage.allow(/Failed to load resource.*503/); // The media server does not exist.
    await storeFailed('failed');
    const page = await stage.open(list('?status=failed'), owner);
    await page.getByRole('link', { name: 'A picture that is gone' }).click();
    await expectVisible(page.getByText('The analysis failed'));
    await expectVisible(page.getByText('Medium not found (404 or 410)').first());
    await expectVisible(page.getByText('Open the address of the medium in a private window'));
    await button(page, 'Run the failed steps again').click();
    await expectVisible(page.getByText('The analysis is queued again.'));
    await page.getByText('The analysis failed').waitFor({ state: 'detached' });
    expect(await read('failed')).toMatchObject({ status: 'queued' });
  });

  it('can be rerun with selected steps', async () => {
    await analyst.put('steps', textItem({ title: 'Steps' }));
    await analyst.analyse('steps');
    const page = await stage.open(pathOf('steps'), owner);
    await button(page, 'More actions').click();
    await page.getByRole('menuitem', { name: 'Analyse some steps again…' }).click();
    await page.getByRole('dialog').getByText('Search').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Analyse again' }).click();
    await expectVisible(page.getByText('The analysis is queued again.'));
    const { rows } = await stage.database.pool.query(
      `select steps #>> '{summary,state}' as summary, steps #>> '{embedding,state}' as embedding from items where id = 'steps'`,
    );
    expect(rows).toEqual([{ summary: 'done', embedding: 'queued' }]);
  });

  it('does not show the error of an earlier rerun when steps are selected', async () => {
    stage.allow(/Failed to load resource.*422/);
    await analyst.put('twice', textItem({ title: 'Twice' }));
    await analyst.analyse('twice');
    const page = await stage.open(pathOf('twice'), owner);
    await page.route('**/reprocess', (route) =>
      route.fulfill({ status: 422, json: { error: { code: 'validation_failed', message: 'x' } } }),
    );
    await button(page, 'Analyse again').click();
    await expectVisible(page.getByRole('alert'));
    await button(page, 'More actions').click();
    await page.getByRole('menuitem', { name: 'Analyse some steps again…' }).click();
    await expectVisible(page.getByRole('dialog').getByText('Search'));
    expect(await page.getByRole('dialog').getByRole('alert').count()).toBe(0);
  });

  it('shows the evidence of its moderation, which leads to the words', async () => {
    const body = `${'The tram turns. '.repeat(400)}It is damn late.`;
    await analyst.put('rude', textItem({ title: 'Rude', body }));
    await analyst.analyse('rude');
    const offset = 'Rude\n\n'.length + body.indexOf('damn');
    const evidence = [
      { category: 'profanity', level: 'medium', count: 1, excerpt: 'It is d*** late.', where: { offset, length: 4 } },
    ];
    await stage.database.pool.query(
      `insert into item_moderations (project_id, item_id, moderation, provenance, revision)
       select project_id, id, $3, '{}', (steps #>> '{summary,revision}')::bigint from items where project_id = $1 and id = $2`,
      [project.id, 'rude', { level: 'medium', categories: null, evidence }],
    );
    const page = await stage.open(pathOf('rude'), owner);
    await page.getByRole('button', { name: /Swearing.*It is d\*\*\* late/ }).focus();
    await page.keyboard.press('Enter');
    await expectVisible(page.locator('mark', { hasText: 'damn' }));
    await expectTrue(page, `document.querySelector('mark').closest('p').scrollTop > 0`);
  });

  it('says that it has not been moderated, and that nobody came across it', async () => {
    await analyst.put('plain', textItem({ title: 'Plain' }));
    await analyst.analyse('plain');
    const page = await stage.open(pathOf('plain'), owner);
    await expectVisible(page.getByText('It has not been moderated'));
    const audience = page.getByRole('region', { name: 'Audience', exact: true });
    await expectVisible(audience.getByText('Nobody came across it in this period'));
    await expectVisible(audience.getByText(/"type":"open","item":"plain"/));
  });

  it('shows what people did with it, and similar items', async () => {
    await analyst.put('met', textItem({ title: 'Met' }));
    await analyst.analyse('met');
    const { pool } = stage.database;
    await take(pool, project.id, [
      sent({ ...by('u-1'), item: 'met', type: 'impression' }),
      sent({ ...by('u-1'), item: 'met' }),
      sent({ ...by('u-1'), item: 'met' }),
      sent({ ...by('u-1'), item: 'met', type: 'view', value: 40 }),
      sent({ ...by('u-2'), item: 'met', type: 'view', value: 95 }),
    ]);
    while ((await countChanges({ pool, logger: createLogger('relay', 'silent') })) > 0);
    const page = await stage.open(pathOf('met'), owner);
    const audience = page.getByRole('region', { name: 'Audience', exact: true });
    await expectVisible(audience.getByText('67.5% on average'));
    expect(await audience.locator('dl').first().innerText()).toMatch(/Impressions\s+1\s+People\s+2\s/);
    // Opens are shown first; the latest day is the last one.
    const chart = audience.getByRole('slider', { name: 'Open', exact: true });
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/, Open: 2$/);
    await audience.getByRole('button', { name: /By day$/ }).click();
    await page.getByRole('option', { name: 'Impressions' }).click();
    await expectVisible(audience.getByRole('slider', { name: 'Impressions' }));
    // There is no selection process here, so the list is a fallback.
    const similar = page.getByRole('list', { name: 'Similar', exact: true }).getByRole('link').first();
    await similar.locator('svg').waitFor();
    const name = await similar.innerText();
    await similar.click();
    await expectVisible(page.getByRole('heading', { name, level: 1 }));
    await page.getByRole('link', { name: 'Why is this item not in somebody’s answer?' }).click();
    await expectAddress(page, /\/lab\?absent=/);
    await expectVisible(page.getByRole('region', { name: 'Why is it not here?' }).getByRole('status'));
  });

  it('can only be viewed by a viewer, who is told why', async () => {
    stage.allow(/Failed to load resource.*503/); // The media server does not exist.
    await storeFailed('guarded');
    const page = await stage.open(pathOf('guarded'), viewer);
    await expectVisible(page.getByText('The analysis failed'));
    for (const name of ['Analyse again', 'Run the failed steps again'])
      expect(await button(page, name).isDisabled()).toBe(true);
    expect(await page.getByText('Only owners and administrators can do this.').count()).toBeGreaterThan(0);
    await page.goto(`${stage.url}${pathOf('guarded')}/edit`);
    await expectVisible(page.getByText('Only owners and administrators can do this.'));
    expect(await page.getByRole('textbox').count()).toBe(0);
  });
});

describe('the list', () => {
  it('is filtered by the address, as a table and as pictures', async () => {
    await analyst.put('film-1', mediaItem('video', [medium('video', 'a.mp4')], { title: 'Film one' }));
    await analyst.put('note-1', textItem({ title: 'Note one', available: false }));
    const page = await stage.open(list('?type=video&view=grid'), owner);
    await expectVisible(page.getByRole('list', { name: 'Items' }).getByText('Film one'));
    expect(await page.getByText('Note one').count()).toBe(0);
    await page.getByRole('button', { name: /Type$/ }).click();
    await page.getByRole('option', { name: 'Any' }).click();
    await expectVisible(page.getByText('Note one'));
    await page.getByRole('button', { name: /Visibility$/ }).click();
    await page.getByRole('option', { name: 'Hidden' }).click();
    await page.getByText('Film one').waitFor({ state: 'detached' });
    await button(page, 'Table').click();
    await expectVisible(page.getByRole('row', { name: /Note one/ }));
    await expectAddress(page, /visible=hidden$/);
  });

  it('shows an error and keeps its contents', async () => {
    stage.allow(/Failed to load resource.*500/);
    const page = await stage.open(list(), owner);
    await expectVisible(page.getByRole('table'));
    // Some are still being analysed, so the page polls.
    await page.route(/\/items\?/, (route) =>
      route.fulfill({
        status: 500,
        contentType: 'application/json',
        body: '{"error":{"code":"internal","message":"x"}}',
      }),
    );
    await expectVisible(page.getByText('The server had an error.'));
    await expectVisible(page.getByRole('table'));
  });
});
