/** Stores in PostgreSQL who logged in, and what the site knows about them. */
import type { LakeConnection } from '../../../../reports/lake/connection.ts';
import type { WorldSite } from './sitesAndPeriod.ts';

/** Attaches the product's own PostgreSQL to the connection as `product`. */
export async function storePeople(connection: LakeConnection, sites: readonly WorldSite[]): Promise<void> {
  await connection.query(`attach '' as product (type postgres, secret lake_catalogue)`);
  for (const { id } of sites) {
    await connection.query(`create or replace temp table known as
      select visitor, uuid_of('visitor', visitor) as visitor_id, 'user-' || visitor as user_id, min(started_at) as first_at, max(started_at) as last_at, count(*)::INTEGER as visits
        from base where site_id = '${id}' and user_of(visitor, i) is not null group by visitor`);
    await connection.query(
      `insert into product.public.site_visitors (site_id, visitor_id, user_id, first_visit_at, last_visit_at, visits, created_at) select '${id}', visitor_id, user_id, first_at, last_at, visits, first_at from known`,
    );
    await connection.query(
      `insert into product.public.site_people (site_id, kind, person_id, created_at, told_at) select '${id}', 'user', user_id, first_at, last_at from known`,
    );
    for (const values of VALUES)
      await connection.query(
        `insert into product.public.site_person_values (site_id, kind, person_id, source, attribute, place, field, value, born, is_sensitive, "at") ${values.replace('$site', id)}`,
      );
  }
  await connection.query('detach product');
}

const told = (attribute: string, field: string, value: string, born: string, of: string): string =>
  `select '$site', 'user', user_id, 'user', '${attribute}', 0, '${field}', ${value}, ${born}, false, last_at from known where ${of}`;

const VALUES = [
  told(
    'gender',
    'gender',
    `case when chance('gender', visitor) < 0.6 then 'female' else 'male' end`,
    'null',
    `chance('told gender', visitor) < 0.8`,
  ),
  told(
    'age_group',
    'age_group',
    'null',
    `DATE '1950-01-01' + below('born', visitor, 20000)::INTEGER`,
    `chance('told age', visitor) < 0.6`,
  ),
  told(
    'has_children',
    'children',
    `case when chance('children', visitor) < 0.4 then 'yes' else 'no' end`,
    'null',
    `chance('told children', visitor) < 0.3`,
  ),
];
