/** Models of recommendations: GET /projects/{id}/output/models, POST /projects/{id}/output/train. */
import Type from 'typebox';
import { listModels, openTraining, type StoredModel } from '../../../db/training/models.ts';
import { findProject } from '../../../db/accounts/projects.ts';
import { MODEL_KINDS, MODEL_REASONS, MODEL_STATES } from '../../../domain/training/models.ts';
import { dateTime, nullable, oneOf, strictObject, type Static } from '../../../domain/schemas/schema.ts';
import { notFound, validationFailed } from '../../http/errors.ts';
import { ID_FORMS, pageById, type PageById, pageQuery } from '../../http/paging.ts';
import { requireActiveProject } from '../projects/activeProject.ts';
import { define, pageOf, ProjectPath } from '../cabinetOperation.ts';

const count = (description: string) =>
  nullable(Type.Integer({ minimum: 0, description: `${description}; null, пока не прочитано` }));
const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const Model = Type.Object(
  {
    id: Type.String(),
    kind: oneOf(MODEL_KINDS, {
      description:
        'full — обучение на всех событиях; changes — обновление опубликованной модели там, где что-то изменилось',
    }),
    state: oneOf(MODEL_STATES, {
      description:
        'Действует та из published, что закончена последней. Пока таких нет, по последней rejected подбирается только то, что заказывают вместе (/recommendations/together)',
    }),
    started_at: dateTime(),
    finished_at: nullable(dateTime()),
    events: count('Положительных событий, по которым обучена'),
    items: count('Объектов'),
    people: count('Пользователей'),
    quality: nullable(
      Type.Object(
        {
          ndcg: share(
            'nDCG@10 на последнем отрезке времени, а если в нём вернулось меньше 20 пользователей — на последнем новом объекте каждого',
          ),
          recall: share('recall@10 там же'),
          popular_7d: share(
            'nDCG@10 там же у популярного за 7 дней до этого отрезка, а без него — за последние 7 дней',
          ),
        },
        { title: 'ModelQuality', description: 'У changes — качество модели, которую она обновляет' },
      ),
    ),
    reason: nullable(
      oneOf(MODEL_REASONS, {
        description:
          'Почему не опубликована: too_little_data — мало событий или вернувшихся пользователей; below_popularity — не лучше популярного; internal — обучение не удалось',
      }),
    ),
  },
  { title: 'Model' },
);

const running = {
  id: '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11',
  kind: 'full',
  state: 'training',
  started_at: '2026-11-20T00:35:00.000Z',
  finished_at: null,
  events: null,
  items: null,
  people: null,
  quality: null,
  reason: null,
};
const published = {
  ...running,
  state: 'published',
  finished_at: '2026-11-20T00:36:10.000Z',
  events: 1_048_576,
  items: 9_870,
  people: 41_250,
  quality: { ndcg: 0.1873, recall: 0.1621, popular_7d: 0.0944 },
};

export const listModelsOperation = define({
  method: 'get',
  path: '/projects/{id}/output/models',
  operationId: 'listModels',
  tag: 'output',
  summary: 'Модели рекомендаций, последние первыми',
  params: ProjectPath,
  query: strictObject(pageQuery),
  replies: {
    200: {
      description: 'Страница моделей',
      schema: pageOf(Model, 'ModelPage'),
      example: { items: [published], next_cursor: null },
    },
  },
  errors: [404],
  async handle({ params, query }, { pool }) {
    const list = async (page: PageById) => {
      if (!(await findProject(pool, params.id))) throw notFound();
      return listModels(pool, params.id, page);
    };
    return { status: 200, body: await pageById(query, ID_FORMS.uuid, list, toOutput) };
  },
});

export const trainModel = define({
  method: 'post',
  path: '/projects/{id}/output/train',
  operationId: 'trainModel',
  tag: 'output',
  summary: 'Обучить модель рекомендаций сейчас',
  description:
    'Обучение на всех событиях проекта. Само оно идёт каждую ночь, а изменения учитываются каждые 10 минут. Модель публикуется, если на последнем отрезке времени она лучше популярного; иначе её состояние — rejected с причиной. Пока проект обучается, другое обучение не принимается: 422 с invalid_value без поля. Проекту, который приостановлен или в архиве, — 403.',
  params: ProjectPath,
  replies: { 202: { description: 'Принято', schema: Model, example: running } },
  errors: [404, 422],
  async handle({ params, requestId }, { pool }) {
    await requireActiveProject(pool, params.id);
    const model = await openTraining(pool, { projectId: params.id, kind: 'full', requestId });
    if (!model) throw validationFailed([{ field: '', code: 'invalid_value' }]);
    return { status: 202, body: toOutput(model) };
  },
});

function toOutput({ id, kind, state, reason, quality, ...rest }: StoredModel): Static<typeof Model> {
  const { startedAt, finishedAt, events, items, people } = rest;
  return {
    id,
    kind,
    state,
    started_at: startedAt.toISOString(),
    finished_at: finishedAt?.toISOString() ?? null,
    events,
    items,
    people,
    quality,
    reason,
  };
}
