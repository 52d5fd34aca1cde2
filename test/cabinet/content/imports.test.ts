/** A file of items: dropped or chosen, followed to its end, with the faults line by line. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { createTestUser, type Person } from '../../api/support/people.ts';
import { createTestProject, type TestProject } from '../../api/support/testApi.ts';
import { runImports } from '../support/importWorker.ts';
import { expectAddress, expectVisible, holdRequests, openPalette, stageCabinet } from '../support/stage.ts';

const stage = stageCabinet();
let project: TestProject;
let owner: Person;
let viewer: Person;

beforeAll(async () => {
  const { pool } = stage.database;
  project = await createTestProject(pool);
  owner = await createTestUser(pool, 'owner', { projects: [project.id] });
  viewer = await createTestUser(pool, 'viewer', { projects: [project.id] });
});

const open = (person = owner, search = ''): Promise<Page> => stage.open(`/p/${project.id}/imports${search}`, person);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function choose(page: Page, name: string, content: string | Buffer, byKeyboard = false): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  if (byKeyboard) {
    await button(page, 'Choose a file').focus();
    await page.keyboard.press('Enter');
  } else await button(page, 'Choose a file').click();
  await (await chooser).setFiles({ name, mimeType: '', buffer: Buffer.from(content) });
}

/** Drops a file from a folder onto the page as a user does. */
async function drop(page: Page, target: Locator, path: string): Promise<void> {
  const box = await target.boundingBox();
  if (!box) throw new Error('there is nothing to drop a file on');
  const session = await page.context().newCDPSession(page);
  const at = { x: box.x + 10, y: box.y + 10, data: { items: [], files: [path], dragOperationsMask: 1 } };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...at });
}

const FAULTY = [
  'id,type,title,available',
  'one,text,The first,true',
  'two,film,The second,true',
  'three,text,The third,perhaps',
  ',text,Nameless,true',
].join('\n');

describe('a file', () => {
  it('with errors shows each with its line, field and reason, and is imported after it is fixed', async () => {
    const page = await open();
    await expectVisible(page.getByText('Nothing has been imported yet.'));
    await choose(page, 'items.csv', FAULTY, true);
    await expectVisible(page.getByText('The file has arrived and will be read in a moment.'));
    await runImports(stage.api);
    await expectVisible(page.getByText('Lines that were not written: 3'));
    const rows = page.getByRole('table', { name: 'Errors by line' }).getByRole('row');
    await expectVisible(rows.filter({ hasText: /3.*Allowed values: video, image.*type.*two/ }));
    await expectVisible(rows.filter({ hasText: /4.*Write true or false.*available.*three/ }));
    await expectVisible(rows.filter({ hasText: /5.*This field is required.*id/ }));
    await expectAddress(page, /\?file=/);

    await choose(
      page,
      'items.csv',
      FAULTY.replace('film', 'text').replace('perhaps', 'false').replace('\n,', '\nfour,'),
    );
    await expectVisible(page.getByText('The file has arrived and will be read in a moment.'));
    await runImports(stage.api);
    await expectVisible(page.getByText('All lines were written: 4'));
    const former = page.getByRole('table', { name: 'Earlier imports' });
    await expectVisible(former.getByText('Done, with errors'));
    await former.getByRole('link').nth(1).click();
    await expectVisible(page.getByText('Lines that were not written: 3'));
    const { rows: items } = await stage.database.pool.query('select id from items where project_id = $1 order by id', [
      project.id,
    ]);
    expect(items.map(({ id }) => id)).toEqual(['four', 'one', 'three', 'two']);
  });

  it('can be dropped, and dropping it outside the zone does no harm', async () => {
    const page = await open();
    await expectVisible(button(page, 'Choose a file'));
    const path = join(stage.api.config.workDir, 'items.jsonl');
    await writeFile(path, '{"id": "dropped", "type": "text", "title": "Dropped"}\n');
    await drop(page, page.getByRole('heading', { level: 1 }), path);
    await drop(page, page.getByText('Drop a file here'), path);
    await expectAddress(page, /\?file=/);
    await runImports(stage.api);
    await expectVisible(page.getByText('All lines were written: 1'));
  });

  it('is aborted if its header lacks a required field, with the faults column by column', async () => {
    const page = await open();
    await choose(page, 'items.csv', 'id;kind\none;text\n');
    await expectAddress(page, /\?file=/);
    await runImports(stage.api);
    await expectVisible(page.getByText('The file could not be read to the end'));
    await expectVisible(page.getByRole('row', { name: /1 The first line has to name this field\. type/ }));
    await expectVisible(page.getByRole('row', { name: /1 No field has this name.*kind/ }));
  });

  it.each([
    ['a workbook', Buffer.from('504b030414000600', 'hex'), /This is a workbook or an archive/],
    ['a list in JSON', '[{"id": "a"}]', /JSON, but not JSON Lines/],
    ['in another encoding', Buffer.from('id,type,title\na,text,\xd3\xf0\xee\xea', 'latin1'), /not in UTF-8/],
    ['empty', '', /This file is empty/],
  ])('is refused if it is %s', async (_name, content, sentence) => {
    const page = await open();
    await choose(page, 'file', content);
    await expectVisible(page.getByText(sentence));
  });

  it('shows the reason if the server refuses it', async () => {
    stage.allow(/Failed to load resource.*(413|422)/);
    const { pool } = stage.database;
    const other = await createTestProject(pool);
    await pool.query(
      `insert into import_uploads (project_id, id, expires_at) select $1, gen_random_uuid(), now() + interval '1 hour' from generate_series(1, 10)`,
      [other.id],
    );
    const page = await stage.open(`/p/${other.id}/imports`, await createTestUser(pool, 'admin'));
    await choose(page, 'items.csv', FAULTY);
    await expectVisible(page.getByText('Ten imports of this project are not finished yet.'));
    await page.route('**/imports', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 413, json: { error: { code: 'payload_too_large', message: '', details: [] } } })
        : route.continue(),
    );
    await choose(page, 'items.csv', FAULTY);
    await expectVisible(page.getByText('This is larger than allowed.'));
  });

  it('cannot be uploaded by a viewer, who is told why', async () => {
    const page = await open(viewer);
    await expectVisible(page.getByText('Only owners and administrators can do this.'));
    expect(await button(page, 'Choose a file').isDisabled()).toBe(true);
  });

  it('is not found if the project has none with its id', async () => {
    stage.allow(/Failed to load resource.*404/);
    const page = await open(owner, '?file=019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11');
    await expectVisible(page.getByText('There is nothing here, or you do not have access to it.'));
  });
});

it('a user who opens another page while a file is being sent stays there', async () => {
  const page = await open();
  const release = await holdRequests(page, '**/imports', 'POST');
  await choose(page, 'items.csv', 'id,type,title\none,text,The first');
  await expectVisible(page.getByText('items.csv').first());
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await expectVisible(page.getByText('No webhooks yet'));
  const sent = page.waitForResponse((response) => response.url().endsWith('/imports') && response.status() === 202);
  release();
  await sent;
  await openPalette(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expectAddress(page, /webhooks$/);
  await page.getByRole('link', { name: 'Import' }).click();
  await expectVisible(page.getByRole('row', { name: /CSV Waiting/ }).first());
});
