/** The pipeline of a project: from a failure to its items, and to a new analysis of all of them. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { rerunPage } from '../../../db/reruns/reruns.ts';
import { createTestUser, type Person } from '../../api/support/people.ts';
import { createTestProject, type TestProject } from '../../api/support/testApi.ts';
import { storeBusyPipeline } from '../support/pipeline.ts';
import { expectAddress, expectTrue, expectVisible, stageCabinet } from '../support/stage.ts';

const stage = stageCabinet();
let project: TestProject;
let owner: Person;
let viewer: Person;

beforeAll(async () => {
  const { pool } = stage.database;
  project = await createTestProject(pool);
  owner = await createTestUser(pool, 'owner', { projects: [project.id] });
  viewer = await createTestUser(pool, 'viewer', { projects: [project.id] });
  await storeBusyPipeline(pool, project.id);
});
beforeEach(() => stage.database.pool.query('delete from reruns'));

const open = (person = owner): Promise<Page> => stage.open(`/p/${project.id}/pipeline`, person);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const readReruns = async () =>
  (await stage.database.pool.query<{ id: string; filter: object }>('select id, filter from reruns')).rows;

async function doPages(): Promise<void> {
  for (const { id } of await readReruns())
    await rerunPage(stage.database.pool, project.id, id, { itemsPerSecond: 1, roundPauseMs: 0 });
}

describe('the pipeline', () => {
  it('leads from a failure to its items', async () => {
    const page = await open();
    await expectVisible(page.getByRole('row', { name: /The provider refused the content.*Summary.*failed.*2/ }));
    await expectVisible(page.getByRole('row', { name: /The lesson that waits.*Queued.*queued/ }));
    await expectVisible(page.getByRole('link', { name: '3 Partly ready' }));
    await expectVisible(page.getByText('5 came in, 4 finished; 3 of these failed'));
    await page.getByRole('link', { name: 'Items (2): The provider refused the content' }).click();
    await expectVisible(page.getByText('Only items that stopped at: Summary · The provider refused the content'));
    await expectVisible(page.getByText('Lesson refused-2'));
    expect(await page.getByText(/^Lesson/).count()).toBe(2);
    await button(page, 'Show all').click();
    await expectVisible(page.getByText('A fine lesson'));
    await expectAddress(page, /items$/);
  });

  it('reruns all items of a failure with only the keyboard, shows the progress, and stops it', async () => {
    const page = await open();
    await button(page, 'Run again: The provider refused the content').focus();
    await page.keyboard.press('Enter');
    await expectVisible(page.getByText('Items (2): The provider refused the content.'));
    await page.getByRole('dialog').getByRole('button', { name: 'Run again' }).focus();
    await page.keyboard.press('Enter');
    await expectVisible(page.getByText('Summary · The provider refused the content'));
    expect(await readReruns()).toMatchObject([
      { filter: { status: null, steps: ['summary'], code: 'provider_refused' } },
    ]);
    await doPages();
    await expectVisible(page.getByText(/5 checked, 2 queued/));
    await expectVisible(page.getByRole('listitem').getByText('finished', { exact: true }));
    await button(page, 'Analyse again').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).focus();
    await page.keyboard.press('Enter');
    await expectVisible(page.getByText('in progress', { exact: true }));
    // The dialog gives the focus back when it has closed, which would take it from the next button.
    await expectTrue(page, `document.activeElement.textContent === 'Analyse again'`);
    await button(page, 'Stop').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).focus();
    await page.keyboard.press('Enter');
    await expectVisible(page.getByText('stopped', { exact: true }));
  });

  it('says why a second run is refused', async () => {
    stage.allow(/Failed to load resource.*422/);
    await stage.database.pool.query(
      `insert into reruns (project_id, reason, filter) values ($1, 'request', '{"status": null, "steps": null}')`,
      [project.id],
    );
    const page = await open();
    await button(page, 'Analyse again').click();
    await button(page, 'Start').click();
    await expectVisible(page.getByText('Another run is in progress.'));
  });

  it('lets viewers look and tells them why they cannot start anything', async () => {
    const page = await open(viewer);
    await expectVisible(page.getByText('Only owners and administrators can do this.').first());
    expect(await button(page, 'Analyse again').isDisabled()).toBe(true);
    expect(await button(page, 'Run again: The quota with the provider is used up').isDisabled()).toBe(true);
  });

  it('says that items wait for volume', async () => {
    const { pool } = stage.database;
    const other = await createTestProject(pool);
    await pool.query(
      `insert into items (project_id, id, type, published_at, origin, available, revision, status, steps, created_at, updated_at)
       select $1, 'a', 'text', now(), 'api', true, 1, 'queued', jsonb_set(steps, '{summary}', '{"state": "waiting", "units": 3}'), now(), now()
         from items where project_id = $2 and id = 'waits'`,
      [other.id, project.id],
    );
    const page = await stage.open(`/p/${other.id}/pipeline`, await createTestUser(pool, 'admin'));
    await expectVisible(page.getByText('Items that wait for analysis volume: 1'));
  });

  it('of a project without items leads to sending the first one', async () => {
    const { pool } = stage.database;
    const other = await createTestProject(pool);
    const page = await stage.open(`/p/${other.id}/pipeline`, await createTestUser(pool, 'admin'));
    await expectVisible(page.getByText('Nothing has been analysed yet'));
    await expectVisible(page.getByRole('link', { name: 'Send the first item' }));
  });

  it('shows errors, and keeps its earlier contents', async () => {
    stage.allow(/Failed to load resource.*500/);
    const page = await open();
    await expectVisible(page.getByText('The lesson that waits'));
    await page.route('**/pipeline', (route) =>
      route.request().resourceType() === 'fetch'
        ? route.fulfill({
            status: 500,
            json: { error: { code: 'internal', message: '', request_id: 'r-1', details: [] } },
          })
        : route.continue(),
    );
    await expectVisible(page.getByText('The server had an error.'));
    await expectVisible(page.getByText('The lesson that waits'));
  });
});
