/** Sessions of the current user: GET /sessions, DELETE /sessions/{id}. */
import Type from 'typebox';
import { deleteSessionOf, listSessions, type StoredSession } from '../../../db/accounts/sessions.ts';
import { dateTime, strictObject, type Static } from '../../../domain/schemas/schema.ts';
import { notFound } from '../../http/errors.ts';
import { ID_FORMS, pageById, type PageById, pageQuery } from '../../http/paging.ts';
import { define, pageOf, UUID } from '../cabinetOperation.ts';

const Session = Type.Object(
  {
    id: Type.String(),
    created_at: dateTime({ description: 'Когда вошли' }),
    last_used_at: dateTime({ description: 'С точностью до минуты' }),
    is_current: Type.Boolean({ description: 'Сессия этого запроса' }),
  },
  { title: 'Session' },
);

const example = {
  id: '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11',
  created_at: '2026-11-20T09:00:00.000Z',
  last_used_at: '2026-11-20T12:30:00.000Z',
  is_current: true,
};

export const listSessionsOperation = define({
  method: 'get',
  path: '/sessions',
  operationId: 'listSessions',
  tag: 'session',
  summary: 'Свои сессии, которые действуют',
  description: 'Токену установки отвечает 404: сессии — у пользователей.',
  access: 'viewer',
  query: strictObject(pageQuery),
  replies: {
    200: {
      description: 'Страница сессий в порядке входа',
      schema: pageOf(Session, 'SessionPage'),
      example: { items: [example], next_cursor: null },
    },
  },
  errors: [404],
  async handle({ caller, query }, { pool }) {
    const { user, sessionHash: asking } = caller;
    const list = (page: PageById) => {
      if (user === null) throw notFound();
      return listSessions(pool, { userId: user.id, asking }, page);
    };
    return { status: 200, body: await pageById(query, ID_FORMS.uuid, list, toOutput) };
  },
});

export const endSession = define({
  method: 'delete',
  path: '/sessions/{id}',
  operationId: 'endSession',
  tag: 'session',
  summary: 'Завершить свою сессию',
  description: 'Действует сразу. Завершённая и чужая сессия — 404.',
  access: 'viewer',
  params: strictObject({ id: UUID }),
  replies: {
    200: {
      description: 'Сессия завершена',
      schema: Type.Object({ id: Type.String(), ended: Type.Boolean() }, { title: 'SessionEnded' }),
      example: { id: example.id, ended: true },
    },
  },
  errors: [404],
  async handle({ caller, params }, { pool }) {
    if (caller.user === null || !(await deleteSessionOf(pool, caller.user.id, params.id))) throw notFound();
    return { status: 200, body: { id: params.id, ended: true } };
  },
});

function toOutput({ id, createdAt, lastUsedAt, isCurrent }: StoredSession): Static<typeof Session> {
  return {
    id,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt.toISOString(),
    is_current: isCurrent,
  };
}
