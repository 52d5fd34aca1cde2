/** Visitors of a site: DELETE /sites/{id}/visitors/{visitor_id}. */
import Type from 'typebox';
import { findSite } from '../../../db/sites/sites.ts';
import { deleteVisitor as deleteVisitorOf } from '../../../db/siteDeletions/visitorDeletionRequests.ts';
import { strictObject } from '../../../domain/schemas/schema.ts';
import { notFound } from '../../http/errors.ts';
import { define, SITE_ID, VISITOR_ID } from '../cabinetOperation.ts';

export const deleteVisitor = define({
  method: 'delete',
  path: '/sites/{id}/visitors/{visitor_id}',
  operationId: 'deleteVisitor',
  tag: 'visitors',
  summary: 'Удалить всё о посетителе',
  description:
    'Хиты, визиты, достижения целей, заказы, данные и записи сессий. Выполняется ближайшим запуском расписания visitor-deletions (раз в час), файлы отчётов очищаются ещё примерно через полчаса. Готовые выгрузки отчётов сайта удаляются: в них может быть он. Повтор отвечает тем же, неизвестный посетитель — тоже. Если он придёт снова, он будет новым.',
  params: strictObject({ id: SITE_ID, visitor_id: VISITOR_ID }),
  replies: {
    202: {
      description: 'Удаление принято',
      schema: Type.Object({ visitor_id: Type.String(), accepted: Type.Boolean() }, { title: 'VisitorDeletion' }),
      example: { visitor_id: '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11', accepted: true },
    },
  },
  errors: [404],
  async handle({ params }, { pool, ledgerKey }) {
    if (!(await findSite(pool, params.id))) throw notFound();
    const visitorId = params.visitor_id.toLowerCase();
    await deleteVisitorOf(pool, ledgerKey, { siteId: params.id, visitorId });
    return { status: 202, body: { visitor_id: visitorId, accepted: true } };
  },
});
