/** POST /users/delete */
import Type from 'typebox';
import { deleteUser } from '../../../db/people/deleteUser.ts';
import { strictObject } from '../../../domain/schemas/schema.ts';
import { define } from '../contentOperation.ts';
import { EndUserIds, requireIdentifiers } from '../endUser.ts';

const UserDeleteRequest = strictObject({ user: EndUserIds }, { title: 'UserDeleteRequest' });
const UserDeleteResponse = Type.Object(
  { deleted: Type.Boolean({ description: 'false — пользователь неизвестен' }) },
  { title: 'UserDeleteResponse' },
);

export const deleteUserOperation = define({
  method: 'post',
  path: '/users/delete',
  operationId: 'deleteUser',
  tag: 'users',
  summary: 'Удалить данные о пользователе',
  description:
    'Сразу после ответа недоступны идентификаторы, входы с устройств, события, заказы и профиль, в том числе связанных устройств. ' +
    'Удаляется всё, что называет любой из идентификаторов; по анонимному идентификатору связанного устройства — его учётная запись. ' +
    'Статистика объектов остаётся обезличенной.',
  body: { schema: UserDeleteRequest, example: { user: { user_id: 'user-7' } } },
  replies: { 200: { description: 'Результат', schema: UserDeleteResponse, example: { deleted: true } } },
  errors: [413, 422],
  async handle({ caller, body, requestId }, { pool, ledgerKey }) {
    const deleted = await deleteUser(pool, {
      projectId: caller.projectId,
      identifiers: requireIdentifiers(body.user, caller.fingerprints),
      requestId,
      ledgerKey,
    });
    return { status: 200, body: { deleted } };
  },
});
