/** Event types of a project: GET /projects/{id}/event-types, PUT /projects/{id}/event-types/{code}. */
import Type from 'typebox';
import { listEventTypes, putEventType } from '../../../db/events/eventTypes.ts';
import { findProject } from '../../../db/accounts/projects.ts';
import { DEFAULT_EVENT_TYPES, MAX_TYPES } from '../../../domain/events/eventTypes.ts';
import { EventTypeOut, eventTypeOf, EventTypePut, toEventTypeOut } from '../../content/events/eventTypeFields.ts';
import { notFound, validationFailed } from '../../http/errors.ts';
import { strictObject } from '../../../domain/schemas/schema.ts';
import { define, pageOf, PROJECT_ID, ProjectPath } from '../cabinetOperation.ts';

const EventTypePath = strictObject({
  id: PROJECT_ID,
  code: Type.String({ pattern: '^[A-Za-z0-9._:-]{1,64}$', examples: ['subscribe'] }),
});

const example = {
  ...DEFAULT_EVENT_TYPES[0],
  code: 'subscribe',
  title: 'Подписка',
  weight: 5,
  is_impression: false,
  is_goal: true,
  dedup_window_sec: 60,
};
const { code: _code, ...putExample } = example;

export const listProjectEventTypes = define({
  method: 'get',
  path: '/projects/{id}/event-types',
  operationId: 'listProjectEventTypes',
  tag: 'eventTypes',
  summary: 'Типы событий проекта, отключённые тоже',
  description: `Все на одной странице: их не больше ${MAX_TYPES}.`,
  params: ProjectPath,
  replies: {
    200: {
      description: 'Типы событий по коду',
      schema: pageOf(EventTypeOut, 'EventTypePage'),
      example: { items: [example], next_cursor: null },
    },
  },
  errors: [404],
  async handle({ params }, { pool }) {
    if (!(await findProject(pool, params.id))) throw notFound();
    const types = await listEventTypes(pool, params.id);
    return { status: 200, body: { items: types.map(toEventTypeOut), next_cursor: null } };
  },
});

export const putProjectEventType = define({
  method: 'put',
  path: '/projects/{id}/event-types/{code}',
  operationId: 'putEventType',
  tag: 'eventTypes',
  summary: 'Создать тип события или заменить его целиком',
  description:
    'Действует сразу. Режим и признак показа меняются только до первого события типа; тип с признаком покупки — один в проекте. Типы не удаляются, а отключаются: is_active.',
  params: EventTypePath,
  body: { schema: EventTypePut, example: putExample },
  replies: {
    200: { description: 'Тип заменён', schema: EventTypeOut, example },
    201: { description: 'Тип создан', schema: EventTypeOut, example },
  },
  errors: [404, 413, 422],
  async handle({ params, body }, { pool }) {
    const type = eventTypeOf(params.code, body);
    const result = await putEventType(pool, params.id, type);
    if (result.outcome === 'no_project') throw notFound();
    if (result.outcome === 'refused')
      throw validationFailed(result.fields.map((field) => ({ field, code: 'invalid_value' })));
    return { status: result.outcome === 'created' ? 201 : 200, body: toEventTypeOut(type) };
  },
});
