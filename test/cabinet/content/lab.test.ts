/** The lab: what a given person would be shown, why, and the effect of a change. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createTestUser, type Person } from '../../api/support/people.ts';
import {
  clientOf,
  createTestProject,
  createTestToken,
  type Client,
  type TestProject,
} from '../../api/support/testApi.ts';
import { freePort } from '../../../tools/scripts/engines/servers/freePort.ts';
import { startLabSelection } from '../support/selection.ts';
import { expectAddress, expectVisible, stageCabinet } from '../support/stage.ts';

let selection: Awaited<ReturnType<typeof startLabSelection>> | undefined;
const port = await freePort();
// Runs before the database is dropped.
afterAll(() => selection?.close());
const stage = stageCabinet({ SELECTION_URLS: `http://127.0.0.1:${port}`, SELECTION_DEADLINE_MS: '10000' });
let project: TestProject;
let empty: TestProject;
let owner: Person;
let call: Client;

beforeAll(async () => {
  const { pool } = stage.database;
  [project, empty] = [await createTestProject(pool), await createTestProject(pool)];
  owner = await createTestUser(pool, 'viewer', { projects: [project.id, empty.id] });
  call = clientOf(stage.api.content, project.key);
  const cabinet = clientOf(stage.api.cabinet, await createTestToken(pool));
  await cabinet('PUT', `/projects/${project.id}/properties/level`, { type: 'number', filterable: true });
  for (const [at, author] of ['anna', 'boris', 'anna', 'vera'].entries())
    await call('PUT', `/items/t-${at}`, {
      type: 'text',
      title: `Tram number ${at}`,
      author,
      properties: { level: at },
      published_at: `2026-01-0${at + 1}T00:00:00Z`,
    });
  await call('POST', '/users/profile', {
    user: { user_id: 'u-1' },
    followed_authors: ['anna'],
    hidden_authors: ['vera'],
  });
  selection = await startLabSelection(stage.database.url, port);
});

const open = (search = '', of = project): Promise<Page> => stage.open(`/p/${of.id}/lab${search}`, owner);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

describe('the lab', () => {
  it('shows what a person would get and why, with only the keyboard', async () => {
    const page = await open();
    await expectVisible(page.getByRole('link', { name: 'Tram number 3' }));
    await page.getByRole('textbox', { name: 'Person', exact: true }).focus();
    await page.keyboard.type('u-1');
    await page.keyboard.press('Enter');
    await expectAddress(page, /user=u-1/);
    await expectVisible(page.getByText('Based on what this person has done and likes.'));
    await expectVisible(page.getByText('A followed author: anna').first());
    // Vera is hidden.
    expect(await page.getByRole('link', { name: 'Tram number 3' }).count()).toBe(0);
    await page.getByText('Why', { exact: true }).first().focus();
    await page.keyboard.press('Enter');
    await expectVisible(page.getByText('By a followed author').first());
    const taste = card(page, 'What is used about this person');
    await expectVisible(taste.getByText('Followed authors'));
    await expectVisible(taste.getByText('vera'));
    // An item without a picture shows the icon of its type.
    expect(await card(page, 'Answer').getByRole('listitem').first().locator('svg').count()).toBe(1);
    const absent = card(page, 'Why is it not here?');
    await absent.getByLabel('Missing item').focus();
    await page.keyboard.type('t-3');
    await page.keyboard.press('Enter');
    await expectAddress(page, /absent=t-3/);
    await expectVisible(absent.getByText('It must not be shown.'));
    await expectVisible(absent.getByText('The person has hidden its author: vera.'));
    await absent.getByLabel('Missing item').fill('t-0');
    await button(page, 'Find out').click();
    await expectVisible(absent.getByText(/It is in the answer, at position \d/));
  });

  it('compares the answer with the answer to a changed question', async () => {
    const page = await open('?user=u-1');
    await page.getByText('Without personalization').click();
    await button(page, 'Compare').click();
    await expectAddress(page, /change=/);
    await expectVisible(page.getByText(/0 new, 0 gone, \d moved/));
    const changed = card(page, 'With the change');
    await expectVisible(changed.getByText('Popular and new items: nothing else was known.'));
    await expectVisible(changed.getByText('up 1').first());
    await button(page, 'Clear').click();
    await expectVisible(card(page, 'Answer'));
  });

  it('asks for the item that a path needs, and sends filters', async () => {
    const page = await open('?path=similar');
    await expectVisible(page.getByText('Enter an item to ask about.'));
    await page.getByLabel('Item', { exact: true }).fill('nothing');
    await button(page, 'Ask').click();
    stage.allow(/Failed to load resource.*404/);
    await expectVisible(page.getByText('There has never been an item with this id.'));

    await page.goto(`${stage.url}/p/${project.id}/lab?path=search`);
    await page.getByText('More settings').click();
    await button(page, 'Add a filter').click();
    await page.getByRole('textbox', { name: 'Value' }).fill('2');
    await button(page, 'Ask').click();
    await expectAddress(page, /filters=/);
    await expectVisible(page.getByText('1 found'));
    expect(await card(page, 'Answer').getByRole('listitem').count()).toBe(1);
  });

  it('suggests items by title while the user types, and cities', async () => {
    const page = await open('?path=similar');
    await page.getByLabel('Item', { exact: true }).pressSequentially('number 2');
    const option = page.locator('datalist option[value="t-2"]');
    await option.waitFor({ state: 'attached' });
    expect(await option.getAttribute('label')).toBe('Tram number 2');
    await page.goto(`${stage.url}/p/${project.id}/lab?path=popular`);
    await page.getByLabel('City or country').pressSequentially('Kaz');
    await page.locator('datalist option[value="Kazan"]').waitFor({ state: 'attached' });
  });

  it('asks about another endpoint after an invalid number in a field that this one lacks', async () => {
    const page = await open('?query=tram');
    const question = card(page, 'Question');
    await question.getByText('More settings').click();
    await question.getByLabel('Diversity, 0 to 1').fill('7');
    await question.getByRole('button', { name: /What to request/ }).click();
    await page.getByRole('option', { name: 'Search suggestions' }).click();
    await button(page, 'Ask').click();
    await expectAddress(page, /path=search%2Fsuggest/);
    await expectVisible(page.getByText('Tram number 1'));
  });

  it('shows completions of a query', async () => {
    const page = await open('?path=search%2Fsuggest&query=tram');
    await expectVisible(page.getByText('Tram number 1'));
  });

  it('says what to do if nothing is shown, and why a question failed', async () => {
    const nobody = await open('', empty);
    await expectVisible(nobody.getByText('Nothing to show'));
    const page = await open();
    await expectVisible(page.getByRole('link', { name: 'Tram number 3' }));
    stage.allow(/Failed to load resource.*500/);
    await page.route('**/output/preview', (route) =>
      route.fulfill({
        status: 500,
        json: { error: { code: 'internal', message: '' } },
      }),
    );
    await page.getByRole('textbox', { name: 'Person', exact: true }).fill('u-1');
    await button(page, 'Ask').click();
    await expectVisible(page.getByText('The server had an error.').first());
  });
});
