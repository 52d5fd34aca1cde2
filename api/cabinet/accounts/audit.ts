/** The audit trail: GET /audit. */
import Type from 'typebox';
import { listAuditEntries, type StoredAuditEntry } from '../../../db/accounts/auditLog.ts';
import { parseOptionalDateTime } from '../../../domain/dateTime.ts';
import { dateTime, nullable, strictObject, type Static } from '../../../domain/schemas/schema.ts';
import { ID_FORMS, pageById, pageQuery } from '../../http/paging.ts';
import { define, pageOf, PROJECT_ID, UUID } from '../cabinetOperation.ts';

const AuditEntry = Type.Object(
  {
    id: Type.String(),
    at: dateTime(),
    actor: Type.String({ description: 'E-mail пользователя или имя токена установки' }),
    user_id: nullable(Type.String()),
    token_id: nullable(Type.String({ description: 'null — сессия' })),
    ip: Type.String(),
    operation: Type.String({ description: 'operationId из этого описания' }),
    params: Type.Record(Type.String(), Type.String(), {
      description: 'Параметры пути, без id посетителей и пользователей сайтов',
    }),
    fields: Type.Array(Type.String(), { description: 'Имена переданных полей; значений журнал не хранит' }),
    status: Type.Integer({ description: 'Чем ответил сервер' }),
    request_id: Type.String(),
  },
  { title: 'AuditEntry' },
);

const example = {
  id: '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11',
  at: '2026-11-20T09:00:00.000Z',
  actor: 'anna@example.com',
  user_id: '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c12',
  token_id: null,
  ip: '203.0.113.7',
  operation: 'patchProject',
  params: { id: 'a1b2c3d4e5f6' },
  fields: ['title'],
  status: 200,
  request_id: 'b4f9c1d2',
};

export const listAudit = define({
  method: 'get',
  path: '/audit',
  operationId: 'listAudit',
  tag: 'audit',
  summary: 'Журнал изменений, новые первыми',
  description:
    'Кто, что, когда и откуда менял через это API, входы и неудачные входы тоже. Администратор видит всё; владелец — то, что касается его проектов и сайтов, и свои действия. Хранится AUDIT_DAYS дней (365).',
  access: 'owner',
  query: strictObject({
    ...pageQuery,
    project: Type.Optional(PROJECT_ID),
    site: Type.Optional(PROJECT_ID),
    user: Type.Optional(UUID),
    operation: Type.Optional(Type.String({ maxLength: 100 })),
    since: Type.Optional(dateTime({ description: 'Не раньше' })),
    until: Type.Optional(dateTime({ description: 'Раньше' })),
  }),
  replies: {
    200: {
      description: 'Страница журнала',
      schema: pageOf(AuditEntry, 'AuditPage'),
      example: { items: [example], next_cursor: null },
    },
  },
  errors: [],
  async handle({ caller, query }, { pool }) {
    const reader = {
      scope: caller.role === 'admin' ? null : (caller.scope ?? EMPTY_SCOPE),
      userId: caller.user?.id ?? null,
    };
    const filter = {
      project: query.project ?? null,
      site: query.site ?? null,
      user: query.user ?? null,
      operation: query.operation ?? null,
      since: parseOptionalDateTime(query.since),
      until: parseOptionalDateTime(query.until),
    };
    const list = (page: { after: string | null; limit: number }) => listAuditEntries(pool, reader, filter, page);
    return { status: 200, body: await pageById(query, ID_FORMS.uuid, list, toOutput) };
  },
});

/** The scope of an installation token with the role of an owner, which owns nothing. */
const EMPTY_SCOPE = { projects: [], sites: [] };

function toOutput(entry: StoredAuditEntry): Static<typeof AuditEntry> {
  const { id, actor, ip, operation, status } = entry;
  return {
    id,
    at: entry.at.toISOString(),
    actor,
    user_id: entry.userId,
    token_id: entry.tokenId,
    ip,
    operation,
    params: { ...entry.params },
    fields: [...entry.fields],
    status,
    request_id: entry.requestId,
  };
}
