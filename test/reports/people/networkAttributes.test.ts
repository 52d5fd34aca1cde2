import { expect, it } from '@jest/globals';
import { addSite, hashOf } from '../../support/people/sitePeople.ts';
import { rowOf, stagePeople } from './peopleStage.ts';

const stage = stagePeople();

it.each([
  [5, 5],
  [1, 9],
  [9, 1],
])(
  'a contact of more than ten people of two sites belongs to nobody: %i here, %i there and one more',
  async (here, there) => {
    const [mine, theirs] = await Promise.all([
      addSite(stage.pool, { network: true }),
      addSite(stage.pool, { network: true }),
    ]);
    const email = `placeholder-${here}`;
    const tellOf = async (site: string, count: number): Promise<void> => {
      await stage.pool.query(
        `insert into site_people (site_id, kind, person_id, email_hash) select $1, 'user', 'p' || i, sha256($3::bytea) from generate_series(1, $2) i on conflict do nothing`,
        [site, count, email],
      );
    };
    await stage.pool.query(
      `insert into site_person_values (site_id, kind, person_id, source, attribute, field, value, at) values ($1, 'user', 'p1', 'user', 'gender', 'gender', 'male', now())`,
      [theirs],
    );
    await tellOf(mine, here);
    await tellOf(theirs, there);
    expect(await stage.loaded(mine, { attributes: ['gender'] })).toHaveLength(here);
    await tellOf(theirs, there + 1);
    expect(await stage.loaded(mine, { attributes: ['gender'] })).toEqual([]);
  },
);

it('the network returns interests and ages whichever is requested first', async () => {
  const [mine, theirs] = await Promise.all([
    addSite(stage.pool, { network: true }),
    addSite(stage.pool, { network: true }),
  ]);
  const tell = (site: string, data: object) =>
    stage.tell(site, { userId: 'u1', data: { email_hash: hashOf('both@shop.example'), ...data } });
  await tell(mine, {});
  await tell(theirs, { interests: ['music'], age: 40 });
  for (const attributes of [
    ['interest', 'age_group'],
    ['age_group', 'interest'],
  ]) {
    expect((await stage.loaded(mine, { attributes })).map((row) => rowOf(row).slice(1))).toEqual([
      ['age_group', null, '35-44', 'network'],
      ['interest', null, 'music', 'network'],
    ]);
  }
});

it.each([
  ['gender', ['male/site']],
  ['purchase_category', ['electronics/network', 'tablets/site']],
])(
  "the network adds to a site's own values only where each value is decided separately: %s alone",
  async (attribute, held) => {
    const [mine, theirs] = await Promise.all([
      addSite(stage.pool, { network: true }),
      addSite(stage.pool, { network: true }),
    ]);
    const tell = (site: string, data: object) =>
      stage.tell(site, { userId: 'u1', data: { email_hash: hashOf('shared@shop.example'), ...data } });
    await tell(mine, { gender: 'male', purchase_categories: ['tablets'] });
    await tell(theirs, { gender: 'female', purchase_categories: ['electronics'] });
    expect((await stage.loaded(mine, { attributes: [attribute] })).map((row) => rowOf(row).slice(3).join('/'))).toEqual(
      held,
    );
  },
);
