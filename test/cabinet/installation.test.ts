/** The state of the installation and the audit trail, for its operators. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { storeProviderChecks, takeProviderCheckRequest } from '../../db/installation/providerChecks.ts';
import { writeServiceReport } from '../../db/installation/serviceReports.ts';
import { createTestUser, type Person } from '../api/support/people.ts';
import { createTestProject } from '../api/support/testApi.ts';
import { createTestSite } from '../api/support/testSite.ts';
import { eventually } from '../support/eventually.ts';
import { storeWork } from '../support/installationWork.ts';
import { describeControls } from './support/everyControl.ts';
import { describePages, type KnownPage } from './support/everyPage.ts';
import { answerOnce, expectAddress, expectVisible, stageCabinet } from './support/stage.ts';

const UI = 'https://temporal.example.com';
const stage = stageCabinet({ TEMPORAL_UI_URL: UI, TEMPORAL_NAMESPACE: 'attune', SELECTION_URLS: 'http://127.0.0.1:9' });
let admin: Person;
let owner: Person;
let viewer: Person;
let project: string;

beforeAll(async () => {
  const { pool } = stage.database;
  project = (await createTestProject(pool)).id;
  const site = (await createTestSite(pool)).id;
  await storeWork(pool, project, site);
  await pool.query(`update projects set title = 'Tram museum' where id = $1`, [project]);
  admin = await createTestUser(pool, 'admin');
  owner = await createTestUser(pool, 'owner', { projects: [project], sites: [site] });
  viewer = await createTestUser(pool, 'viewer', { projects: [project] });
});

describe('the providers of the analysis', () => {
  it('are described in plain words, and can be checked again', async () => {
    stage.allow(/Failed to load resource.*503/);
    const { pool } = stage.database;
    const check = { capability: 'summary' as const, model: 'local', code: 'provider_model_not_found', millis: 9 };
    await storeProviderChecks(pool, [{ ...check, state: 'fails' }]);
    const page = await stage.open('/installation', admin);
    await expectVisible(
      page.getByRole('row', {
        name: /Summary local Does not work The server has no model with this name\. \(.*\d:\d\d/,
      }),
    );
    const refusal = { status: 503, json: { error: { code: 'unavailable', message: 'x' } } };
    await answerOnce(page, '**/providers/check', (route) => route.fulfill(refusal));
    await page.getByRole('button', { name: 'Check them now' }).click();
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await expectVisible(page.getByText('They are being checked.'));
    expect(await takeProviderCheckRequest(pool)).toBe(true);
    await storeProviderChecks(pool, [{ ...check, state: 'works', code: null, millis: 1_200 }]);
    await expectVisible(page.getByRole('row', { name: /Summary local Works Answered in 1 sec/ }));
    await page.getByText('They are being checked.').waitFor({ state: 'detached' });
  });

  it('are described by what they do if they are built in, and by the files that they lack', async () => {
    const { pool } = stage.database;
    const check = { model: 'local', state: 'builtin', code: null, millis: null } as const;
    await storeProviderChecks(pool, [
      { capability: 'speech', ...check },
      { capability: 'vision', ...check, code: 'russian_ocr_missing' },
      { capability: 'embedding', ...check, state: 'works', code: 'voice_files_missing', millis: 1_200 },
      { capability: 'summary', ...check, state: 'fails', code: 'provider_unsupported' },
      { capability: 'moderation', ...check, state: 'fails', code: 'provider_unsupported' },
    ]);
    const page = await stage.open('/installation', admin);
    for (const name of [
      /Speech local Built in Reads subtitles; recognises no speech\./,
      /Pictures local Built in Reads text .* not say what they show\. The data for Russian text is missing \(TESSDATA_DIRS\)/,
      /Vectors local Works Answered in 1 sec .*\)\. The files for voice detection are missing/,
      /Summary local Does not work The model cannot chat, or the server can only stream its answers\. \(/,
      /Moderation local Does not work The server does not moderate\. The built-in lexicon does it instead\. \(/,
    ])
      await expectVisible(page.getByRole('row', { name }));
    await pool.query('delete from provider_checks');
  });
});

describe('a check of the providers', () => {
  it('shows which servers have not answered yet, and can be repeated meanwhile', async () => {
    const { pool } = stage.database;
    const check = { model: 'local', state: 'works', code: null, millis: 5 } as const;
    await storeProviderChecks(pool, [
      { capability: 'summary', ...check },
      { capability: 'vision', ...check },
    ]);
    const page = await stage.open('/installation', admin);
    const button = page.getByRole('button', { name: 'Check them now' });
    const rowOf = (text: RegExp) => page.getByRole('row', { name: text });
    await expectVisible(rowOf(/Pictures local Works/));
    await button.click();
    await expectVisible(rowOf(/Pictures local Being checked/));
    expect(await takeProviderCheckRequest(pool)).toBe(true);
    await storeProviderChecks(pool, [{ capability: 'summary', ...check, millis: 6 }]);
    await expectVisible(rowOf(/Summary local Works/));
    await expectVisible(rowOf(/Pictures local Being checked/));
    await button.click();
    await eventually(() => takeProviderCheckRequest(pool), 'another request');
    await storeProviderChecks(pool, [
      { capability: 'summary', ...check },
      { capability: 'vision', ...check },
    ]);
    await expectVisible(rowOf(/Pictures local Works/));
    await page.getByText('They are being checked.').waitFor({ state: 'detached' });
  });
});

