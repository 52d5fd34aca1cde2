/** Surfaces of a project: GET /projects/{id}/surfaces, GET/PUT/DELETE /projects/{id}/surfaces/{surface}. */
import Type from 'typebox';
import { readKeptModels } from '../../../db/training/currentModels.ts';
import {
  deleteSurface,
  findSurface,
  listSurfaces,
  putSurface,
  type ExperimentFault,
} from '../../../db/output/surfaces.ts';
import type { Queryable } from '../../../db/pool.ts';
import { findProject } from '../../../db/accounts/projects.ts';
import { SURFACES_PER_PROJECT, type Surface } from '../../../domain/output/surfaces.ts';
import { strictObject, text } from '../../../domain/schemas/schema.ts';
import { MAX_OUTPUT_BYTES } from '../../../domain/output/requestLimits.ts';
import { filterFaults } from './surfaceDefaultsAndVariants.ts';
import { notFound, validationFailed, type FieldFault } from '../../http/errors.ts';
import { define, pageOf, PROJECT_ID, ProjectPath } from '../cabinetOperation.ts';
import { surfaceOf, SurfaceOutput, SurfacePut, surfaceRules, toSurfaceOutput } from './surfaceFields.ts';

const SurfacePath = strictObject({
  id: PROJECT_ID,
  surface: text(16, { minLength: 1, examples: ['feed'], description: 'Имя, каким его называют запросы и события' }),
});

const putExample = {
  defaults: { limit: 12, max_age_rating: '12+', fields: ['title', 'url'] },
  boosts: [],
  pins: [{ item: 'lesson-42', position: 0 }],
  experiment: {
    id: 'long1',
    from: '2026-12-01T00:00:00.000Z',
    until: '2026-12-15T00:00:00.000Z',
    variants: [
      { name: 'как было', share: 0.5, settings: {} },
      { name: 'длинная', share: 0.5, settings: { limit: 24 } },
    ],
  },
};
const example = { name: 'feed', ...putExample, updated_at: '2026-11-20T09:00:00.000Z' };

export const listProjectSurfaces = define({
  method: 'get',
  path: '/projects/{id}/surfaces',
  operationId: 'listSurfaces',
  tag: 'output',
  summary: 'Места показа с их настройками',
  description: `Все на одной странице: их не больше ${SURFACES_PER_PROJECT}. Место без настроек здесь не названо, запросам это не мешает.`,
  params: ProjectPath,
  replies: {
    200: {
      description: 'Места по имени',
      schema: pageOf(SurfaceOutput, 'SurfacePage'),
      example: { items: [example], next_cursor: null },
    },
  },
  errors: [404],
  async handle({ params }, { pool }) {
    if (!(await findProject(pool, params.id))) throw notFound();
    return {
      status: 200,
      body: { items: (await listSurfaces(pool, params.id)).map(toSurfaceOutput), next_cursor: null },
    };
  },
});

export const getProjectSurface = define({
  method: 'get',
  path: '/projects/{id}/surfaces/{surface}',
  operationId: 'getSurface',
  tag: 'output',
  summary: 'Место показа',
  params: SurfacePath,
  replies: { 200: { description: 'Место', schema: SurfaceOutput, example } },
  errors: [404],
  async handle({ params }, { pool }) {
    const surface = await findSurface(pool, params.id, params.surface);
    if (!surface) throw notFound();
    return { status: 200, body: toSurfaceOutput(surface) };
  },
});

export const putProjectSurface = define({
  method: 'put',
  path: '/projects/{id}/surfaces/{surface}',
  operationId: 'putSurface',
  tag: 'output',
  summary: 'Настроить место показа или заменить настройки целиком',
  description:
    'Действует со следующего запроса, следующие страницы начатой выдачи тоже. Поля запроса сильнее настроек варианта, те сильнее настроек места; названное поле заменяется целиком, null — тоже значение. Фильтры должны подходить к описанным свойствам проекта: иначе unknown_filter. Вариант человека выбирается хешем и остаётся за ним: после регистрации (users/link) — тот, что был у устройства, после входа на другом устройстве — тот, что у учётной записи; запрос без идентификаторов получает вариант наугад. Эксперимент принадлежит одному месту: id, который был у другого, или другие имена вариантов под прежним id — invalid_value.',
  params: SurfacePath,
  body: { schema: SurfacePut, maxBytes: MAX_OUTPUT_BYTES, rules: surfaceRules, example: putExample },
  replies: {
    200: { description: 'Настройки заменены', schema: SurfaceOutput, example },
    201: { description: 'Место настроено', schema: SurfaceOutput, example },
  },
  errors: [404, 413, 422],
  async handle({ params, body }, { pool }) {
    const surface = surfaceOf(params.surface, body);
    const faults = await faultsOf(pool, params.id, surface);
    if (faults.length > 0) throw (await findProject(pool, params.id)) ? validationFailed(faults) : notFound();
    const put = await putSurface(pool, params.id, surface);
    if (put.outcome === 'no_project') throw notFound();
    if (put.outcome === 'full') throw validationFailed([{ field: '', code: 'invalid_value' }]);
    if ('surface' in put) return { status: put.outcome === 'created' ? 201 : 200, body: toSurfaceOutput(put.surface) };
    if (put.outcome === 'models') throw validationFailed(await faultsOf(pool, params.id, surface));
    throw validationFailed([{ field: FIELDS[put.outcome], code: 'invalid_value' }]);
  },
});

export const deleteProjectSurface = define({
  method: 'delete',
  path: '/projects/{id}/surfaces/{surface}',
  operationId: 'deleteSurface',
  tag: 'output',
  summary: 'Убрать настройки места показа',
  description: 'Запросы, которые его называют, отвечают как без настроек. Эксперимент кончается, его отчёт остаётся.',
  params: SurfacePath,
  replies: {
    200: {
      description: 'Настройки убраны',
      schema: Type.Object({ name: Type.String(), deleted: Type.Boolean() }, { title: 'SurfaceDeleted' }),
      example: { name: 'feed', deleted: true },
    },
  },
  errors: [404],
  async handle({ params }, { pool }) {
    if (!(await deleteSurface(pool, params.id, params.surface))) throw notFound();
    return { status: 200, body: { name: params.surface, deleted: true } };
  },
});

const FIELDS: Readonly<Record<Exclude<ExperimentFault, 'models'>, string>> = {
  taken: 'experiment.id',
  too_many: 'experiment.id',
  variants: 'experiment.variants',
};

/** Checks what depends on the project: the properties used in filters, and the models. */
async function faultsOf(
  pool: Queryable,
  projectId: string,
  { defaults, boosts, experiment }: Surface,
): Promise<FieldFault[]> {
  const variants = (experiment?.variants ?? []).map(
    ({ settings }, at) => [`experiment.variants[${at}].settings.`, settings] as const,
  );
  const named = variants.flatMap(([path, { model }]) => (typeof model === 'string' ? [{ path, model }] : []));
  const [filters, kept] = await Promise.all([
    filterFaults(pool, projectId, { 'defaults.': defaults, '': { boosts }, ...Object.fromEntries(variants) }),
    readKeptModels(
      pool,
      projectId,
      named.map(({ model }) => model),
    ),
  ]);
  const published = new Set(kept.map(({ id }) => id));
  const unknown = named.filter(({ model }) => !published.has(model));
  return [...filters, ...unknown.map(({ path }) => ({ field: `${path}model`, code: 'invalid_value' as const }))];
}
