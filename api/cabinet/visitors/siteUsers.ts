/** Deletes users of a site by the site's own ids: DELETE /sites/{id}/users/{user_id}. */
import Type from 'typebox';
import { ID_MAX_LENGTH } from '../../../domain/idLength.ts';
import { findSite } from '../../../db/sites/sites.ts';
import { deleteSiteUser as deleteUserOf } from '../../../db/siteDeletions/userDeletions.ts';
import { strictObject, text } from '../../../domain/schemas/schema.ts';
import { notFound } from '../../http/errors.ts';
import { define, SITE_ID } from '../cabinetOperation.ts';

export const deleteSiteUser = define({
  method: 'delete',
  path: '/sites/{id}/users/{user_id}',
  operationId: 'deleteSiteUser',
  tag: 'sites',
  summary: 'Удалить всё о пользователе сайта',
  description:
    'Значения, контакты, интересы и то, что другие сайты сети видят по ним; достижения целей и заказы, где назван пользователь; и все посетители, которых когда-либо с ним связали, — целиком, как в deleteVisitor. Выполняется ближайшим запуском расписания visitor-deletions (раз в час; очень много посетителей — за несколько запусков), файлы отчётов очищаются ещё примерно через полчаса. Готовые выгрузки отчётов сайта удаляются: в них может быть он. Повтор отвечает тем же, неизвестный пользователь — тоже. О ком сайт расскажет после этого снова, тот будет новым.',
  params: strictObject({
    id: SITE_ID,
    user_id: text(ID_MAX_LENGTH, {
      minLength: 1,
      description: 'Id пользователя на сайте, в адресе — с процентным кодированием',
      examples: ['user-7'],
    }),
  }),
  replies: {
    202: {
      description: 'Удаление принято',
      schema: Type.Object({ user_id: Type.String(), accepted: Type.Boolean() }, { title: 'SiteUserDeletion' }),
      example: { user_id: 'user-7', accepted: true },
    },
  },
  errors: [404],
  async handle({ params }, { pool, ledgerKey }) {
    if (!(await findSite(pool, params.id))) throw notFound();
    await deleteUserOf(pool, ledgerKey, { siteId: params.id, userId: params.user_id });
    return { status: 202, body: { user_id: params.user_id, accepted: true } };
  },
});
