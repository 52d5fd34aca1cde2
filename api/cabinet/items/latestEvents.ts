/** The events that a project has sent last: GET /projects/{id}/events/latest. */
import Type from 'typebox';
import { listLatestEvents, MAX_LATEST_FACTS } from '../../../db/events/latest.ts';
import { listRejections } from '../../../db/events/rejections.ts';
import { findProject } from '../../../db/accounts/projects.ts';
import { strictObject } from '../../../domain/schemas/schema.ts';
import { notFound } from '../../http/errors.ts';
import { define, ProjectPath } from '../cabinetOperation.ts';
import {
  eventExample,
  eventOf,
  eventType,
  ProjectEvent,
  RejectedEvent,
  rejectionExample,
  rejectionOf,
  thousands,
} from './eventRecords.ts';

const MAX_LATEST = 200;
const DEFAULT_LATEST = 50;

const LatestEvents = Type.Object(
  {
    items: Type.Array(ProjectEvent, { description: 'Полученные последними — первыми' }),
    rejected: Type.Array(RejectedEvent, { description: 'Отклонённые за сутки, полученные последними — первыми' }),
  },
  { title: 'LatestEvents' },
);

export const listLatestProjectEvents = define({
  method: 'get',
  path: '/projects/{id}/events/latest',
  operationId: 'listLatestProjectEvents',
  tag: 'events',
  summary: 'События, полученные последними, и отклонённые',
  description:
    'Чтобы смотреть, как события приходят. Показов здесь нет: они только считаются. Из max и state — то, что за последний час изменилось и действует сейчас, до 50 из одного запроса; ' +
    'все их показывает listProjectEvents. Отклонённые хранятся сутки, из проекта — до 10 000. Об удалённых пользователях ничего нет.',
  params: ProjectPath,
  query: strictObject({
    type: eventType(`среди ${thousands(MAX_LATEST_FACTS)} последних`),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_LATEST,
        default: DEFAULT_LATEST,
        description: 'Столько принятых и столько отклонённых',
      }),
    ),
  }),
  replies: {
    200: {
      description: 'Последние события',
      schema: LatestEvents,
      example: { items: [eventExample], rejected: [rejectionExample] },
    },
  },
  errors: [404],
  async handle({ params, query }, { pool }) {
    if (!(await findProject(pool, params.id))) throw notFound();
    const [type, limit] = [query.type ?? null, query.limit ?? DEFAULT_LATEST];
    const events = await listLatestEvents(pool, params.id, { type, limit });
    const rejected = await listRejections(pool, params.id, { identifiers: [], item: null, type, limit });
    return { status: 200, body: { items: events.map(eventOf), rejected: rejected.map(rejectionOf) } };
  },
});
