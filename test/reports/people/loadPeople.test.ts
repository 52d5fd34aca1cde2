/** The values of people in a report equal those of the view site_audience, which the API reads. */
import { createHash, randomUUID } from 'node:crypto';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inTransaction } from '../../../db/pool.ts';
import { applyUserData } from '../../../db/sitePeople/applyTagAndServerData.ts';
import { purgeVisitor } from '../../../db/siteDeletions/purgeVisitor.ts';
import { visitorBucket } from '../../../domain/reports/visitorBucket.ts';
import { connectionOf, type LakeConnection } from '../../../reports/lake/connection.ts';
import { quotedText } from '../../../reports/sql/quotedText.ts';
import { FIELD_OF } from '../../../reports/people/attributes.ts';
import { loadPeople, type PeopleNeeds } from '../../../reports/people/index.ts';
import { visitorsOfSampledUsers } from '../../../reports/people/personSample.ts';
import { DUCKDB } from '../../../reports/sql/duckdb.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { testDuckdbExtensions } from '../../support/programs/engines.ts';
import { addSite, addVisitor, hashOf } from '../../support/people/sitePeople.ts';

const ATTRIBUTES = Object.keys(FIELD_OF).filter((attribute) => attribute !== 'visitor_param');

let db: TestDatabase;
let instance: DuckDBInstance;
let duck: DuckDBConnection;
let connection: LakeConnection;

