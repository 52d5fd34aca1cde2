/** Every page of sites meets the requirements of everyPage.ts and everyControl.ts. */
import { randomUUID } from 'node:crypto';
import { beforeAll } from '@jest/globals';
import { updateSite } from '../../../db/sites/sites.ts';
import { createTestUser, type Person } from '../../api/support/people.ts';
import { createTestSite, type TestSite } from '../../api/support/testSite.ts';
import { describeControls } from '../support/everyControl.ts';
import { describePages, type KnownPage } from '../support/everyPage.ts';
import { record, shopSession, told } from '../support/recorded.ts';
import { openShop } from '../support/samples/shop.ts';
import { stageCabinet } from '../support/stage.ts';

const HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';

const stage = stageCabinet({}, { hasReports: true });
let site: TestSite;
let empty: TestSite;
let owner: Person;
let viewer: Person;
let recording: string;
let visitor: string;
let buyer: string;

beforeAll(async () => {
  const { pool } = stage.database;
  site = await openShop(stage.reports, pool);
  empty = await createTestSite(pool);
  owner = await createTestUser(pool, 'owner', { sites: [site.id, empty.id] });
  viewer = await createTestUser(pool, 'viewer', { sites: [site.id, empty.id] });
  // A path without a line-break opportunity, and one that tries to inject markup.
  for (const path of ['ThisPathHasNoPlaceToBreakIt'.repeat(8), encodeURIComponent(HOSTILE)])
    await stage.reports.tell(site.id, randomUUID(), [{ at: Date.now(), url: `https://shop.example/${path}` }]);
  await stage.reports.settled();
  await updateSite(pool, site.id, { recordings: true });
  const session = [...shopSession(), told(50_000, 'svc-click', { selector: HOSTILE })];
  ({ recordingId: recording, visitorId: visitor } = await record({ origin: stage.api.origin, pool }, site, session));
  const { rows } = await pool.query<{ id: string }>('select visitor_id as id from site_orders where site_id = $1', [
    site.id,
  ]);
  buyer = rows[0]?.id ?? '';
});

const signedIn = () => owner;

const PAGES: KnownPage[] = [
  { name: 'overview', path: () => `/s/${site.id}?compare=previous&country=RU`, sign: 'main li b', person: signedIn },
  { name: 'overview of an empty site', path: () => `/s/${empty.id}`, sign: '[role=alert], strong', person: signedIn },
  { name: 'reports', path: () => `/s/${site.id}/reports`, sign: 'main li', person: signedIn },
  {
    name: 'a report',
    path: () => `/s/${site.id}/report?by=["page_path"]&compare=previous`,
    sign: 'td',
    person: signedIn,
  },
  { name: 'a report of no visits', path: () => `/s/${empty.id}/report`, sign: 'strong', person: signedIn },
  { name: 'segments', path: () => `/s/${site.id}/segments`, sign: 'main strong', person: signedIn },
  { name: 'a segment', path: () => `/s/${site.id}/segments/new`, sign: 'fieldset', person: signedIn },
  { name: 'goals', path: () => `/s/${site.id}/goals`, sign: 'td', person: signedIn },
  { name: 'no goals', path: () => `/s/${empty.id}/goals`, sign: 'pre', person: signedIn },
  { name: 'a goal', path: () => `/s/${site.id}/goal`, sign: 'form button', person: signedIn },
  { name: 'exports', path: () => `/s/${site.id}/exports`, sign: 'strong', person: signedIn },
  { name: 'live', path: () => `/s/${site.id}/live`, sign: 'main li', person: signedIn },
  { name: 'recordings', path: () => `/s/${site.id}/recordings`, sign: 'td', person: signedIn },
  { name: 'no recordings', path: () => `/s/${empty.id}/recordings`, sign: 'main section a', person: signedIn },
  {
    name: 'a recording',
    path: () => `/s/${site.id}/recordings/${recording}`,
    sign: 'main ol button',
    person: signedIn,
  },
  { name: 'settings of a site', path: () => `/s/${site.id}/settings`, sign: 'td', person: signedIn },
  { name: 'visitors', path: () => `/s/${site.id}/visitors`, sign: 'td', person: signedIn },
  { name: 'no visitors', path: () => `/s/${empty.id}/visitors`, sign: 'main section strong', person: signedIn },
  { name: 'a visitor', path: () => `/s/${site.id}/visitors/${buyer}`, sign: 'td', person: signedIn },
  {
    name: 'a visitor without visits',
    path: () => `/s/${site.id}/visitors/${visitor}`,
    sign: 'strong',
    person: signedIn,
  },
];

describePages(stage, PAGES);
describeControls(stage, { pages: PAGES, viewer: () => viewer, part: 'sites' });
