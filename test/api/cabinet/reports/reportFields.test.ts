/** GET /sites/{id}/report-fields: names that a site has sent are listed beside the registry. */
import { beforeAll, expect, it } from '@jest/globals';
import { recordParamKeys, PARAM_KEYS_PER_KIND } from '../../../../db/sites/paramKeys.ts';
import { companyTypes, industries, priceSegments } from '../../../../domain/dictionaries/index.ts';
import { LANGUAGES } from '../../../../domain/language.ts';
import { AGE_GROUPS } from '../../../../domain/people/ages.ts';
import { DIMENSIONS, findDimension, findMetric, isCompatible, METRICS } from '../../../../reports/registry/index.ts';
import { createTestUser, tokenOf } from '../../support/people.ts';
import { stageApi } from '../../support/stageApi.ts';
import { clientOf, type Client } from '../../support/testApi.ts';
import { createTestGoal, createTestSite, type TestSite } from '../../support/testSite.ts';

const stage = stageApi();
let site: TestSite;
let viewer: Client;

beforeAll(async () => {
  const { pool } = stage.database;
  site = await createTestSite(pool);
  viewer = clientOf(stage.api.cabinet, await tokenOf(pool, await createTestUser(pool, 'viewer', { sites: [site.id] })));
  await createTestGoal(pool, site.id, 'lead');
});

const ask = () => viewer('GET', `/sites/${site.id}/report-fields`);

interface Field {
  id: string;
  level: string;
  excludes: string[];
  needs_one: string | null;
  definition: Record<string, string>;
}

// proves: report-dimensions/registry
// proves: decisions-cabinet-app/report-fields
it('the report fields include every field of the registry with its meaning in every language', async () => {
  const { status, body } = await ask();
  expect(status).toBe(200);
  expect(body.dimensions.map(({ id }: Field) => id)).toEqual(DIMENSIONS.map(({ id }) => id));
  expect(body.metrics.map(({ id }: Field) => id)).toEqual(METRICS.map(({ id }) => id));
  for (const { id, definition } of [...body.dimensions, ...body.metrics] as Field[])
    for (const language of LANGUAGES)
      expect([id, definition[language]]).toEqual([id, expect.stringMatching(/^\p{Lu}.*\.$/u)]);
});

it('the report fields have a name in every language for each code that rows contain untranslated', async () => {
  const { body } = await ask();
  const codesOf = (id: string): { code: string }[] =>
    body.dimensions.find((field: Field) => field.id === id)?.codes ?? [];
  const { id: code, ...name } = companyTypes.get('sole_proprietor') ?? {};
  expect(Object.keys(name).sort()).toEqual(LANGUAGES.toSorted());
  expect(codesOf('company_type')).toContainEqual({ code, name });
  expect(codesOf('industry').map(({ code }) => code)).toEqual([...industries.keys()]);
  expect(codesOf('price_segment').map(({ code }) => code)).toEqual([...priceSegments.keys()]);
  expect(codesOf('age_group').map(({ code }) => code)).toEqual(AGE_GROUPS);
  expect(codesOf('interest')).toEqual([]);
});

// proves: report-dimensions/registry, report-dimensions/incompatible
// proves: decisions-cabinet-app/report-fields
it('the report fields say which fields go together, exactly as reports are validated', async () => {
  const { body } = await ask();
  const fits = ({ excludes, needs_one: needed }: Field, levels: string[], filtered: string[] = []): boolean =>
    ![...levels, ...filtered].some((level) => excludes.includes(level)) &&
    (needed === null || levels.filter((level) => level === needed).length === 1);
  for (const metric of body.metrics as Field[]) {
    const known = findMetric(metric.id)?.metric;
    for (const [one, other] of pairs(body.dimensions as Field[])) {
      const dimensions = [one, other].flatMap(({ id }) => findDimension(withParam(id))?.dimension ?? []);
      expect(dimensions).toHaveLength(2);
      if (!known) throw new Error(metric.id);
      expect(fits(metric, [one.level, other.level])).toBe(isCompatible(known, dimensions));
      expect(fits(metric, [one.level], [other.level])).toBe(
        isCompatible(known, dimensions.slice(0, 1), dimensions.slice(1)),
      );
    }
  }
});

/** Returns every pair of levels, with one dimension for each level. */
function pairs(fields: Field[]): [Field, Field][] {
  const levels = [...new Map(fields.map((field) => [field.level, field])).values()];
  return levels.flatMap((one) => levels.map((other): [Field, Field] => [one, other]));
}

function withParam(id: string): string {
  const takes = DIMENSIONS.find((dimension) => dimension.id === id)?.takes;
  if (takes === 'attribute') return `${id}:gender`;
  return takes === 'key' ? `${id}:plan` : id;
}

it('the report fields list the keys of params and the goals of the site, and of no other', async () => {
  const { pool } = stage.database;
  const other = await createTestSite(pool);
  await recordParamKeys(pool, [
    { siteId: site.id, kind: 'visit', key: 'plan' },
    { siteId: site.id, kind: 'visitor', key: 'tier' },
    { siteId: site.id, kind: 'event', key: 'кнопка' },
    { siteId: site.id, kind: 'event', key: 'k'.repeat(101) },
    { siteId: other.id, kind: 'event', key: 'theirs' },
  ]);
  const { body } = await ask();
  expect(body.parameters).toMatchObject({ visit_param: ['plan'], event_param: ['кнопка'], visitor_param: ['tier'] });
  expect(body.parameters.value_source).toEqual(expect.arrayContaining(['gender', 'visitor_param:tier']));
  expect(body.goals).toEqual([{ code: 'lead', title: 'lead' }]);
  expect(body.currency).toBe('RUB');
});

it('the report fields keep no more keys per kind than are shown, however many a site sends', async () => {
  const { pool } = stage.database;
  const { id } = await createTestSite(pool);
  for (let part = 0; part < 5; part += 1)
    await recordParamKeys(
      pool,
      Array.from({ length: 150 }, (_, index) => ({ siteId: id, kind: 'event', key: `k${part}-${index}` })),
    );
  const { rows } = await pool.query<{ count: number }>(
    'select count(*)::int as count from site_param_keys where site_id = $1',
    [id],
  );
  expect(rows[0]?.count).toBe(PARAM_KEYS_PER_KIND);
});
