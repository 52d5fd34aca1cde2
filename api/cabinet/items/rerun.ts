/**
 * Reanalysis of a project's items: POST /projects/{id}/rerun; GET /projects/{id}/reruns and …/{rerun}; cancellation:
 * POST …/{rerun}/cancel.
 */
import Type from 'typebox';
import { findProject } from '../../../db/accounts/projects.ts';
import { cancelRerun, findRerun, listReruns, openRerun, type StoredRerun } from '../../../db/reruns/reruns.ts';
import { RERUN_OUTCOMES } from '../../../domain/items/reruns.ts';
import { ITEM_STATUSES, NAMED_STEPS, STEPS } from '../../../domain/analysis/steps.ts';
import { forbidden, notFound, validationFailed } from '../../http/errors.ts';
import { ID_FORMS, pageById, pageQuery, type PageById } from '../../http/paging.ts';
import { dateTime, nullable, oneOf, strictObject, text, type Static } from '../../../domain/schemas/schema.ts';
import { define, pageOf, PROJECT_ID, ProjectPath, UUID } from '../cabinetOperation.ts';

const status = nullable(oneOf(ITEM_STATUSES));

const RerunRequest = strictObject(
  {
    status: Type.Optional(status),
    steps: Type.Optional(nullable(Type.Array(oneOf(NAMED_STEPS), { minItems: 1, maxItems: 100 }))),
    error_code: Type.Optional(
      nullable(
        text(100, {
          minLength: 1,
          description:
            'Только объекты, у которых один из названных шагов (без steps — любой) не выполнен по этой причине',
        }),
      ),
    ),
  },
  { title: 'RerunRequest' },
);

const Rerun = Type.Object(
  {
    id: Type.String(),
    reason: oneOf(['request', 'model']),
    state: oneOf(RERUN_OUTCOMES, {
      description: 'replaced — его место занял анализ после следующей смены моделей; cancelled — остановлен',
    }),
    status,
    steps: nullable(Type.Array(oneOf(STEPS))),
    error_code: nullable(Type.String()),
    seen: Type.Integer({ minimum: 0, description: 'Просмотрено объектов, удалённые в их числе' }),
    done: Type.Integer({ minimum: 0, description: 'Из них поставлено на новый анализ' }),
    created_at: dateTime(),
    updated_at: dateTime(),
  },
  { title: 'Rerun' },
);

const example = {
  id: '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11',
  reason: 'request',
  state: 'running',
  status: 'partial',
  steps: ['summary'],
  error_code: null,
  seen: 0,
  done: 0,
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:00:00.000Z',
};

export const createRerun = define({
  method: 'post',
  path: '/projects/{id}/rerun',
  operationId: 'createRerun',
  tag: 'items',
  summary: 'Проанализировать объекты проекта заново',
  description:
    'Пересчитываются названные шаги и всё, что от них зависит, у объектов названного статуса; без steps — всё, включая подготовку медиа, без status — у всех; с error_code — только у тех, чей шаг не выполнен по этой причине. Объекты ставятся в очередь постепенно (RERUN_ITEMS_PER_SECOND) и позади обычных записей; удалённые и созданные из заказов не затрагиваются. Шаг, который уже ждёт очереди или выполняется, начинается сначала, только если зависит от пересчитываемого. Пока идёт один запрошенный анализ, другой не принимается: 422 с invalid_value без поля. Объём анализа расходуется как обычно. Проекту, который приостановлен или в архиве, — 403.',
  params: ProjectPath,
  body: { schema: RerunRequest, isOptional: true, example: { status: 'partial', steps: ['summary'] } },
  replies: { 202: { description: 'Принято', schema: Rerun, example } },
  errors: [404, 413, 422],
  async handle({ params, body, requestId }, { pool }) {
    const filter = { status: body.status ?? null, steps: body.steps ?? null, code: body.error_code ?? null };
    const rerun = await openRerun(pool, { projectId: params.id, filter, requestId });
    if (rerun === 'unknown_project') throw notFound();
    if (rerun === 'inactive_project') throw forbidden();
    if (rerun === 'running') throw validationFailed([{ field: '', code: 'invalid_value' }]);
    return { status: 202, body: toOutput(rerun) };
  },
});

export const getRerun = define({
  method: 'get',
  path: '/projects/{id}/reruns/{rerun}',
  operationId: 'getRerun',
  tag: 'items',
  summary: 'Как далеко новый анализ',
  params: strictObject({ id: PROJECT_ID, rerun: UUID }),
  replies: { 200: { description: 'Новый анализ', schema: Rerun, example } },
  errors: [404],
  async handle({ params }, { pool }) {
    const rerun = await findRerun(pool, params.id, params.rerun);
    if (!rerun) throw notFound();
    return { status: 200, body: toOutput(rerun) };
  },
});

export const listRerunsOperation = define({
  method: 'get',
  path: '/projects/{id}/reruns',
  operationId: 'listReruns',
  tag: 'items',
  summary: 'Новые анализы, последние первыми',
  description: 'И запрошенные, и начатые после смены моделей; законченные хранятся 90 дней.',
  params: ProjectPath,
  query: strictObject(pageQuery),
  replies: {
    200: {
      description: 'Страница новых анализов',
      schema: pageOf(Rerun, 'RerunPage'),
      example: { items: [example], next_cursor: null },
    },
  },
  errors: [404],
  async handle({ params, query }, { pool }) {
    const list = async (page: PageById) => {
      if (!(await findProject(pool, params.id))) throw notFound();
      return listReruns(pool, params.id, page);
    };
    return { status: 200, body: await pageById(query, ID_FORMS.uuid, list, toOutput) };
  },
});

export const cancelRerunOperation = define({
  method: 'post',
  path: '/projects/{id}/reruns/{rerun}/cancel',
  operationId: 'cancelRerun',
  tag: 'items',
  summary: 'Остановить новый анализ',
  description:
    'Больше ничего в очередь не ставится; объекты, которые уже стоят в ней, анализируются. Законченный анализ остаётся каким был.',
  params: strictObject({ id: PROJECT_ID, rerun: UUID }),
  replies: { 200: { description: 'Новый анализ', schema: Rerun, example: { ...example, state: 'cancelled' } } },
  errors: [404],
  async handle({ params }, { pool }) {
    const rerun = await cancelRerun(pool, params.id, params.rerun);
    if (!rerun) throw notFound();
    return { status: 200, body: toOutput(rerun) };
  },
});

type FilterFields = Pick<Static<typeof Rerun>, 'status' | 'steps' | 'error_code'>;

function filterFieldsOf(filter: StoredRerun['filter']): FilterFields {
  if ('models' in filter)
    return { status: null, steps: STEPS.filter((step) => step in filter.models), error_code: null };
  return { status: filter.status, steps: filter.steps, error_code: filter.code ?? null };
}

function toOutput({
  id,
  reason,
  state,
  filter,
  seen,
  done,
  cancelledAt,
  createdAt,
  updatedAt,
}: StoredRerun): Static<typeof Rerun> {
  return {
    id,
    reason,
    state: cancelledAt === null ? state : 'cancelled',
    ...filterFieldsOf(filter),
    seen,
    done,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}
