/** Explains why an item is not in a response: POST /projects/{id}/output/obstacles. */
import Type from 'typebox';
import { ID_MAX_LENGTH } from '../../../domain/idLength.ts';
import { findProject } from '../../../db/accounts/projects.ts';
import { OUTPUT_MODES } from '../../../domain/output/recommendationId.ts';
import { OBSTACLES } from '../../../output/serve/obstacles.ts';
import { nullable, oneOf, strictObject, text } from '../../../domain/schemas/schema.ts';
import { MAX_OUTPUT_BYTES } from '../../../domain/output/requestLimits.ts';
import { MAX_RANKED, PLACE_STATES } from './preview/placeOfItem.ts';
import { notFound } from '../../http/errors.ts';
import { define, ProjectPath } from '../cabinetOperation.ts';
import { previewFields } from './outputPreview.ts';

const PlaceOfItem = Type.Object(
  {
    state: oneOf(PLACE_STATES, {
      description:
        'shown — на первой странице; kept_out — не пускают правила; author_limit — места автора заняты; below — ниже; not_ranked — правила не мешают, но подбор до него не доходит',
    }),
    mode: oneOf(OUTPUT_MODES, { description: 'Как в самом ответе' }),
    position: nullable(Type.Integer({ description: 'Место с нуля; null — на странице его нет' })),
    rank: nullable(
      Type.Integer({
        description: `Какой по счёту без ограничений страницы, с единицы; null — не среди первых ${MAX_RANKED} или не пускают правила`,
      }),
    ),
    obstacles: Type.Array(
      Type.Object(
        {
          code: oneOf(OBSTACLES),
          value: nullable(
            Type.String({ description: 'Что у объекта мешает: тип, автор, рейтинг, время; у filter — свойство' }),
          ),
        },
        { title: 'OutputObstacle' },
      ),
      { description: 'Все правила, которые не пускают объект' },
    ),
  },
  { title: 'PlaceOfItem' },
);

export const findOutputObstacles = define({
  method: 'post',
  path: '/projects/{id}/output/obstacles',
  operationId: 'findObstacles',
  tag: 'output',
  summary: 'Почему объекта нет в выдаче',
  description:
    'Тот же запрос, что у просмотра выдачи, и объект, о котором спрашивают. Отвечает по тем же правилам, что и сама выдача: что не пускает объект, а если ничего — где он стоит. ' +
    'Ничего не запоминается. Путь search/suggest и cursor не принимаются. Объекта, которого никогда не было, — obstacles с кодом unknown.',
  access: 'viewer',
  params: ProjectPath,
  body: {
    schema: strictObject(
      { item: text(ID_MAX_LENGTH, { minLength: 1 }), ...previewFields },
      { title: 'OutputObstacles' },
    ),
    maxBytes: MAX_OUTPUT_BYTES,
    example: { item: 'lesson-42', path: 'feed', request: { user: { user_id: 'user-7' }, surface: 'feed' } },
  },
  replies: {
    200: {
      description: 'Место объекта или то, что его не пускает',
      schema: PlaceOfItem,
      example: {
        state: 'kept_out',
        mode: 'personal',
        position: null,
        rank: null,
        obstacles: [{ code: 'seen', value: null }],
      },
    },
  },
  errors: [404, 413, 422],
  async handle({ params, body }, { pool, findPlace }) {
    const project = await findProject(pool, params.id);
    if (!project) throw notFound();
    const asked = { path: body.path, request: body.request, isPersonal: body.personalization ?? true };
    const { id: projectId, fingerprints } = project;
    const found = await findPlace({ projectId, fingerprints }, asked, body.item);
    return { status: 200, body: { ...found, obstacles: [...found.obstacles] } };
  },
});
