/** The performance of recommendations, and their settings. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createTestUser, type Person } from '../../api/support/people.ts';
import {
  clientOf,
  createTestProject,
  createTestToken,
  type Client,
  type TestProject,
} from '../../api/support/testApi.ts';
import { addItems } from '../../support/people/events.ts';
import { storeAnswers, storeModels } from '../support/output.ts';
import {
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
let cabinet: Client;

beforeEach(async () => {
  const { pool } = stage.database;
  project = await createTestProject(pool);
  owner = await createTestUser(pool, 'owner', { projects: [project.id] });
  viewer = await createTestUser(pool, 'viewer', { projects: [project.id] });
  cabinet = clientOf(stage.api.cabinet, await createTestToken(pool));
  await addItems(pool, project.id, ['lesson']);
});

const of = (path: string): string => `/projects/${project.id}${path}`;
const open = (path = '/output', person = owner): Promise<Page> => stage.open(`/p/${project.id}${path}`, person);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

describe('the report', () => {
  it('says what to do if there is no data', async () => {
    const page = await open();
    await expectVisible(page.getByText('No answers in this period'));
    await expectVisible(page.getByText('No models yet.'));
    await expectVisible(page.getByText('No surface is set up.'));
  });

  it('counts answers and their results, and compares the variants of an experiment', async () => {
    const variants = ['original', 'longer'].map((name) => ({ name, share: 0.5 }));
    const experiment = { id: 'long1', from: new Date(Date.now() - 5 * 86_400_000).toISOString(), variants };
    await cabinet('PUT', of('/surfaces/feed'), { experiment });
    const { pool } = stage.database;
    const ids = await storeAnswers(pool, project.id, { surface: 'feed', itemIds: ['lesson'], experiment: 'long1' });
    const opened = ids.filter((_, at) => at % 3 === 0);
    await clientOf(stage.api.content, project.key)('POST', '/events', {
      events: opened.map((id, at) => ({
        id: `e-${at}`,
        type: 'open',
        item: 'lesson',
        user: { user_id: `u-${at}` },
        recommendation_id: id,
      })),
    });
    const page = await open();
    await expectVisible(page.getByRole('slider', { name: 'Requests' }));
    await expectVisible(page.getByRole('row', { name: /^feed 60 60/ }));
    await expectVisible(page.getByRole('heading', { name: 'Experiment long1 on feed' }));
    await expectVisible(page.getByRole('row', { name: /longer 50 %/ }));
    await page.getByText('Day', { exact: true }).click();
    await expectAddress(page, /by=/);
    await expectVisible(page.getByRole('columnheader', { name: 'Day' }));
    await page.getByRole('button', { name: /Chart$/ }).click();
    await page.getByRole('option', { name: 'Opens' }).click();
    await expectVisible(page.getByRole('slider', { name: 'Opens' }));
  });

  it('suggests fewer days if it takes too long, and does not delay other cards', async () => {
    stage.allow(/Failed to load resource.*503/);
    const page = await stage.open('/', owner);
    await page.route('**/output/report*', (route) =>
      route.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'x' } } }),
    );
    await page.goto(`${stage.url}/p/${project.id}/output`);
    await expectVisible(page.getByText('No models yet.'));
    await expectVisible(page.getByText('This takes too long. Choose fewer days.'));
  });
});

