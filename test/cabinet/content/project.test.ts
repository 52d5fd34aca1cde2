/** The first page of a project: each card renders independently and links onwards. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTestUser, type Person } from '../../api/support/people.ts';
import { createTestProject, type TestProject } from '../../api/support/testApi.ts';
import { addWebhook } from '../../support/webhooks/webhooks.ts';
import { storeBusyPipeline } from '../support/pipeline.ts';
import { expectAddress, expectVisible, stageCabinet } from '../support/stage.ts';

const stage = stageCabinet();
let project: TestProject;
let owner: Person;

beforeAll(async () => {
  const { pool } = stage.database;
  project = await createTestProject(pool);
  owner = await createTestUser(pool, 'owner', { projects: [project.id] });
  await storeBusyPipeline(pool, project.id);
  const { webhookId } = await addWebhook(pool, project.id, 'https://hooks.example.com/attune');
  await pool.query('update webhooks set failing_since = now() where id = $1', [webhookId]);
  await pool.query('update projects set monthly_volume = 100 where id = $1', [project.id]);
});

const path = (): string => `/p/${project.id}`;

describe('the overview of a project', () => {
  it('is one step from home, and has links to the parts', async () => {
    const page = await stage.open('/', owner);
    await page.getByRole('link', { name: 'Project overview' }).click();
    await expectAddress(page, new RegExp(`${path()}$`));
    await expectVisible(page.getByRole('link', { name: '3 Partly ready' }));
    await expectVisible(page.getByRole('link', { name: /hooks\.example\.com.*Failing/ }));
    await expectVisible(page.getByRole('link', { name: /A fine lesson.*Ready/ }));
    await expectVisible(page.getByText('100', { exact: true }));
    expect(await page.getByRole('link', { name: 'Overview' }).getAttribute('aria-current')).toBe('page');
    await page.getByRole('link', { name: /Summary: The provider refused the content/ }).click();
    await expectVisible(page.getByText('Only items that stopped at: Summary · The provider refused the content'));
    expect(await page.getByRole('link', { name: 'Overview' }).getAttribute('aria-current')).toBeNull();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('link', { name: 'Go to the pipeline' }).click();
    await expectAddress(page, /pipeline$/);
  });

  it('shows the other cards if one fails', async () => {
    stage.allow(/Failed to load resource.*500/);
    const page = await stage.open('/', owner);
    await page.route('**/pipeline', (route) =>
      route.request().resourceType() === 'fetch'
        ? route.fulfill({ status: 500, json: { error: { code: 'internal', message: '', details: [] } } })
        : route.continue(),
    );
    await page.goto(`${stage.url}${path()}`);
    await expectVisible(page.getByText('The server had an error.'));
    await expectVisible(page.getByRole('link', { name: /A fine lesson/ }));
    await expectVisible(page.getByText('Volume of this month'));
  });

  it('says what to do next if the project is empty', async () => {
    const { pool } = stage.database;
    const other = await createTestProject(pool);
    const page = await stage.open(`/p/${other.id}`, await createTestUser(pool, 'admin'));
    await expectVisible(page.getByRole('link', { name: 'Send the first item' }));
    await expectVisible(page.getByRole('link', { name: 'Add a webhook' }));
    await page.getByRole('link', { name: 'Or import a file of items' }).click();
    await expectVisible(page.getByRole('button', { name: 'Choose a file' }));
  });

  it('is not found if the project belongs to another owner', async () => {
    stage.allow(/Failed to load resource.*404/);
    const other = await createTestProject(stage.database.pool);
    const page = await stage.open(`/p/${other.id}`, owner);
    await expectVisible(page.getByText('There is nothing here, or you do not have access to it.'));
  });
});
