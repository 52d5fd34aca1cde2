import { beforeAll, describe, expect, it } from '@jest/globals';
import type { SitePatch } from '../../../../api/cabinet/sites/siteFields.ts';
import { loadSiteSettings } from '../../../../db/sites/siteSettings.ts';
import type { Static } from '../../../../domain/schemas/schema.ts';
import { DEFAULT_ROBOT_RULES } from '../../../../domain/sites/robotRules.ts';
import { eventually } from '../../../support/eventually.ts';
import { createTestUser, tokenOf } from '../../support/people.ts';
import { stageApi } from '../../support/stageApi.ts';
import { clientOf, createTestToken, type Client } from '../../support/testApi.ts';
import { createTestSite } from '../../support/testSite.ts';
import { DEFAULT_QUOTAS } from '../../../../domain/sites/siteQuotas.ts';
import { DEFAULT_SITE_LIMITS } from '../../../../domain/sites/siteLimits.ts';

const NEW = { title: 'Магазин', hosts: ['shop.example.com'], timezone: 'Europe/Moscow', currency: 'RUB' };
const UNKNOWN = 'zzzzzzzzzzzz';
/** A new value for every field that can be changed. */
const CHANGES: Record<keyof Static<typeof SitePatch>, unknown> = {
  title: 'Другой',
  hosts: ['*'],
  ignored_referrers: ['pay.test'],
  timezone: 'Asia/Yekaterinburg',
  currency: 'USD',
  state: 'blocked',
  owner_state: 'blocked',
  rates: { EUR: 1.1, KZT: 0.002 },
  quotas: { ...DEFAULT_QUOTAS, goals: 3 },
  limits: { ...DEFAULT_SITE_LIMITS, requests_per_second: 7 },
  robots: { ...DEFAULT_ROBOT_RULES, frequency: false },
  fingerprints: true,
  recordings: true,
  mask_texts: true,
  honour_gpc: false,
  identity_secret: 'a secret of the site',
  require_user_hash: true,
  network: { enabled: true, sensitive_topics: false },
};

const stage = stageApi();
let admin: Client;

beforeAll(async () => {
  admin = clientOf(stage.api.cabinet, await createTestToken(stage.database.pool));
});

async function newSite(client: Client = admin): Promise<string> {
  const { status, body } = await client('POST', '/sites', NEW);
  expect(status).toBe(201);
  return body.id;
}

async function newOwner(sites: string[] = []): Promise<Client> {
  return clientOf(
    stage.api.cabinet,
    await tokenOf(stage.database.pool, await createTestUser(stage.database.pool, 'owner', { sites })),
  );
}