describe('a surface', () => {
  it('is set up with only the keyboard, with faults shown at its fields', async () => {
    stage.allow(/Failed to load resource.*(404|422)/);
    await cabinet('PUT', of('/properties/level'), { type: 'number', filterable: true });
    const page = await open();
    await button(page, 'Set up a surface').focus();
    await page.keyboard.press('Enter');
    await expectVisible(page.getByRole('dialog').locator('input:focus'));
    await page.keyboard.type('feed');
    await page.keyboard.press('Enter');
    await expectVisible(page.getByText('Nothing is set up for this surface yet.'));
    await page.getByLabel('Number of items').focus();
    await page.keyboard.type('5');
    await button(page, 'Add a boost').focus();
    await page.keyboard.press('Enter');
    await part(page, 'Boosts').getByRole('textbox', { name: 'Value' }).focus();
    await page.keyboard.type('x');
    await button(page, 'Save').focus();
    await page.keyboard.press('Enter');
    await expectVisible(part(page, 'Boosts').getByText('This value has the wrong type.'));
    await part(page, 'Boosts').getByRole('textbox', { name: 'Value' }).fill('3');
    await button(page, 'Save').click();
    await expectVisible(page.getByText('Saved. It takes effect from the next request.'));
    expect((await cabinet('GET', of('/surfaces/feed'))).body).toMatchObject({
      defaults: { limit: 5 },
      boosts: [{ filter: { property: 'level', op: 'eq', value: 3 }, factor: 2 }],
    });
  });

  it('opens as a new one if somebody else has deleted it meanwhile', async () => {
    stage.allow(/Failed to load resource.*404/);
    await cabinet('PUT', of('/surfaces/feed'), { defaults: { limit: 5 } });
    const page = await open();
    const link = page.getByRole('link', { name: 'feed', exact: true });
    await link.click();
    expect(await page.getByLabel('Number of items').inputValue()).toBe('5');
    // The list is read anew; an answer after the deletion would take the link away.
    const release = await holdRequests(page, '**/surfaces', 'GET');
    await page.goBack();
    await expectVisible(link);
    await cabinet('DELETE', of('/surfaces/feed'));
    await link.click();
    release();
    await expectVisible(page.getByText('Nothing is set up for this surface yet.'));
    expect(await page.getByLabel('Number of items').inputValue()).toBe('');
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('shows its boosts and filters once the properties are read, and does not claim before that there are none', async () => {
    stage.allow(/Failed to load resource.*500/);
    await cabinet('PUT', of('/properties/level'), { type: 'number', filterable: true });
    const filter = { property: 'level', op: 'gte', value: 3 };
    await cabinet('PUT', of('/surfaces/feed'), { boosts: [{ filter, factor: 2 }], defaults: { filters: [filter] } });
    const page = await open();
    const stop = await answerRequests(page, '**/properties*', (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'x' } } }),
    );
    await page.getByRole('link', { name: 'feed', exact: true }).click();
    for (const name of ['Boosts', 'Fields of a request']) await expectVisible(part(page, name).getByRole('alert'));
    expect(await page.getByText('No property of this project can be used').count()).toBe(0);
    stop();
    await part(page, 'Boosts').getByRole('button', { name: 'Try again' }).click();
    for (const name of ['Boosts', 'Fields of a request'])
      expect(await part(page, name).getByRole('textbox', { name: 'Value' }).inputValue()).toBe('3');
    await button(page, 'Save').click();
    await expectVisible(page.getByText('Saved. It takes effect from the next request.'));
    expect((await cabinet('GET', of('/surfaces/feed'))).body).toMatchObject({ boosts: [{ filter }] });
  });

  it('keeps showing the values of the rows that stay when one is removed', async () => {
    await cabinet('PUT', of('/properties/level'), { type: 'string', filterable: true });
    const filters = ['A1', 'B1'].map((value) => ({ property: 'level', op: 'eq', value }));
    const pins = [
      { item: 'first', position: 0 },
      { item: 'lesson', position: 6 },
    ];
    await cabinet('PUT', of('/surfaces/feed'), { defaults: { filters }, pins });
    const page = await open('/output/feed');
    await button(page, 'Remove the filter on level').first().click();
    await button(page, 'Unpin first').click();
    expect(await page.getByLabel('Value', { exact: true }).inputValue()).toBe('B1');
    expect(await page.getByLabel('Position, from 1').inputValue()).toBe('7');
  });

  it('is not saved while one of its numbers is invalid', async () => {
    const pins = [{ item: 'lesson', position: 6 }];
    await cabinet('PUT', of('/surfaces/feed'), { defaults: { limit: 5 }, pins });
    const page = await open('/output/feed');
    const saved: string[] = [];
    page.on('request', (request) => request.method() === 'PUT' && saved.push(request.postData() ?? ''));
    await page.getByLabel('Number of items').fill('100000');
    await page.getByLabel('Position, from 1').fill('');
    await button(page, 'Save').click();
    await expectTrue(page, `document.activeElement.ariaInvalid === 'true'`);
    await page.getByLabel('Number of items').fill('12');
    await page.getByLabel('Position, from 1').fill('3');
    await button(page, 'Save').click();
    await expectVisible(page.getByText('Saved. It takes effect from the next request.'));
    const { body } = await cabinet('GET', of('/surfaces/feed'));
    expect(body).toMatchObject({ defaults: { limit: 12 }, pins: [{ item: 'lesson', position: 2 }] });
    expect(saved).toHaveLength(1);
  });

  it('is read anew before it is changed, because somebody else may have saved it', async () => {
    await cabinet('PUT', of('/surfaces/feed'), { defaults: { limit: 5 } });
    const page = await open('/output/feed');
    await expectVisible(page.getByLabel('Number of items'));
    await page.getByRole('link', { name: 'Recommendations' }).last().click();
    await cabinet('PUT', of('/surfaces/feed'), { defaults: { limit: 30 } });
    await page.getByRole('link', { name: 'feed' }).click();
    await expectVisible(page.getByLabel('Number of items'));
    expect(await page.getByLabel('Number of items').inputValue()).toBe('30');
  });

  it('gets an experiment, whose shares must add up to 100 %', async () => {
    stage.allow(/Failed to load resource.*422/);
    await cabinet('PUT', of('/surfaces/feed'), { defaults: { limit: 5, authors: ['anna'] } });
    const page = await open('/output/feed');
    await expectVisible(page.getByText('Also set, through the API: authors.'));
    await button(page, 'Set up an experiment').click();
    await page.getByLabel('Id', { exact: true }).fill('long1');
    await page.getByLabel('Share, %').first().fill('60');
    await page.getByLabel('Settings that differ, as JSON').last().fill('{"limit": ');
    await button(page, 'Save').click();
    await expectVisible(page.getByText('This is not a JSON object.'));
    await page.getByLabel('Settings that differ, as JSON').last().fill('{"limit": 24}');
    await button(page, 'Save').click();
    await expectVisible(page.getByText('The shares must add up to 100 %, and names must differ.'));
    await page.getByLabel('Share, %').first().fill('50');
    await button(page, 'Save').click();
    await expectVisible(page.getByText('Saved. It takes effect from the next request.'));
    const { body } = await cabinet('GET', of('/surfaces/feed'));
    expect(body).toMatchObject({
      defaults: { limit: 5, authors: ['anna'] },
      experiment: { id: 'long1', variants: [{ share: 0.5 }, { share: 0.5, settings: { limit: 24 } }] },
    });
  });

  it('loses its settings after a confirmation', async () => {
    await cabinet('PUT', of('/surfaces/feed'), { defaults: { limit: 5 } });
    const page = await open('/output/feed');
    await button(page, 'Remove the settings').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the settings' }).click();
    await expectAddress(page, `${stage.url}/p/${project.id}/output`);
    await expectVisible(page.getByText('No surface is set up.'));
  });
});

