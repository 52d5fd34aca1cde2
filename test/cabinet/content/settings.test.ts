/** The settings of a project: keys, descriptions of events and items, and the limits. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTestUser, type Person } from '../../api/support/people.ts';
import { clientOf, createTestProject, type TestProject } from '../../api/support/testApi.ts';
import { findProject } from '../../../db/accounts/projects.ts';
import { violationsOf } from '../support/axe.ts';
import { expectAddress, expectVisible, holdRequests, stageCabinet } from '../support/stage.ts';

const stage = stageCabinet({ PROVIDER_PRICES: '{"currency": "EUR", "models": {"gpt-4o-mini": {"input": 0.15}}}' });
let project: TestProject;
let owner: Person;

beforeAll(async () => {
  project = await createTestProject(stage.database.pool);
  owner = await createTestUser(stage.database.pool, 'owner', { projects: [project.id] });
});

const path = (): string => `/p/${project.id}/settings`;

describe('a key', () => {
  it('is shown once, works, and stops working once it is revoked', async () => {
    const page = await stage.open(path(), owner);
    await page.getByRole('button', { name: 'New key' }).click();
    const form = page.getByRole('dialog', { name: 'New key' });
    await form.getByLabel('Name').fill('Shop server');
    await form.getByRole('button', { name: 'New key' }).click();
    await expectVisible(page.getByText('It is shown only once.'));
    const key = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
    const ask = () => clientOf(stage.api.content, key)('GET', '/items');
    expect((await ask()).status).toBe(200);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    const row = page.getByRole('row', { name: /Shop server/ });
    await expectVisible(row);
    expect(await page.getByText(key).count()).toBe(0);
    await row.getByRole('button', { name: 'Revoke Shop server' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await expectVisible(row.getByText('Revoked'));
    expect((await ask()).status).toBe(401);
  });

  it('without a name is refused at its field, with only the keyboard', async () => {
    const page = await stage.open(path(), owner);
    await page.getByRole('button', { name: 'New key' }).focus();
    await page.keyboard.press('Enter');
    await expectVisible(page.getByRole('dialog').locator('input:focus'));
    await page.keyboard.press('Enter');
    await expectVisible(page.getByRole('dialog').getByText('This field is required.'));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

it('a key is created once if Enter is pressed twice', async () => {
  const page = await stage.open(path(), owner);
  const release = await holdRequests(page, '**/keys', 'POST');
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Pressed twice');
  await page.keyboard.press('Enter');
  await page.locator('[role=dialog] [data-pending]').waitFor();
  await page.keyboard.press('Enter');
  release();
  await expectVisible(page.getByText('It is shown only once.'));
  await page.waitForLoadState('networkidle');
  const { rows } = await stage.database.pool.query(`select 1 from project_keys where name = 'Pressed twice'`);
  expect(rows.length).toBe(1);
});

describe('the analysis', () => {
  it('gets a language and topics', async () => {
    const page = await stage.open(path(), owner);
    const card = page.getByRole('region', { name: 'Analysis' });
    await card.getByRole('button', { name: /Language of summaries/ }).click();
    await page.getByRole('option', { name: 'Kazakh' }).click();
    await card.getByLabel('Topics to choose from').fill('Health\n\n Science \nHealth');
    await card.getByRole('button', { name: 'Save' }).click();
    await expectVisible(card.getByText('Saved.'));
    expect(await findProject(stage.database.pool, project.id)).toMatchObject({
      language: 'kk',
      topics: ['Health', 'Science'],
    });
  });
});

