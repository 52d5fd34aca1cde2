/** The values of people in a report equal those of the view site_audience, which the API reads. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { purgeVisitor } from '../../../db/siteDeletions/purgeVisitor.ts';
import { FIELD_OF } from '../../../reports/people/attributes.ts';
import type { PeopleNeeds } from '../../../reports/people/index.ts';
import { addSite, addVisitor } from '../../support/people/sitePeople.ts';
import { rowOf, sorted, stagePeople, type Row } from './peopleStage.ts';
import { contacts, settings, storePeople, told } from './randomPeople.ts';

const ATTRIBUTES = Object.keys(FIELD_OF).filter((attribute) => attribute !== 'visitor_param');

const stage = stagePeople();

const OF_VIEW = `
  select distinct (case kind when 'user' then md5(person_id)::uuid else person_id::uuid end)::text, attribute, param, value, source
    from site_audience a where site_id = $1 and value is not null
     and (attribute <> 'interest' or value = any($2::text[]))
     and (attribute = any($3::text[]) or attribute = 'visitor_param' and param = any($4::text[]))`;
const TOPICS = ['music', 'sport-football'];

async function expected(site: string, needs: Partial<PeopleNeeds>): Promise<string[]> {
  const { rows } = await stage.pool.query<Row>({
    text: OF_VIEW,
    values: [site, TOPICS, needs.attributes ?? [], needs.params ?? []],
    rowMode: 'array',
  });
  return sorted(rows);
}

// proves: report/audience-stored
// proves: decisions-storage/people
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
          sites.map(({ network, sensitive }) => addSite(stage.pool, { network, sensitiveTopics: sensitive })),
        );
        await stage.pool.query(`update sites set identity_secret = 'secret' where id = any($1)`, [
          ids.filter((_id, index) => sites[index]?.asksForProof),
        ]);
        await storePeople(stage.pool, ids, tellings, people);
        for (const id of ids) {
          const rows = await stage.loaded(id, needs);
          expect(rows).toEqual(await expected(id, needs));
          expect(await stage.loaded(id, { attributes: [alone] })).toEqual(
            rows.filter((row) => rowOf(row)[1] === alone),
          );
          fromNetwork += rows.filter((row) => row.endsWith('"network"]')).length;
        }
        // Sites that have left the network share nothing with the next run's sites.
        await stage.pool.query('update sites set network_enabled = false where id = any($1)', [ids]);
      },
    ),
    { numRuns: 6 },
  );
  expect(fromNetwork).toBeGreaterThan(0);
});

describe('loadPeople', () => {
  it('loads nothing that is not needed', async () => {
    const site = await addSite(stage.pool);
    const visitor = await addVisitor(stage.pool, site);
    await stage.tell(site, {
      visitorId: visitor,
      userId: 'u1',
      source: 'user',
      data: { gender: 'male', geo: { city: 'ru-kazan' }, params: { plan: 'a', other: 'b' } },
    });
    const of = async (needs: Partial<PeopleNeeds>): Promise<unknown[]> =>
      (await stage.loaded(site, needs)).map((row) => rowOf(row).slice(1));
    expect(await of({})).toEqual([]);
    expect(await of({ attributes: ['geo_person_region'] })).toEqual([['geo_person_region', null, 'RU-TA', 'user']]);
    expect(await of({ params: ['plan'] })).toEqual([['visitor_param', 'plan', 'a', 'user']]);
    await stage.load(site, { links: false });
    expect(await stage.connection.query('from linked_visitors')).toEqual([]);
    await stage.load(site, {});
    expect(await stage.connection.query('select visitor_id::VARCHAR as visitor from linked_visitors')).toEqual([
      { visitor },
    ]);
  });

  it('works for a site whose id and keys are not plain words', async () => {
    const key = `it's "a" $1 \\ ключ; --`;
    const site = await addSite(stage.pool);
    await stage.tell(site, { userId: `o'neil`, data: { params: { [key]: 'да' } } });
    expect((await stage.loaded(site, { params: [key] })).map((row) => rowOf(row).slice(1))).toEqual([
      ['visitor_param', key, 'да', 'site'],
    ]);
    expect(await stage.loaded(`x' or true --`, { params: [key] })).toEqual([]);
  });
});

it('the values and the link of a deleted visitor are no longer loaded', async () => {
  const site = await addSite(stage.pool);
  const visitor = randomUUID();
  await addVisitor(stage.pool, site, visitor);
  await stage.tell(site, { visitorId: visitor, userId: 'gone', source: 'user', data: { gender: 'male' } });
  expect(await stage.loaded(site, { attributes: ['gender'] })).toHaveLength(1);
  await purgeVisitor(stage.pool, { siteId: site, visitorId: visitor });
  expect(await stage.loaded(site, { attributes: ['gender'] })).toEqual([]);
  expect(await stage.connection.query('from linked_visitors')).toEqual([]);
});