describe('models', () => {
  it('show their quality compared with popularity, and why they were not published', async () => {
    await storeModels(stage.database.pool, project.id);
    const page = await open();
    const inForce = page.getByRole('row').filter({ hasText: 'In use' });
    await expectVisible(inForce.getByText('events: 12,000, items: 1,200, people: 600'));
    await expectVisible(inForce.getByText('0.19'));
    await expectVisible(page.getByText('It is no better than what is popular.'));
    await expectVisible(page.getByText('Something went wrong. The log of the workers has the details.'));
    await button(page, 'Train now').click();
    await expectVisible(page.getByText('Training has begun.'));
    await expectVisible(page.getByRole('row', { name: /In training/ }));
    expect(await button(page, 'Train now').isDisabled()).toBe(true);
  });
});

describe('synonyms', () => {
  it('are edited as lines, with faults by line', async () => {
    stage.allow(/Failed to load resource.*422/);
    const page = await open();
    const lines = page.getByLabel('Lines');
    await lines.fill('tram, streetcar\n\n…');
    await part(page, 'Search synonyms').getByRole('button', { name: 'Save' }).click();
    await expectVisible(page.getByText('Cannot be used: line 3.'));
    await lines.fill('tram, streetcar\nshoes > boots');
    await part(page, 'Search synonyms').getByRole('button', { name: 'Save' }).click();
    await expectVisible(page.getByText('Saved. It takes effect from the next request.'));
    const { body } = await cabinet('GET', of('/synonyms'));
    expect(body.synonyms).toEqual([{ words: ['tram', 'streetcar'] }, { words: ['shoes'], to: ['boots'] }]);
  });

  it('are those of the project whose page is shown, even after a look at another project', async () => {
    const other = await createTestProject(stage.database.pool);
    const person = await createTestUser(stage.database.pool, 'owner', { projects: [project.id, other.id] });
    await cabinet('PUT', of('/synonyms'), { synonyms: [{ words: ['tram', 'streetcar'] }] });
    await cabinet('PUT', `/projects/${other.id}/synonyms`, { synonyms: [{ words: ['boots', 'shoes'] }] });
    const page = await open('/output', person);
    const lines = page.getByLabel('Lines');
    const isOf = ({ id }: TestProject) => expectVisible(page.locator(`main a[href="/cabinet/p/${id}/lab"]`));
    await expectVisible(lines);
    await openPalette(page);
    await page.keyboard.type(`${other.id} recomm`);
    await page.getByRole('menuitem', { name: /Recommendations/ }).click();
    await isOf(other);
    await expectVisible(lines);
    expect(await lines.inputValue()).toBe('boots, shoes');
    await page.goBack();
    await isOf(project);
    expect(await lines.inputValue()).toBe('tram, streetcar');
  });
});

it('a viewer can only look, and is told why', async () => {
  await cabinet('PUT', of('/surfaces/feed'), { defaults: { limit: 5 } });
  const page = await open('/output', viewer);
  await expectVisible(page.getByText('Only owners and administrators can do this.').first());
  for (const name of ['Set up a surface', 'Train now', 'Save'])
    expect([name, await button(page, name).isDisabled()]).toEqual([name, true]);
  await page.getByRole('link', { name: 'feed' }).click();
  await expectVisible(page.getByText('Only owners and administrators can do this.', { exact: true }));
  for (const name of ['Save', 'Remove the settings'])
    expect([name, await button(page, name).isDisabled()]).toEqual([name, true]);
});