describe('sites', () => {
  // proves: decisions-cabinet-calls/sites, decisions-cabinet-calls/site-new, decisions-cabinet-calls/site
  it('are created with the documented defaults, read, changed and listed', async () => {
    const created = await admin('POST', '/sites', {
      ...NEW,
      hosts: ['Shop.Example.com', '*.пример.рф', 'shop.example.com'],
    });
    expect(created).toMatchObject({
      status: 201,
      body: {
        ...NEW,
        hosts: ['shop.example.com', '*.xn--e1afmkfd.xn--p1ai'],
        state: 'active',
        owner_state: 'active',
        rates: {},
        quotas: DEFAULT_QUOTAS,
        limits: DEFAULT_SITE_LIMITS,
        robots: DEFAULT_ROBOT_RULES,
        fingerprints: false,
        recordings: false,
        mask_texts: false,
        honour_gpc: true,
        has_identity_secret: false,
        require_user_hash: false,
        network: { enabled: false, sensitive_topics: false },
      },
    });
    const { id } = created.body;
    expect(id).toMatch(/^[a-z0-9]{12}$/);
    expect((await admin('GET', `/sites/${id}`)).body).toEqual(created.body);
    expect((await admin('GET', '/sites?limit=500')).body.items).toContainEqual(created.body);
  });

  // proves: analytics-limits/writes-rate, analytics-limits/reads-rate, analytics-limits/reports-rate
  // proves: report-limits/favourites, quotas/hits, quotas/recordings, quotas/hits-retention
  // proves: quotas/recordings-retention
  // proves: decisions-analytics/quotas, decisions-analytics/limits
  // proves: decisions-cabinet/site-limits
  it('begin with the documented quotas and limits, number by number', async () => {
    const { body } = await admin('GET', `/sites/${await newSite()}`);
    expect(body).toMatchObject({
      quotas: {
        hits_per_day: 1_000_000,
        recordings_per_day: 1_000,
        recording_mb_per_day: 4_096,
        recording_mb_per_address: 512,
        retention_months: 13,
        recording_days: 15,
        favourites: 100,
        goals: 200,
      },
      limits: { requests_per_second: 20, output_per_second: 50, reports_simultaneous: 2, reports_per_minute: 60 },
    });
  });

  // proves: decisions-cabinet-calls/site-changed
  it.each(Object.entries(CHANGES))(
    'can be changed in one field alone, which takes effect: %s',
    async (field, value) => {
      const id = await newSite();
      const before = (await admin('GET', `/sites/${id}`)).body;
      const settings = await loadSiteSettings(stage.database.pool, [id]);
      const shown = field === 'identity_secret' ? { has_identity_secret: true } : { [field]: value };
      const { status, body } = await admin('PATCH', `/sites/${id}`, { [field]: value });
      expect([status, body]).toEqual([200, { ...before, ...shown }]);
      expect((await admin('GET', `/sites/${id}`)).body).toEqual(body);
      if (field !== 'title') expect(await loadSiteSettings(stage.database.pool, [id])).not.toEqual(settings);
    },
  );

  // proves: quotas/changeable, quotas/recordings-retention
  // proves: decisions-analytics/network
  // proves: decisions-cabinet/site-limits, decisions-cabinet-calls/site-changed
  it('merge quotas, limits, robots and network; null resets a value to its default', async () => {
    const id = await newSite();
    await admin('PATCH', `/sites/${id}`, {
      quotas: { hits_per_day: 5, goals: 3 },
      limits: { requests_per_second: 7, output_per_second: 8, reports_simultaneous: 3, reports_per_minute: 9 },
      robots: { frequency: false },
      network: { enabled: true },
    });
    const changed = await admin('PATCH', `/sites/${id}`, {
      quotas: { goals: null, favourites: 1, recording_days: 90 },
      limits: { requests_per_second: null },
      robots: { user_agents: false },
      network: { sensitive_topics: true },
    });
    expect(changed.body).toMatchObject({
      quotas: { ...DEFAULT_QUOTAS, hits_per_day: 5, favourites: 1, recording_days: 90 },
      limits: { ...DEFAULT_SITE_LIMITS, output_per_second: 8, reports_simultaneous: 3, reports_per_minute: 9 },
      robots: { ...DEFAULT_ROBOT_RULES, frequency: false, user_agents: false },
      network: { enabled: true, sensitive_topics: true },
    });
  });

  // proves: analytics-decisions/ignored_referrers
  it('list the referrers to be ignored, none at first', async () => {
    const { id, ignored_referrers: first } = (await admin('POST', '/sites', { ...NEW })).body;
    expect(first).toEqual([]);
    const given = { ignored_referrers: ['Оплата.рф', '*.Pay.example', 'pay.example', 'pay.example'] };
    const changed = await admin('PATCH', `/sites/${id}`, given);
    expect(changed.body.ignored_referrers).toEqual(['xn--80aa5alfu.xn--p1ai', '*.pay.example', 'pay.example']);
    expect((await admin('PATCH', `/sites/${id}`, { title: 'x' })).body.ignored_referrers).toHaveLength(3);
    expect((await admin('PATCH', `/sites/${id}`, { ignored_referrers: [] })).body.ignored_referrers).toEqual([]);
  });

  it('replace rates and hosts as a whole', async () => {
    const id = await newSite();
    await admin('PATCH', `/sites/${id}`, { rates: { USD: 80, EUR: 90 } });
    expect((await admin('PATCH', `/sites/${id}`, { rates: { USD: 81 }, hosts: ['b.test'] })).body).toMatchObject({
      hosts: ['b.test'],
    });
    expect((await admin('GET', `/sites/${id}`)).body.rates).toEqual({ USD: 81 });
  });

  it.each<[object, string, string]>([
    [{ title: '' }, 'title', 'invalid_value'],
    [{ title: null }, 'title', 'invalid_type'],
    [{ hosts: [] }, 'hosts', 'invalid_value'],
    [{ hosts: Array.from({ length: 101 }, (_, index) => `${index}.test`) }, 'hosts', 'too_long'],
    [{ hosts: ['a.test', 'https://a.test'] }, 'hosts[1]', 'invalid_value'],
    [{ hosts: [5] }, 'hosts[0]', 'invalid_type'],
    [{ ignored_referrers: ['*'] }, 'ignored_referrers[0]', 'invalid_value'],
    [{ ignored_referrers: ['https://pay.test/'] }, 'ignored_referrers[0]', 'invalid_value'],
    [{ ignored_referrers: [5] }, 'ignored_referrers[0]', 'invalid_type'],
    [{ ignored_referrers: 'pay.test' }, 'ignored_referrers', 'invalid_type'],
    [{ hosts: ['a\u0000.test'] }, 'hosts[0]', 'invalid_value'],
    [{ timezone: 'Moscow' }, 'timezone', 'invalid_value'],
    [{ timezone: '+03:00' }, 'timezone', 'invalid_value'],
    [{ currency: 'rub' }, 'currency', 'invalid_value'],
    [{ rates: { usd: 1 } }, 'rates', 'invalid_value'],
    [{ rates: { USD: 0 } }, 'rates.USD', 'invalid_value'],
    [{ rates: { USD: '1' } }, 'rates.USD', 'invalid_type'],
    [{ state: 'gone' }, 'state', 'invalid_value'],
    [{ quotas: { hits_per_day: 1.5 } }, 'quotas.hits_per_day', 'invalid_type'],
    // proves: quotas/recordings-retention
    [{ quotas: { recording_days: 91 } }, 'quotas.recording_days', 'invalid_value'],
    [{ quotas: { hits: 1 } }, 'quotas.hits', 'unknown_field'],
    [{ limits: { requests_per_second: 0 } }, 'limits.requests_per_second', 'invalid_value'],
    [{ robots: { frequency: 'no' } }, 'robots.frequency', 'invalid_type'],
    [{ robots: { frequency: null } }, 'robots.frequency', 'invalid_type'],
    [{ network: { on: true } }, 'network.on', 'unknown_field'],
    [{ id: 'x' }, 'id', 'unknown_field'],
  ])('refuse %j', async (body, field, code) => {
    const answer = await admin('PATCH', `/sites/${UNKNOWN}`, body);
    expect(answer).toMatchObject({ status: 422, body: { error: { details: [{ field, code }] } } });
  });

  // proves: decisions-cabinet-calls/site-new
  it('cannot be created without the required fields', async () => {
    const { status, body } = await admin('POST', '/sites', {});
    expect([
      status,
      body.error.details.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`).toSorted(),
    ]).toEqual([422, ['currency required', 'hosts required', 'timezone required', 'title required']]);
  });

  // proves: decisions-cabinet-calls/site
  it('answer 404 if unknown and 400 if the id is malformed', async () => {
    expect((await admin('GET', `/sites/${UNKNOWN}`)).status).toBe(404);
    expect((await admin('PATCH', `/sites/${UNKNOWN}`, { title: 'x' })).status).toBe(404);
    expect((await admin('GET', `/sites/${UNKNOWN}/tag`)).status).toBe(404);
    expect((await admin('GET', '/sites/ABC')).status).toBe(400);
  });
});

describe('an owner', () => {
  // proves: decisions-cabinet/owner, decisions-cabinet-calls/sites
  it('immediately owns the sites they create, and sees no others', async () => {
    const owner = await newOwner();
    const foreign = await newSite();
    const id = await newSite(owner);
    expect((await owner('GET', '/sites')).body.items.map((site: { id: string }) => site.id)).toEqual([id]);
    expect((await owner('GET', `/sites/${foreign}`)).status).toBe(404);
    expect((await owner('PATCH', `/sites/${foreign}`, { title: 'x' })).status).toBe(404);
  });

  // proves: quotas/changeable
  // proves: decisions-cabinet/admin, decisions-cabinet-calls/site-changed
  it('can change the settings that are open to owners, and nothing else', async () => {
    const owner = await newOwner();
    const id = await newSite(owner);
    const own = {
      title: 'x',
      hosts: ['*'],
      timezone: 'UTC',
      currency: 'EUR',
      rates: {},
      robots: { frequency: false },
      fingerprints: true,
      recordings: true,
      network: { enabled: true },
    };
    expect((await owner('PATCH', `/sites/${id}`, own)).status).toBe(200);
    for (const body of [
      { quotas: {} },
      { limits: {} },
      { owner_state: 'active' },
      { state: 'blocked' },
      { state: 'active' },
    ]) {
      expect([body, (await owner('PATCH', `/sites/${id}`, body)).status]).toEqual([body, 403]);
    }
  });

  // proves: decisions-cabinet/admin
  it('can delete their site, unless it is blocked', async () => {
    const owner = await newOwner();
    const id = await newSite(owner);
    await admin('PATCH', `/sites/${id}`, { state: 'blocked' });
    expect((await owner('PATCH', `/sites/${id}`, { state: 'deleted' })).status).toBe(403);
    await admin('PATCH', `/sites/${id}`, { state: 'active' });
    expect(await owner('PATCH', `/sites/${id}`, { state: 'deleted' })).toMatchObject({
      status: 200,
      body: { state: 'deleted' },
    });
    expect((await owner('PATCH', `/sites/${id}`, { state: 'active' })).status).toBe(403);
  });

  // proves: quotas/sites
  it('has at most 30 sites, however many are created at once', async () => {
    const owned = await Promise.all(Array.from({ length: 27 }, () => createTestSite(stage.database.pool)));
    const owner = await newOwner(owned.map(({ id }) => id));
    const {
      rows: [before],
    } = await stage.database.pool.query('select count(*)::int as sites from sites');
    const answers = await Promise.all(Array.from({ length: 6 }, () => owner('POST', '/sites', NEW)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 422, 422, 422]);
    expect(answers.find(({ status }) => status === 422)?.body.error.details).toMatchObject([
      { field: '', code: 'invalid_value' },
    ]);
    const {
      rows: [after],
    } = await stage.database.pool.query('select count(*)::int as sites from sites');
    expect(after.sites - before.sites).toBe(3);
  });
});

describe('the tag of a site', () => {
  // proves: decisions-cabinet-calls/tag
  it('works from the start, and names the newest valid key', async () => {
    const id = await newSite();
    const first = (await admin('GET', `/sites/${id}/tag`)).body;
    expect(first).toMatchObject({
      key: expect.stringMatching(/^as_[A-Za-z0-9]{24}$/),
      script_url: 'http://attune.test/tag.js',
    });
    expect(first.snippet).toContain(`svc('init','${first.key}')`);
    expect(first.snippet).toContain('<script async src="http://attune.test/tag.js"></script>');
    expect(first.external_snippet).toBe(
      `<script async src="http://attune.test/tag.js" data-key="${first.key}"></script>`,
    );
    const { key, id: keyId } = (await admin('POST', `/sites/${id}/keys`, { name: 'Новый', kind: 'tag' })).body;
    expect((await admin('GET', `/sites/${id}/tag`)).body.key).toBe(key);
    await admin('DELETE', `/sites/${id}/keys/${keyId}`);
    expect((await admin('GET', `/sites/${id}/tag`)).body).toEqual(first);
  });

  it('has neither a key nor a snippet while no key is valid', async () => {
    const id = await newSite();
    const [{ id: keyId }] = (await admin('GET', `/sites/${id}/keys`)).body.items;
    await admin('DELETE', `/sites/${id}/keys/${keyId}`);
    await admin('POST', `/sites/${id}/keys`, { name: 'Сервер' });
    expect((await admin('GET', `/sites/${id}/tag`)).body).toEqual({
      key: null,
      script_url: 'http://attune.test/tag.js',
      snippet: null,
      external_snippet: null,
    });
  });

  it('queues commands in order until the script has loaded', async () => {
    const { snippet, key } = (await admin('GET', `/sites/${await newSite()}/tag`)).body;
    const code = /<script>(.*?)<\/script>/.exec(snippet)?.[1] ?? '';
    // Runs the snippet as a page would: properties of `window` are globals of the script.
    const window: { svc?: ((...args: unknown[]) => void) & { q?: ArrayLike<unknown>[] } } = {};
    const run = new Function('window', `with (window) { ${code} }`) as (page: object) => void;
    run(window);
    window.svc?.('goal', 'order');
    expect([...(window.svc?.q ?? [])].map((command) => Array.from(command))).toEqual([
      ['init', key],
      ['goal', 'order'],
    ]);
  });
});

describe('keys of a site', () => {
  // proves: analytics-auth/2, analytics-auth/3, decisions-cabinet-calls/site-keys, decisions-keys/stored-hash
  // proves: decisions-keys/shown-once
  it('are shown once if they are secret, and listed in full if they are not', async () => {
    const id = await newSite();
    const secret = await admin('POST', `/sites/${id}/keys`, { name: 'Сервер' });
    const open = await admin('POST', `/sites/${id}/keys`, { name: 'Счётчик 2', kind: 'tag' });
    expect(secret).toMatchObject({
      status: 201,
      body: { kind: 'api', key: expect.stringMatching(/^ak_[A-Za-z0-9]{40}$/), public_key: null },
    });
    expect(open).toMatchObject({
      status: 201,
      body: { kind: 'tag', key: expect.stringMatching(/^as_[A-Za-z0-9]{24}$/), public_key: open.body.key },
    });
    expect(secret.headers.get('cache-control')).toBe('no-store');
    const { items } = (await admin('GET', `/sites/${id}/keys`)).body;
    expect(
      items.map((key: { name: string; public_key: string | null }) => [key.name, key.public_key === null]),
    ).toEqual([
      ['Счётчик', false],
      ['Сервер', true],
      ['Счётчик 2', false],
    ]);
    const { rows } = await stage.database.pool.query('select * from site_keys where site_id = $1', [id]);
    expect(JSON.stringify(rows)).not.toContain(secret.body.key);
  });

  // proves: analytics-auth/3, decisions-cabinet-calls/site-keys, decisions-keys/stored-fields
  it('are listed with name, prefix, creation and last use', async () => {
    const id = await newSite();
    const { key, ...created } = (await admin('POST', `/sites/${id}/keys`, { name: 'Сервер' })).body;
    expect(created).toMatchObject({
      name: 'Сервер',
      prefix: key.slice(0, 8),
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      last_used_at: null,
    });
    expect((await admin('GET', `/sites/${id}/keys`)).body.items).toContainEqual(created);
    expect((await clientOf(stage.api.analytics, key)('GET', '/network')).status).toBe(200);
    const used = await eventually(
      async () =>
        (await admin('GET', `/sites/${id}/keys`)).body.items.find(
          (item: { last_used_at: string | null }) => item.last_used_at !== null,
        ),
      'the time of use',
    );
    expect(Math.abs(Date.now() - Date.parse(used.last_used_at))).toBeLessThan(60_000);
    expect(used).toEqual({ ...created, last_used_at: used.last_used_at });
    expect(JSON.stringify((await admin('GET', `/sites/${id}/keys`)).body)).not.toContain(key);
  });

  // proves: analytics-auth/4
  // proves: decisions-cabinet-calls/site-keys
  it('are revoked permanently, and only through their own site', async () => {
    const [id, other] = [await newSite(), await newSite()];
    const { id: keyId } = (await admin('POST', `/sites/${id}/keys`, { name: 'k' })).body;
    expect((await admin('DELETE', `/sites/${other}/keys/${keyId}`)).status).toBe(404);
    expect((await admin('DELETE', `/sites/${id}/keys/${keyId}`)).body).toEqual({ id: keyId, revoked: true });
    const revoked = (await admin('GET', `/sites/${id}/keys`)).body.items.at(-1);
    expect(revoked).toMatchObject({ id: keyId, revoked_at: expect.stringMatching(/Z$/) });
    expect((await admin('DELETE', `/sites/${id}/keys/${keyId}`)).status).toBe(200);
    expect((await admin('GET', `/sites/${id}/keys`)).body.items.at(-1)).toEqual(revoked);
    expect((await admin('DELETE', `/sites/${id}/keys/1`)).status).toBe(400);
  });

  it.each<[object, string, string]>([
    // proves: decisions-keys/names
    [{}, 'name', 'required'],
    [{ name: '' }, 'name', 'invalid_value'],
    [{ name: 'x', kind: 'tags' }, 'kind', 'invalid_value'],
    [{ name: 'x', key: 'as_1' }, 'key', 'unknown_field'],
  ])('refuse %j', async (body, field, code) => {
    expect(await admin('POST', `/sites/${UNKNOWN}/keys`, body)).toMatchObject({
      status: 422,
      body: { error: { details: [{ field, code }] } },
    });
  });

  it('answer 404 for an unknown site', async () => {
    expect((await admin('POST', `/sites/${UNKNOWN}/keys`, { name: 'x' })).status).toBe(404);
    expect((await admin('GET', `/sites/${UNKNOWN}/keys`)).status).toBe(404);
  });
});