describe('the installation', () => {
  it('shows what is unavailable, and links work to its workflow', async () => {
    const { pool } = stage.database;
    await writeServiceReport(pool, 'relay', { temporalReachable: false, temporalVersion: '1.30.0' });
    // A report counts for half a minute, which this test may outlast.
    await pool.query(`update service_reports set updated_at = now() + interval '1 hour' where service = 'relay'`);
    const page = await stage.open('/', admin);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Installation' }).click();
    await expectAddress(page, `${stage.url}/installation`);
    await expectVisible(page.getByRole('row', { name: /Temporal Unreachable Version 1.30.0/ }));
    await expectVisible(page.getByRole('row', { name: /Recommendations and search 127.0.0.1:9 Unreachable/ }));
    await expectVisible(page.getByRole('row', { name: /PostgreSQL OK/ }));
    const row = page.getByRole('row', { name: /Item analysis/ });
    const link = row.getByRole('link', { name: `item/${project}/waits, in Temporal` });
    expect(await link.getAttribute('href')).toBe(`${UI}/namespaces/attune/workflows/item%2F${project}%2Fwaits`);
  });

  it('keeps the previous state if a request fails, and says so', async () => {
    stage.allow(/500/);
    const page = await stage.open('/installation', admin);
    await expectVisible(page.getByRole('row', { name: /PostgreSQL/ }));
    await page.route('**/cabinet/api/installation', (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'x' } } }),
    );
    await expectVisible(page.getByRole('alert').getByText('The server had an error.'));
    await expectVisible(page.getByRole('row', { name: /PostgreSQL/ }));
  });

  it('shows ids to copy if the address of Temporal is not set', async () => {
    const page = await stage.open('/account', admin);
    const answer = await page.request.get(`${stage.url}/api/installation`);
    const body = (await answer.text()).replaceAll(/"workflow_url":"[^"]*"/g, '"workflow_url":null');
    // Read once, because the page reads its state again and again, even while the test ends.
    await page.route('**/cabinet/api/installation', (route) =>
      route.fulfill({ contentType: 'application/json', body }),
    );
    await page.goto(`${stage.url}/installation`);
    await expectVisible(page.getByRole('button', { name: `Copy the id: item/${project}/waits` }));
    expect(await page.getByRole('link', { name: /in Temporal/ }).count()).toBe(0);
  });

  it('is closed to owners, who are told why', async () => {
    const page = await stage.open('/installation', owner);
    await expectVisible(page.getByText('Only administrators can see the state of the installation.'));
    await page.getByRole('button', { name: 'Account' }).click();
    expect(await page.getByRole('menuitem', { name: /Installation/ }).getAttribute('aria-disabled')).toBe('true');
  });
});

describe('the audit trail', () => {
  it('is filtered by operation, person and time, with all filters in the address', async () => {
    const change = await stage.open(`/p/${project}/settings`, owner);
    await change.getByLabel('Title').fill('Tram museum, renewed');
    await change.getByRole('button', { name: 'Save' }).first().click();
    await expectVisible(change.getByText('Saved.'));
    const page = await stage.open('/sign-in');
    await page.goto(await stage.signInUrl(admin));
    await expectAddress(page, `${stage.url}/`);
    await page.goto(`${stage.url}/installation/audit`);
    await page.getByRole('link', { name: 'patchProject' }).first().click();
    await expectAddress(page, /operation=patchProject/);
    const row = page.getByRole('row', { name: /patchProject/ });
    await expectVisible(row.getByText('title'));
    await row.getByRole('link', { name: owner.email }).click();
    await expectAddress(page, new RegExp(`user=${owner.id}`));
    await expectVisible(page.getByText(`Only by ${owner.email}`));
    await page.getByRole('button', { name: /Time/ }).click();
    await page.getByRole('option', { name: 'Last 24 hours' }).click();
    await expectAddress(page, /period=day/);
    const search = page.getByRole('searchbox', { name: 'Operation, such as patchProject' });
    await search.fill('deleteWebhook');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Show all' }).click();
    await expectAddress(page, `${stage.url}/installation/audit`);
    // The address changes before the field is emptied.
    await eventually(async () => (await search.inputValue()) === '', 'an empty field');
    await search.fill('patch project');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Show all' }).click();
    await expectAddress(page, `${stage.url}/installation/audit`);
    await expectVisible(page.getByRole('row', { name: /signIn/ }).first());
  });

  it('shows owners their part, and tells viewers why they see nothing', async () => {
    const own = await stage.open('/installation/audit', owner);
    await expectVisible(own.getByRole('row', { name: /patchProject/ }));
    expect(await own.getByText(admin.email).count()).toBe(0);
    const none = await stage.open('/installation/audit', viewer);
    await expectVisible(none.getByText('Only owners and administrators can see the changes.'));
  });
});

const PAGES: KnownPage[] = [
  { name: 'installation', path: () => '/installation', sign: 'table', person: () => admin },
  { name: 'audit', path: () => '/installation/audit', sign: 'table', person: () => admin },
];

describePages(stage, PAGES);
describeControls(stage, { pages: PAGES, viewer: () => viewer, part: 'installation' });
