/** POST /users/link */
import Type from 'typebox';
import { linkUser } from '../../../db/people/linkUser.ts';
import { nullable, strictObject } from '../../../domain/schemas/schema.ts';
import { define } from '../contentOperation.ts';
import { anonymousId, endUserOf, fingerprintUuid, userId } from '../endUser.ts';

const UserLinkRequest = strictObject(
  {
    user_id: userId,
    anonymous_id: Type.Optional(nullable(anonymousId)),
    fingerprint_uuid: Type.Optional(nullable(fingerprintUuid)),
  },
  { title: 'UserLinkRequest' },
);

const UserLinkResponse = Type.Object(
  {
    merged: Type.Boolean({
      description:
        'Устройство теперь принадлежит этой учётной записи; false — оно уже связано с другой либо не названо',
    }),
    events_moved: Type.Integer({ description: 'Сколько сохранённых событий перешло к учётной записи этим запросом' }),
  },
  { title: 'UserLinkResponse' },
);

export const linkUserOperation = define({
  method: 'post',
  path: '/users/link',
  operationId: 'linkUser',
  tag: 'users',
  summary: 'Связать анонимную историю с учётной записью',
  description:
    'История и данные профиля анонимного посетителя переходят к user_id; заполненные поля профиля учётной записи не меняются. ' +
    'Посетитель находится по anonymous_id, иначе по подтверждённому и не спорному fingerprint_uuid. Повтор безопасен.',
  body: { schema: UserLinkRequest, example: { user_id: 'user-7', anonymous_id: 'a-3f1c' } },
  replies: { 200: { description: 'Результат', schema: UserLinkResponse, example: { merged: true, events_moved: 42 } } },
  errors: [413, 422],
  async handle({ caller, body, requestId }, { pool }) {
    const { anonymousId, fingerprint } = endUserOf(body);
    const { merged, eventsMoved } = await linkUser(pool, {
      projectId: caller.projectId,
      userId: body.user_id,
      anonymousId,
      fingerprint: caller.fingerprints ? fingerprint : null,
      requestId,
    });
    return { status: 200, body: { merged, events_moved: eventsMoved } };
  },
});
