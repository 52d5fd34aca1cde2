/** New analysis of a project's items: POST /projects/{id}/rerun, GET /projects/{id}/reruns/{rerun}. */
import Type from 'typebox';
import { findProject } from '../../db/projects.ts';
import { findRerun, openRerun, type StoredRerun } from '../../db/reruns.ts';
import { ITEM_STATUSES, NAMED_STEPS, STEPS } from '../../domain/steps.ts';
import { notFound, validationFailed } from '../http/errors.ts';
import { dateTime, nullable, oneOf, strictObject, type Static } from '../../schemas/schema.ts';
import { define, PROJECT_ID, ProjectPath, UUID } from './define.ts';

const status = nullable(oneOf(ITEM_STATUSES));

const RerunRequest = strictObject(
  {
    status: Type.Optional(status),
    steps: Type.Optional(nullable(Type.Array(oneOf(NAMED_STEPS), { minItems: 1, maxItems: 100 }))),
  },
  { title: 'RerunRequest' },
);

const Rerun = Type.Object(
  {
    id: Type.String(),
    reason: oneOf(['request', 'model']),
    state: oneOf(['running', 'done', 'replaced']),
    status,
    steps: nullable(Type.Array(oneOf(STEPS))),
    seen: Type.Integer({ minimum: 0, description: 'Просмотрено объектов' }),
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
    'Пересчитываются названные шаги и всё, что от них зависит, у объектов названного статуса; без steps — всё, включая подготовку медиа, без status — у всех. Объекты ставятся в очередь постепенно (RERUN_ITEMS_PER_SECOND) и позади обычных записей; удалённые и созданные из заказов не затрагиваются. Шаг, который уже ждёт очереди или выполняется, начинается сначала, только если зависит от пересчитываемого. Пока идёт один запрошенный анализ, другой не принимается: 422 с invalid_value без поля. Объём анализа расходуется как обычно.',
  params: ProjectPath,
  body: { schema: RerunRequest, isOptional: true, example: { status: 'partial', steps: ['summary'] } },
  replies: { 202: { description: 'Принято', schema: Rerun, example } },
  errors: [404, 413, 422],
  async handle({ params, body, requestId }, { pool }) {
    if (!(await findProject(pool, params.id))) throw notFound();
    const filter = { status: body.status ?? null, steps: body.steps ?? null };
    const rerun = await openRerun(pool, { projectId: params.id, filter, requestId });
    if (!rerun) throw validationFailed([{ field: '', code: 'invalid_value' }]);
    return { status: 202, body: toOutput(rerun) };
  },
});

export const getRerun = define({
  method: 'get',
  path: '/projects/{id}/reruns/{rerun}',
  operationId: 'getRerun',
  tag: 'items',
  summary: 'Как далеко новый анализ',
  description: 'replaced — его место занял анализ после следующей смены моделей.',
  params: strictObject({ id: PROJECT_ID, rerun: UUID }),
  replies: { 200: { description: 'Новый анализ', schema: Rerun, example } },
  errors: [404],
  async handle({ params }, { pool }) {
    const rerun = await findRerun(pool, params.id, params.rerun);
    if (!rerun) throw notFound();
    return { status: 200, body: toOutput(rerun) };
  },
});

function toOutput({ id, reason, state, filter, seen, done, createdAt, updatedAt }: StoredRerun): Static<typeof Rerun> {
  const asked = 'models' in filter ? { status: null, steps: STEPS.filter((step) => step in filter.models) } : filter;
  return {
    id,
    reason,
    state,
    status: asked.status,
    steps: asked.steps,
    seen,
    done,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}
