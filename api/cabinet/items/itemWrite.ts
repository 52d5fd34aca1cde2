/** PUT, PATCH and DELETE /projects/{id}/items/{item}: the writes of the content API, for users of the cabinet. */
import { deleteItem, patchItem, putItem } from '../../../db/items/writeItems.ts';
import {
  changeOfPatch,
  contentOfPut,
  ItemPatchRequest,
  ItemPutRequest,
  mediaRule,
} from '../../../domain/schemas/itemFields.ts';
import {
  deleteExample,
  ItemDeleteResponse,
  ItemWriteResponse,
  patchExample,
  putExample,
  refuseInvalid,
  writeExample,
  writeResponse,
} from '../../content/items/itemWrite.ts';
import { notFound } from '../../http/errors.ts';
import { requireActiveProject } from '../projects/activeProject.ts';
import { define, ProjectItemPath } from '../cabinetOperation.ts';

export const putProjectItem = define({
  method: 'put',
  path: '/projects/{id}/items/{item}',
  operationId: 'putProjectItem',
  tag: 'items',
  summary: 'Создать объект или заменить его целиком',
  description:
    'По тем же правилам, что и PUT /items/{id} API контента: повтор того же тела ничего не меняет, непереданные поля очищаются, удаление снимается. Идентификатор — любой, в кодировке URL. Проекту, который приостановлен или в архиве, — 403.',
  params: ProjectItemPath,
  body: { schema: ItemPutRequest, rules: mediaRule, example: putExample },
  replies: {
    200: { description: 'Объект обновлён', schema: ItemWriteResponse, example: writeExample },
    201: { description: 'Объект создан', schema: ItemWriteResponse, example: writeExample },
  },
  errors: [404, 413, 422],
  async handle({ params, body, requestId }, { pool }) {
    await requireActiveProject(pool, params.id);
    const put = {
      projectId: params.id,
      itemId: params.item,
      content: contentOfPut(body),
      origin: 'api' as const,
      requestId,
    };
    const { created, item } = await putItem(pool, put).catch(refuseInvalid);
    return { status: created ? 201 : 200, body: writeResponse(item) };
  },
});

export const patchProjectItem = define({
  method: 'patch',
  path: '/projects/{id}/items/{item}',
  operationId: 'patchProjectItem',
  tag: 'items',
  summary: 'Изменить переданные поля объекта',
  description:
    'null очищает поле; media передаётся целиком. Тип не меняется, удаление не снимается. Проекту, который приостановлен или в архиве, — 403.',
  params: ProjectItemPath,
  body: { schema: ItemPatchRequest, example: patchExample },
  replies: {
    200: { description: 'Объект изменён', schema: ItemWriteResponse, example: { ...writeExample, available: false } },
  },
  errors: [404, 413, 422],
  async handle({ params, body, requestId }, { pool }) {
    await requireActiveProject(pool, params.id);
    const patch = { projectId: params.id, itemId: params.item, patch: changeOfPatch(body), requestId };
    const item = await patchItem(pool, patch).catch(refuseInvalid);
    if (!item) throw notFound();
    return { status: 200, body: writeResponse(item) };
  },
});

export const deleteProjectItem = define({
  method: 'delete',
  path: '/projects/{id}/items/{item}',
  operationId: 'deleteProjectItem',
  tag: 'items',
  summary: 'Удалить объект',
  description:
    'Мягкое удаление: объект уходит из выдачи и поиска, результаты анализа остаются, PUT возвращает его. Повтор отвечает тем же.',
  params: ProjectItemPath,
  replies: { 200: { description: 'Объект удалён', schema: ItemDeleteResponse, example: deleteExample } },
  errors: [404],
  async handle({ params, requestId }, { pool }) {
    const isKnown = await deleteItem(pool, { projectId: params.id, itemId: params.item, requestId });
    if (!isKnown) throw notFound();
    return { status: 200, body: { id: params.item, deleted: true } };
  },
});