describe('the project', () => {
  it('gets a title from its owner, and limits only from an administrator', async () => {
    const page = await stage.open(path(), owner);
    await page.getByLabel('Title').fill('The museum');
    expect(await page.getByLabel('Requests per second').isDisabled()).toBe(true);
    await page.getByRole('region', { name: 'Project' }).getByRole('button', { name: 'Save' }).click();
    await expectVisible(page.getByText('Saved.'));
    await expectVisible(page.getByRole('button', { name: 'Project or site The museum' }));
    const admin = await stage.open(path(), await createTestUser(stage.database.pool, 'admin'));
    await admin.getByLabel('Requests per second').fill('0');
    await admin.getByRole('region', { name: 'Project' }).getByRole('button', { name: 'Save' }).click();
    await expectVisible(admin.getByText('A whole number of 1 or more.'));
    await admin.getByLabel('Requests per second').fill('7');
    await admin.getByLabel('Units of analysis per month').fill('500');
    await admin.getByRole('region', { name: 'Project' }).getByRole('button', { name: 'Save' }).click();
    await expectVisible(admin.getByText('Saved.'));
    const { rows } = await stage.database.pool.query('select title, limits from projects where id = $1', [project.id]);
    expect(rows).toMatchObject([{ title: 'The museum', limits: { requests_per_second: 7 } }]);
  });
});

it('settings that others have changed meanwhile are kept', async () => {
  const page = await stage.open(path(), owner);
  await expectVisible(page.getByLabel('Title'));
  await stage.database.pool.query(`update projects set title = 'Renamed', topics = '{Rails}' where id = $1`, [
    project.id,
  ]);
  const analysis = page.getByRole('region', { name: 'Analysis' });
  await analysis.getByRole('button', { name: /Language of summaries/ }).click();
  await page.getByRole('option', { name: 'Uzbek' }).click();
  await analysis.getByRole('button', { name: 'Save' }).click();
  await expectVisible(analysis.getByText('Saved.'));
  const general = page.getByRole('region', { name: 'Project' });
  await general.getByText('Also recognise people by the fingerprint').click();
  await general.getByRole('button', { name: 'Save' }).click();
  await expectVisible(general.getByText('Saved.'));
  expect(await findProject(stage.database.pool, project.id)).toMatchObject({
    title: 'Renamed',
    topics: ['Rails'],
    language: 'uz',
    fingerprints: true,
  });
});

