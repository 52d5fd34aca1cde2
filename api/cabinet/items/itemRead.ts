/** GET /projects/{id}/items/{item}: an item with its analysis and the state of each step. */
import Type from 'typebox';
import { readItem, type StoredItem } from '../../../db/items/readItem.ts';
import { mapSteps, STEP_STATES } from '../../../domain/analysis/steps.ts';
import { dateTime, nullable, oneOf, strictObject, type Static } from '../../../domain/schemas/schema.ts';
import { itemExample } from '../../content/items/itemExample.ts';
import { detailOf, INCLUDES, includeOf, ItemDetail, MediaOut } from '../../content/items/itemRead.ts';
import { notFound } from '../../http/errors.ts';
import { define, ProjectItemPath, type CabinetDeps } from '../cabinetOperation.ts';
import { evidenceExample, evidenceOf, ModerationEvidence } from './itemEvidence.ts';

const OWN_INCLUDES = ['body', 'evidence'] as const;

const StepDetail = Type.Object(
  {
    state: oneOf(STEP_STATES),
    model: nullable(Type.String({ description: 'Чем получен результат; null, если это неизвестно' })),
    retry_at: nullable(dateTime({ description: 'Когда отложенный шаг будет повторён' })),
  },
  { title: 'StepDetail' },
);

const PlayedMedium = Type.Object(
  {
    ...MediaOut.properties,
    version: nullable(Type.String({ description: 'Как передано; при другой версии медиа обрабатывается заново' })),
    play_url: Type.String({ description: 'То же медиа с адреса сервиса: подписанная ссылка, действует час' }),
  },
  { title: 'PlayedMedium' },
);

export const CabinetItemDetail = Type.Object(
  {
    ...ItemDetail.properties,
    media: Type.Array(PlayedMedium),
    steps: Type.Object(
      mapSteps(() => StepDetail),
      { title: 'StepDetails' },
    ),
    body: Type.Optional(nullable(Type.String({ description: 'Только при include=body' }))),
    evidence: Type.Optional(
      Type.Array(ModerationEvidence, {
        description: 'Только при include=evidence: на чём основана модерация, с местом в объекте',
      }),
    ),
  },
  { title: 'CabinetItemDetail' },
);

const step = { state: 'done', model: null, retry_at: null };
const example = {
  ...itemExample,
  media: itemExample.media.map((medium) => ({
    ...medium,
    version: null,
    play_url: 'https://attune.example.com/media/original/abc.def',
  })),
  steps: mapSteps(() => step),
  body: null,
  evidence: [evidenceExample],
};

export const getProjectItem = define({
  method: 'get',
  path: '/projects/{id}/items/{item}',
  operationId: 'getProjectItem',
  tag: 'items',
  summary: 'Объект с результатами анализа',
  description:
    'То же, что отвечает API контента, и ход анализа по шагам. Идентификатор — любой, в кодировке URL. Удалённый объект возвращается с deleted=true.',
  params: ProjectItemPath,
  query: strictObject({
    include: Type.Optional(
      Type.Array(oneOf([...INCLUDES, ...OWN_INCLUDES]), { description: 'Что приложить, через запятую' }),
    ),
  }),
  replies: { 200: { description: 'Объект', schema: CabinetItemDetail, example } },
  errors: [404],
  async handle({ params, query }, deps) {
    const included = query.include ?? [];
    const shared = included.filter((one) => one !== 'body' && one !== 'evidence');
    const include = { ...includeOf(shared), body: included.includes('body') };
    const item = await readItem(deps.pool, params.id, params.item, include);
    if (!item) throw notFound();
    const body: Static<typeof CabinetItemDetail> = {
      ...detailOf(item, deps),
      media: playableMediaOf(item, params.id, deps),
      steps: stepsOf(item),
      ...(item.body !== undefined && { body: item.body }),
      ...(included.includes('evidence') && { evidence: await evidenceOf(deps.pool, params.id, item) }),
    };
    return { status: 200, body };
  },
});

function playableMediaOf(item: StoredItem, projectId: string, deps: CabinetDeps): Static<typeof PlayedMedium>[] {
  return item.media.map(({ mediumId: _id, durationSec, ...medium }) => ({
    ...medium,
    duration_sec: durationSec,
    play_url: deps.originalUrl({ projectId, itemId: item.id, position: medium.position }),
  }));
}

function stepsOf(item: StoredItem): Static<typeof CabinetItemDetail>['steps'] {
  return mapSteps((name) => {
    const { model = null, retryAt } = item.steps[name];
    // As in `processing`: a step that waits for a deferred one is deferred, too.
    return { state: item.processing[name], model, retry_at: retryAt };
  });
}
