/** Reports join people to visits in DuckDB: what they will read of PostgreSQL can be read from there. */
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { inTransaction } from '../../db/pool.ts';
import { applyUserData } from '../../db/sitePeople/apply.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { testDuckdbExtensions } from '../support/engines.ts';
import { addSite, addVisitor } from '../support/sitePeople.ts';

let db: TestDatabase;
let instance: DuckDBInstance;
let duck: DuckDBConnection;
let site: string;

beforeAll(async () => {
  db = await createTestDatabase();
  instance = await DuckDBInstance.create(':memory:', { extension_directory: await testDuckdbExtensions(), autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' });
  duck = await instance.connect();
  await duck.run('load postgres_scanner');
  await duck.run(`attach '${db.url}' as pg (type postgres, read_only)`);
  site = await addSite(db.pool);
  const visitor = await addVisitor(db.pool, site);
  const at = new Date();
  await inTransaction(db.pool, (client) => applyUserData(client, site, [
    { visitorId: visitor, userId: null, fingerprint: null, data: { gender: 'male', interests: ['футбол'] }, source: 'user', at },
    { visitorId: null, userId: 'u', fingerprint: null, data: { gender: 'female', age: 34, children: [3, 12], interests: ['football', 'music'], params: { plan: 'annual' }, geo: { city: 'ru-kazan' } }, source: 'site', at },
  ]));
}, 60_000);

afterAll(async () => {
  duck?.closeSync();
  instance?.closeSync();
  await db?.drop();
});

const rowsOf = async (sql: string) => (await duck.runAndReadAll(sql)).getRowsJson();

it('the audience of a site, one row a value, by a query that PostgreSQL runs', async () => {
  const query = `select field, attribute, value, source, count(*) as people from site_audience where site_id = ''${site}'' and field in (''gender'', ''interests'', ''children'') group by 1, 2, 3, 4`;
  expect(await rowsOf(`select attribute, value, source, people::int from postgres_query('pg', '${query}') order by all`)).toEqual([
    ['children_age', '12', 'site', 1], ['children_age', '3', 'site', 1], ['gender', 'female', 'site', 1], ['gender', 'male', 'user', 1],
    ['has_children', 'yes', 'site', 1], ['interest', 'music', 'site', 1], ['interest', 'sport-football', 'site', 1], ['interest', 'sport-football', 'user', 1],
  ]);
});

it('the same, as a table that DuckDB joins to its own', async () => {
  expect(await rowsOf(`select a.kind, a.value from pg.site_audience a join (values ('u')) as visits(person_id) using (person_id) where a.site_id = '${site}' and a.field = 'params'`)).toEqual([['user', 'annual']]);
});

it('whose visitors they are', async () => {
  expect(await rowsOf(`select count(*)::int, count(user_id)::int from pg.site_visitors where site_id = '${site}'`)).toEqual([[1, 0]]);
});
