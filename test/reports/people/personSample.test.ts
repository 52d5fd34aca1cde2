import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { visitorBucket } from '../../../domain/reports/visitorSample.ts';
import { visitorsOfSampledUsers } from '../../../reports/people/personSample.ts';
import { DUCKDB } from '../../../reports/sql/duckdb.ts';
import { quotedText } from '../../../reports/sql/quotedText.ts';
import { addSite, addVisitor } from '../../support/people/sitePeople.ts';
import { stagePeople } from './peopleStage.ts';

const stage = stagePeople();

describe('a sample', () => {
  const uuidOf = (user: string): string =>
    createHash('md5')
      .update(user)
      .digest('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  const isUserInSample = (user: string): boolean => visitorBucket(uuidOf(user)) < 1000;

  it.each(['PostgreSQL', 'DuckDB'])('is the same tenth in %s as in domain/reports/visitorSample.ts', async (engine) => {
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
      const site = await addSite(stage.pool);
      await stage.pool.query(
        'insert into site_visitors (site_id, visitor_id, user_id) select $1, v.* from unnest($2::uuid[], $3::text[]) as v',
        [site, visitors, users],
      );
      const rows = await stage.connection.query<{ id: string }>(
        `select visitor_id::VARCHAR as id from postgres_query('pg', ${quotedText(visitorsOfSampledUsers(site))})`,
      );
      expect(rows.map(({ id }) => id).toSorted()).toEqual(
        visitors.filter((_, index) => isUserInSample(users[index] ?? '')).toSorted(),
      );
    } else {
      const rows = await stage.connection.query<{ person: boolean; user: boolean }>(
        `select ${DUCKDB.functions.isPersonInSample('r.visitor')} as person, ${DUCKDB.functions.isUserInSample('r.user')} as user from (select unnest([${visitors.map(quotedText).join()}])::UUID as visitor, unnest([${users.map(quotedText).join()}]) as user) as r`,
      );
      expect(rows.map(({ person }) => person)).toEqual(visitors.map((visitor) => visitorBucket(visitor) < 1000));
      expect(rows.map(({ user }) => user)).toEqual(users.map(isUserInSample));
    }
  });

  it('includes all links, the values of all users, and those of a tenth of the other visitors', async () => {
    const site = await addSite(stage.pool);
    const visitors: readonly string[] = Array.from({ length: 200 }, () => randomUUID());
    const [linked, alone] = [visitors.slice(0, 100), visitors.slice(100)];
    for (const visitor of visitors) await addVisitor(stage.pool, site, visitor);
    const userOf = (visitorId: string): string | null =>
      linked.includes(visitorId) ? `u${linked.indexOf(visitorId) % 50}` : null;
    const says = (visitorId: string, userId: string | null) =>
      ({ visitorId, userId, source: 'user', data: { gender: 'male' } }) as const;
    await stage.tell(site, ...visitors.map((visitor) => says(visitor, userOf(visitor))));
    const moved = linked.find((visitor) => isUserInSample(userOf(visitor) ?? ''));
    await stage.tell(site, says(moved ?? '', 'u1'));
    await stage.load(site, { attributes: ['gender'] }, true);
    const links = await stage.connection.query<{ id: string; is_in_sample: boolean }>(
      'select visitor_id::VARCHAR as id, is_in_sample from linked_visitors order by id',
    );
    expect(links).toEqual(
      linked.toSorted().map((id) => ({ id, is_in_sample: id !== moved && isUserInSample(userOf(id) ?? '') })),
    );
    // The visitor's former user is remembered.
    const read = await stage.connection.query<{ id: string }>(
      'select visitor_id::VARCHAR as id from visitors_of_sample order by id',
    );
    expect(read.map(({ id }) => id)).toEqual(
      linked.filter((visitor) => isUserInSample(userOf(visitor) ?? '')).toSorted(),
    );
    expect(read.length).toBeGreaterThan(2);
    const people = await stage.connection.query<{ id: string }>('select person::VARCHAR as id from effective_values');
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