beforeAll(async () => {
  db = await createTestDatabase();
  instance = await DuckDBInstance.create(':memory:', {
    extension_directory: await testDuckdbExtensions(),
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  duck = await instance.connect();
  connection = connectionOf(duck);
  await connection.query('load postgres_scanner');
  await connection.query(`attach '${db.url}' as pg (type postgres, read_only)`);
});

afterAll(async () => {
  duck?.closeSync();
  instance?.closeSync();
  await db?.drop();
});

async function load(site: string, needs: Partial<PeopleNeeds>): Promise<void> {
  await connection.query('begin');
  await loadPeople(connection, site, { links: true, attributes: [], params: [], ...needs });
  await connection.query('commit');
}

type Row = [person: string, attribute: string, param: string | null, value: string, source: string];

const sorted = (rows: Row[]): string[] => rows.map((row) => JSON.stringify(row)).sort();

async function loaded(site: string, needs: Partial<PeopleNeeds>): Promise<string[]> {
  await load(site, needs);
  return sorted(
    (
      await connection.query<Record<string, string>>(
        'select person::VARCHAR as person, attribute, param, value, source from told_values',
      )
    ).map((row) => Object.values(row)) as unknown as Row[],
  );
}

const OF_VIEW = `
  select distinct (case kind when 'user' then md5(person_id)::uuid else person_id::uuid end)::text, attribute, param, value, source
    from site_audience a where site_id = $1 and value is not null
     and (attribute <> 'interest' or value = any($2::text[]))
     and (attribute = any($3::text[]) or attribute = 'visitor_param' and param = any($4::text[]))`;
const TOPICS = ['music', 'sport-football'];

async function expected(site: string, needs: Partial<PeopleNeeds>): Promise<string[]> {
  const { rows } = await db.pool.query<Row>({
    text: OF_VIEW,
    values: [site, TOPICS, needs.attributes ?? [], needs.params ?? []],
    rowMode: 'array',
  });
  return sorted(rows);
}

interface Told {
  site: number;
  person: number;
  isUser: boolean;
  source: 'site' | 'user';
  what: number;
  minute: number;
  isSensitive: boolean;
}

/** Values as the writer stores them: attribute, field, value or date of birth. */
const VALUES: readonly (readonly {
  attribute: string;
  field: string;
  place?: number;
  param?: string;
  value?: string;
  json?: string;
  born?: string;
}[])[] = [
  [{ attribute: 'gender', field: 'gender', value: 'male' }],
  [{ attribute: 'gender', field: 'gender', value: 'female' }],
  [{ attribute: 'age_group', field: 'age_group', born: 'eighteenToday' }],
  [{ attribute: 'age_group', field: 'age_group', born: 'eighteenTomorrow' }],
  [{ attribute: 'age_group', field: 'age_group', born: '1960-02-29' }],
  [{ attribute: 'age_group', field: 'age_group', value: '65+' }],
  [
    { attribute: 'has_children', field: 'children', born: 'eighteenTomorrow' },
    { attribute: 'children_age', field: 'children', born: 'eighteenTomorrow' },
    { attribute: 'children_age', field: 'children', place: 1, born: 'eighteenTomorrow' },
  ],
  [
    { attribute: 'has_children', field: 'children', born: 'eighteenToday' },
    { attribute: 'children_age', field: 'children', born: 'eighteenToday' },
  ],
  [{ attribute: 'has_children', field: 'children', value: 'yes' }],
  [
    { attribute: 'geo_person_country', field: 'geo', value: 'RU' },
    { attribute: 'geo_person_city', field: 'geo', value: 'ru-kazan' },
  ],
  [{ attribute: 'geo_person_country', field: 'geo', value: 'DE' }],
  [
    { attribute: 'purchase_category', field: 'purchase_categories', value: 'electronics' },
    { attribute: 'purchase_category', field: 'purchase_categories', place: 1, value: 'tablets' },
  ],
  [{ attribute: 'purchase_category', field: 'purchase_categories', value: 'tablets' }],
  [{ attribute: 'industry', field: 'industry', value: 'it' }],
  [
    { attribute: 'visitor_param', field: 'params', param: 'plan', json: '"annual"' },
    { attribute: 'visitor_param', field: 'params', place: 1, param: "it's", json: '{"a":[1]}' },
  ],
  [
    { attribute: 'visitor_param', field: 'params', param: 'plan', json: '12.50' },
    { attribute: 'visitor_param', field: 'params', place: 1, param: 'other', json: 'true' },
  ],
];
const INTERESTS = [
  { interest: 'music', isTopic: true },
  { interest: 'sport-football', isTopic: true },
  { interest: 'вязание крючком', isTopic: false },
];

const told: fc.Arbitrary<Told> = fc.record({
  site: fc.nat(2),
  person: fc.nat(5),
  isUser: fc.boolean(),
  source: fc.constantFrom('site', 'user'),
  what: fc.nat(VALUES.length + INTERESTS.length - 1),
  minute: fc.nat(3),
  isSensitive: fc.boolean(),
});
/** One of them is occasionally a placeholder. */
const contact = fc.constantFrom(0, 0, 0, 0, 1, 2, 3);
/** Contacts by site and person; some of them coincide. */
const contacts = fc.array(
  fc.record({
    site: fc.nat(2),
    person: fc.nat(5),
    isUser: fc.boolean(),
    email: fc.option(contact),
    phone: fc.option(contact),
    isByServer: fc.boolean(),
  }),
  { minLength: 12, maxLength: 60 },
);
const settings = fc.array(
  fc.record({
    network: fc.constantFrom(true, true, true, false),
    sensitive: fc.boolean(),
    asksForProof: fc.constantFrom(false, false, true),
  }),
  { minLength: 3, maxLength: 3 },
);

/**
 * Ids of visitors are unique to the site; ids of users are equal at both sites and still denote different persons.
 */
const idOf = ({ site, person, isUser }: { site: number; person: number; isUser: boolean }): string =>
  isUser ? `u${person}` : `00000000-0000-4000-8000-0000000000${site}${person}`;

function bornOf(born: string | undefined, today: Date): string | null {
  if (born === undefined || /^\d/.test(born)) return born ?? null;
  const day = new Date(
    Date.UTC(today.getUTCFullYear() - 18, today.getUTCMonth(), today.getUTCDate() + (born === 'eighteenToday' ? 0 : 1)),
  );
  return day.toISOString().slice(0, 10);
}

async function store(
  sites: string[],
  tellings: readonly Told[],
  people: readonly {
    site: number;
    person: number;
    isUser: boolean;
    email: number | null;
    phone: number | null;
    isByServer: boolean;
  }[],
): Promise<void> {
  const today = new Date();
  const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
  const who = (one: { site: number; person: number; isUser: boolean }) => ({
    site_id: sites[one.site],
    kind: one.isUser ? 'user' : 'visitor',
    person_id: idOf(one),
  });
  // A source's new values for a field replace all its old ones.
  const fieldOf = (one: Told): string => JSON.stringify([who(one), one.source, VALUES[one.what]?.[0]?.field]);
  const standing = [
    ...new Map(tellings.filter(({ what }) => what < VALUES.length).map((one) => [fieldOf(one), one])).values(),
  ];
  const values = standing.flatMap((one) =>
    (VALUES[one.what] ?? []).map((value) => ({
      ...who(one),
      place: 0,
      source: one.source,
      ...value,
      json: value.json === undefined ? null : (JSON.parse(value.json) as unknown),
      born: bornOf(value.born, today),
      is_sensitive: one.isSensitive,
      at: at(one.minute),
    })),
  );
  const interests = tellings.flatMap((one) => {
    const interest = INTERESTS[one.what - VALUES.length];
    return interest === undefined
      ? []
      : [
          {
            ...who(one),
            source: one.source,
            is_topic: interest.isTopic,
            interest: interest.interest,
            strength: 1,
            is_sensitive: one.isSensitive,
            at: at(one.minute),
          },
        ];
  });
  await db.pool.query(
    'insert into site_person_values select * from jsonb_populate_recordset(null::site_person_values, $1::jsonb)',
    [JSON.stringify(values)],
  );
  await db.pool.query(
    'insert into site_person_interests select * from jsonb_populate_recordset(null::site_person_interests, $1::jsonb) on conflict do nothing',
    [JSON.stringify(interests)],
  );
  await db.pool.query(
    `insert into site_people (site_id, kind, person_id, email_hash, phone_hash, server_email_hash, server_phone_hash)
     select site_id, kind, person_id, sha256(email::bytea), sha256(phone::bytea),
            case when told then sha256(email::bytea) end, case when told then sha256(phone::bytea) else sha256('another') end
       from json_to_recordset($1) as r (site_id text, kind text, person_id text, email text, phone text, told boolean)
     on conflict do nothing`,
    [
      JSON.stringify(
        people.map((one) => ({
          ...who(one),
          email: one.email === null ? null : `e${one.email}`,
          phone: one.phone === null ? null : `p${one.phone}`,
          told: one.isByServer,
        })),
      ),
    ],
  );
}

// proves: report/audience-stored
it('random people are loaded as the view shows them, with network and ages', async () => {
  const needs = { attributes: ATTRIBUTES, params: ['plan', `it's`] };
  let fromNetwork = 0;
  // Loading costs the same whatever the number of values, so there are few worlds with many of them.
  await fc.assert(
    fc.asyncProperty(
      fc.array(told, { minLength: 40, maxLength: 480 }),
      contacts,
      settings,
      fc.constantFrom('gender', 'children_age', 'purchase_category', 'interest'),
      async (tellings, people, sites, alone) => {
        const ids = await Promise.all(
          sites.map(({ network, sensitive }) => addSite(db.pool, { network, sensitiveTopics: sensitive })),
        );
        await db.pool.query(`update sites set identity_secret = 'secret' where id = any($1)`, [
          ids.filter((_id, index) => sites[index]?.asksForProof),
        ]);
        await store(ids, tellings, people);
        for (const id of ids) {
          const rows = await loaded(id, needs);
          expect(rows).toEqual(await expected(id, needs));
          expect(await loaded(id, { attributes: [alone] })).toEqual(
            rows.filter((row) => (JSON.parse(row) as string[])[1] === alone),
          );
          fromNetwork += rows.filter((row) => row.endsWith('"network"]')).length;
        }
        // Sites that have left the network share nothing with the next run's sites.
        await db.pool.query('update sites set network_enabled = false where id = any($1)', [ids]);
      },
    ),
    { numRuns: 6 },
  );
  expect(fromNetwork).toBeGreaterThan(0);
});

it.each([
  [5, 5],
  [1, 9],
  [9, 1],
])(
  'a contact of more than ten people of two sites belongs to nobody: %i here, %i there and one more',
  async (here, there) => {
    const [mine, theirs] = await Promise.all([
      addSite(db.pool, { network: true }),
      addSite(db.pool, { network: true }),
    ]);
    const email = `placeholder-${here}`;
    const tellOf = async (site: string, count: number): Promise<void> => {
      await db.pool.query(
        `insert into site_people (site_id, kind, person_id, email_hash) select $1, 'user', 'p' || i, sha256($3::bytea) from generate_series(1, $2) i on conflict do nothing`,
        [site, count, email],
      );
    };
    await db.pool.query(
      `insert into site_person_values (site_id, kind, person_id, source, attribute, field, value, at) values ($1, 'user', 'p1', 'user', 'gender', 'gender', 'male', now())`,
      [theirs],
    );
    await tellOf(mine, here);
    await tellOf(theirs, there);
    expect(await loaded(mine, { attributes: ['gender'] })).toHaveLength(here);
    await tellOf(theirs, there + 1);
    expect(await loaded(mine, { attributes: ['gender'] })).toEqual([]);
  },
);

it('the network returns interests and ages whichever is requested first', async () => {
  const [mine, theirs] = await Promise.all([addSite(db.pool, { network: true }), addSite(db.pool, { network: true })]);
  const tell = (site: string, data: Record<string, unknown>): Promise<void> =>
    inTransaction(db.pool, (client) =>
      applyUserData(client, site, [
        {
          visitorId: null,
          userId: 'u1',
          fingerprint: null,
          data: { email_hash: hashOf('both@shop.example'), ...data },
          source: 'site',
          at: new Date(),
        },
      ]),
    );
  await tell(mine, {});
  await tell(theirs, { interests: ['music'], age: 40 });
  for (const attributes of [
    ['interest', 'age_group'],
    ['age_group', 'interest'],
  ]) {
    expect((await loaded(mine, { attributes })).map((row) => (JSON.parse(row) as string[]).slice(1))).toEqual([
      ['age_group', null, '35-44', 'network'],
      ['interest', null, 'music', 'network'],
    ]);
  }
});

it.each([
  ['gender', ['male/site']],
  ['purchase_category', ['electronics/network', 'tablets/site']],
])(
  "the network adds to a site's own values where each value is decided separately: %s alone",
  async (attribute, held) => {
    const [mine, theirs] = await Promise.all([
      addSite(db.pool, { network: true }),
      addSite(db.pool, { network: true }),
    ]);
    const tell = (site: string, data: Record<string, unknown>): Promise<void> =>
      inTransaction(db.pool, (client) =>
        applyUserData(client, site, [
          {
            visitorId: null,
            userId: 'u1',
            fingerprint: null,
            data: { email_hash: hashOf('shared@shop.example'), ...data },
            source: 'site',
            at: new Date(),
          },
        ]),
      );
    await tell(mine, { gender: 'male', purchase_categories: ['tablets'] });
    await tell(theirs, { gender: 'female', purchase_categories: ['electronics'] });
    expect(
      (await loaded(mine, { attributes: [attribute] })).map((row) => (JSON.parse(row) as string[]).slice(3).join('/')),
    ).toEqual(held);
  },
);

describe('needs', () => {
  it('nothing is loaded that is not needed', async () => {
    const site = await addSite(db.pool);
    const visitor = await addVisitor(db.pool, site);
    await inTransaction(db.pool, (client) =>
      applyUserData(client, site, [
        {
          visitorId: visitor,
          userId: 'u1',
          fingerprint: null,
          data: { gender: 'male', geo: { city: 'ru-kazan' }, params: { plan: 'a', other: 'b' } },
          source: 'user',
          at: new Date(),
        },
      ]),
    );
    const of = async (needs: Partial<PeopleNeeds>): Promise<unknown[]> =>
      (await loaded(site, needs)).map((row) => (JSON.parse(row) as string[]).slice(1));
    expect(await of({})).toEqual([]);
    expect(await of({ attributes: ['geo_person_region'] })).toEqual([['geo_person_region', null, 'RU-TA', 'user']]);
    expect(await of({ params: ['plan'] })).toEqual([['visitor_param', 'plan', 'a', 'user']]);
    await load(site, { links: false });
    expect(await connection.query('from linked_visitors')).toEqual([]);
    await load(site, {});
    expect(await connection.query('select visitor_id::VARCHAR as visitor from linked_visitors')).toEqual([{ visitor }]);
  });

  it('a site whose id and keys are not plain words works', async () => {
    const key = `it's "a" $1 \\ ключ; --`;
    const site = await addSite(db.pool);
    await inTransaction(db.pool, (client) =>
      applyUserData(client, site, [
        {
          visitorId: null,
          userId: `o'neil`,
          fingerprint: null,
          data: { params: { [key]: 'да' } },
          source: 'site',
          at: new Date(),
        },
      ]),
    );
    expect((await loaded(site, { params: [key] })).map((row) => (JSON.parse(row) as string[]).slice(1))).toEqual([
      ['visitor_param', key, 'да', 'site'],
    ]);
    expect(await loaded(`x' or true --`, { params: [key] })).toEqual([]);
  });
});

describe('a sample', () => {
  const uuidOf = (user: string): string =>
    createHash('md5')
      .update(user)
      .digest('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const isUserInSample = (user: string): boolean => visitorBucket(uuidOf(user)) < 1000;

  it.each(['PostgreSQL', 'DuckDB'])('is the same tenth in %s as in domain/reports/visitorBucket.ts', async (engine) => {
    const users = Array.from(
      { length: 500 },
      (_, index) =>
        [
          `u${index}`,
          `U${index}`,
          `Пользователь ${index}`,
          `İΣ ${index}`,
          `${index}' \\ "`,
          `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
        ][index % 6] ?? '',
    );
    const visitors = users.map(uuidOf);
    if (engine === 'PostgreSQL') {
      const site = await addSite(db.pool);
      await db.pool.query(
        'insert into site_visitors (site_id, visitor_id, user_id) select $1, v.* from unnest($2::uuid[], $3::text[]) as v',
        [site, visitors, users],
      );
      const rows = await connection.query<{ id: string }>(
        `select visitor_id::VARCHAR as id from postgres_query('pg', ${quotedText(visitorsOfSampledUsers(site))})`,
      );
      expect(rows.map(({ id }) => id).toSorted()).toEqual(
        visitors.filter((_, index) => isUserInSample(users[index] ?? '')).toSorted(),
      );
    } else {
      const rows = await connection.query<{ person: boolean; user: boolean }>(
        `select ${DUCKDB.functions.isPersonInSample('r.visitor')} as person, ${DUCKDB.functions.isUserInSample('r.user')} as user from (select unnest([${visitors.map(quotedText).join()}])::UUID as visitor, unnest([${users.map(quotedText).join()}]) as user) as r`,
      );
      expect(rows.map(({ person }) => person)).toEqual(visitors.map((visitor) => visitorBucket(visitor) < 1000));
      expect(rows.map(({ user }) => user)).toEqual(users.map(isUserInSample));
    }
  });

  it('includes all links of its users, and values of a tenth of the visitors', async () => {
    const site = await addSite(db.pool);
    const visitors: readonly string[] = Array.from({ length: 200 }, () => randomUUID());
    const [linked, alone] = [visitors.slice(0, 100), visitors.slice(100)];
    for (const visitor of visitors) await addVisitor(db.pool, site, visitor);
    const userOf = (visitorId: string): string | null =>
      linked.includes(visitorId) ? `u${linked.indexOf(visitorId) % 50}` : null;
    const tell = (visitorId: string, userId: string | null) => ({
      visitorId,
      userId,
      fingerprint: null,
      data: { gender: 'male' as const },
      source: 'user' as const,
      at: new Date(),
    });
    await inTransaction(db.pool, (client) =>
      applyUserData(
        client,
        site,
        visitors.map((visitor) => tell(visitor, userOf(visitor))),
      ),
    );
    const moved = linked.find((visitor) => isUserInSample(userOf(visitor) ?? ''));
    await inTransaction(db.pool, (client) => applyUserData(client, site, [tell(moved ?? '', 'u1')]));
    await connection.query('begin');
    await loadPeople(connection, site, { links: true, attributes: ['gender'], params: [] }, true);
    await connection.query('commit');
    const links = await connection.query<{ id: string; is_in_sample: boolean }>(
      'select visitor_id::VARCHAR as id, is_in_sample from linked_visitors order by id',
    );
    expect(links).toEqual(
      linked.toSorted().map((id) => ({ id, is_in_sample: id !== moved && isUserInSample(userOf(id) ?? '') })),
    );
    // The visitor's former user is remembered.
    const read = await connection.query<{ id: string }>(
      'select visitor_id::VARCHAR as id from visitors_of_sample order by id',
    );
    expect(read.map(({ id }) => id)).toEqual(
      linked.filter((visitor) => isUserInSample(userOf(visitor) ?? '')).toSorted(),
    );
    expect(read.length).toBeGreaterThan(2);
    const people = await connection.query<{ id: string }>('select person::VARCHAR as id from told_values');
    const inSample = alone.filter((visitor) => visitorBucket(visitor) < 1000);
    expect(
      people
        .map(({ id }) => id)
        .filter((id) => visitors.includes(id))
        .toSorted(),
    ).toEqual(inSample.toSorted());
    expect(people).toHaveLength(50 + inSample.length);
  });
});

it('a deleted visitor belongs to nobody', async () => {
  const site = await addSite(db.pool);
  const visitor = randomUUID();
  await addVisitor(db.pool, site, visitor);
  await inTransaction(db.pool, (client) =>
    applyUserData(client, site, [
      {
        visitorId: visitor,
        userId: 'gone',
        fingerprint: null,
        data: { gender: 'male' },
        source: 'user',
        at: new Date(),
      },
    ]),
  );
  expect(await loaded(site, { attributes: ['gender'] })).toHaveLength(1);
  await purgeVisitor(db.pool, { siteId: site, visitorId: visitor });
  expect(await loaded(site, { attributes: ['gender'] })).toEqual([]);
  expect(await connection.query('from linked_visitors')).toEqual([]);
});