describe('event types and properties', () => {
  it('cannot be created with a code or name that is taken', async () => {
    const page = await stage.open(path(), owner);
    await page.getByRole('button', { name: 'New event type' }).click();
    await page.getByLabel('Code').fill('view');
    await page.getByRole('dialog').getByLabel('Title').fill('Mine');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expectVisible(page.getByRole('dialog').getByText('There is already an event type with this code.'));
    await page.keyboard.press('Escape');
    await stage.database.pool.query(
      `insert into item_properties (project_id, name, type, filterable) values ($1, 'price', 'number', true)`,
      [project.id],
    );
    await page.reload();
    await expectVisible(page.getByRole('row', { name: /price/ }));
    await page.getByRole('button', { name: 'New property' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('price');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expectVisible(page.getByRole('dialog').getByText('There is already a property with this name.'));
  });

  it('keep what others have changed meanwhile', async () => {
    const { pool } = stage.database;
    await pool.query(
      `insert into item_properties (project_id, name, type, filterable) values ($1, ' age ', 'string', false)`,
      [project.id],
    );
    const page = await stage.open(path(), owner);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Change Share' }).click();
    await dialog.getByLabel('Title').fill('Sent on');
    await pool.query(`update event_types set weight = 7, is_goal = true where project_id = $1 and code = 'share'`, [
      project.id,
    ]);
    await dialog.getByText('Hides the item').click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expectVisible(page.getByRole('row', { name: /^Sent on share .* 7 Goal, Hides the item On/ }));
    await page.getByRole('button', { name: 'Change age' }).click();
    await pool.query(`update item_properties set type = 'number' where name = ' age '`);
    await dialog.getByText('Can be used as a filter').click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expectVisible(page.getByRole('row', { name: /^age Number Yes/ }));
    const { rows } = await pool.query(`delete from item_properties where name like '%age%' returning name`);
    expect(rows).toEqual([{ name: ' age ' }]);
  });

  it('are refused if somebody else has taken their code or name meanwhile', async () => {
    const { pool } = stage.database;
    const page = await stage.open(path(), owner);
    await page.getByRole('button', { name: 'New property' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('colour');
    await pool.query(
      `insert into item_properties (project_id, name, type, filterable) values ($1, 'colour', 'number', false)`,
      [project.id],
    );
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expectVisible(dialog.getByText('There is already a property with this name.'));
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'New event type' }).click();
    await page.getByLabel('Code').fill('rating');
    await dialog.getByLabel('Title').fill('Mine');
    await pool.query(
      `insert into event_types (project_id, code, title, mode, weight, value_kind) values ($1, 'rating', 'Theirs', 'fact', 1, 'none')`,
      [project.id],
    );
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expectVisible(dialog.getByText('There is already an event type with this code.'));
    await expectVisible(page.getByRole('row', { name: /colour Number No/, includeHidden: true }));
    await expectVisible(page.getByRole('row', { name: /Theirs rating/, includeHidden: true }));
  });

  it('are created, with faults shown at their fields', async () => {
    const page = await stage.open(path(), owner);
    await page.getByRole('button', { name: 'New event type' }).click();
    await expectVisible(page.getByRole('dialog'));
    expect(await violationsOf(page)).toEqual([]);
    await page.getByLabel('Code').fill('subscribe now');
    await page.getByRole('dialog').getByLabel('Title').fill('Subscription');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expectVisible(
      page.getByRole('dialog').getByText('Letters, digits and . _ : -, at most 64.', { exact: true }),
    );
    await page.getByLabel('Code').fill('subscribe');
    await page.getByRole('dialog').getByText('Goal').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expectVisible(page.getByRole('row', { name: /Subscription subscribe Every event 1 Goal On/ }));
    await page.getByRole('button', { name: 'New property' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('level');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expectVisible(page.getByRole('row', { name: /level Text Yes/ }));
  });
});

describe('the volume', () => {
  it('of a month is shown by day', async () => {
    const { pool } = stage.database;
    await pool.query(`insert into analysis_volume (project_id, month, used) values ($1, '2026-05-01', 40)`, [
      project.id,
    ]);
    await pool.query(`update analysis_volume set used = used + 20 where project_id = $1`, [project.id]);
    await pool.query(`update analysis_volume_days set day = '2026-05-30' where project_id = $1`, [project.id]);
    await pool.query(
      `insert into analysis_usage (project_id, item_id, step, capability, provider, model, input_tokens, created_at)
       values ($1, 'a', 'summary', 'summary', 'openai', 'gpt-4o-mini', 4000000, '2026-05-20'),
              ($1, 'a', 'summary', 'moderation', 'openai', 'moderator', null, '2026-05-20')`,
      [project.id],
    );
    const page = await stage.open(`${path()}?month=2026-05`, owner);
    const chart = page.getByRole('slider', { name: 'Units by day' });
    await chart.focus();
    await page.keyboard.press('ArrowLeft');
    expect(await chart.getAttribute('aria-valuetext')).toBe('May 30, Used: 20');
    await expectVisible(page.getByText(/Units that cannot be shown by day.*: 40/));
    await expectVisible(page.getByRole('row', { name: /Summary.*gpt-4o-mini.*€0\.60/ }));
    await expectVisible(page.getByRole('row', { name: /Moderation.*moderator.*—/ }));
    await expectVisible(page.getByText('Calls that are not, or not fully, included in the cost: 1.'));
  });

  it('of another month is selected by the address', async () => {
    const page = await stage.open(`${path()}?month=2026-03`, owner);
    await expectVisible(page.getByRole('button', { name: /March 2026/ }));
    await page.goto(`${stage.url}${path()}?month=sometime`);
    await expectAddress(page, /settings$/);
  });
});
