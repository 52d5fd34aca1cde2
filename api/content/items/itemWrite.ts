/** PUT, PATCH, DELETE /items/{id} and POST /items/{id}/reprocess. */
import Type from 'typebox';
import { deleteItem, patchItem, putItem, reprocessItem } from '../../../db/items/writeItems.ts';
import { InvalidItemError, type ItemHead } from '../../../domain/items/item.ts';
import { ITEM_STATUSES, mapSteps, statesOf } from '../../../domain/analysis/steps.ts';
import { notFound, validationFailed } from '../../http/errors.ts';
import { oneOf } from '../../../domain/schemas/schema.ts';
import { define } from '../contentOperation.ts';
import {
  changeOfPatch,
  contentOfPut,
  ItemPatchRequest,
  ItemPutRequest,
  mediaRule,
} from '../../../domain/schemas/itemFields.ts';
import { ItemPath } from './itemPath.ts';
import { Processing, ReprocessRequest } from './stepSchemas.ts';

export const ItemWriteResponse = Type.Object(
  {
    id: Type.String(),
    status: oneOf(ITEM_STATUSES),
    available: Type.Boolean(),
    deleted: Type.Boolean(),
    processing: Processing,
  },
  { title: 'ItemWriteResponse' },
);

export const ItemDeleteResponse = Type.Object(
  { id: Type.String(), deleted: Type.Boolean() },
  { title: 'ItemDeleteResponse' },
);

export const writeExample = {
  id: 'lesson-42',
  status: 'queued',
  available: true,
  deleted: false,
  processing: mapSteps(() => 'queued'),
};

export const putExample = {
  type: 'video',
  title: 'Урок 42',
  media: [{ kind: 'video', url: 'https://cdn.example.com/lesson-42.mp4', version: '1' }],
  properties: { level: 'B1' },
};

export const patchExample = { title: 'Урок 42. Глаголы', available: false };
export const deleteExample = { id: 'lesson-42', deleted: true };

export const putItemOperation = define({
  method: 'put',
  path: '/items/{id}',
  operationId: 'putItem',
  tag: 'items',
  summary: 'Создать объект или заменить его целиком',
  description: 'Идемпотентно: повтор того же тела ничего не меняет. Непереданные поля очищаются. Снимает удаление.',
  params: ItemPath,
  body: { schema: ItemPutRequest, rules: mediaRule, example: putExample },
  replies: {
    200: { description: 'Объект обновлён', schema: ItemWriteResponse, example: writeExample },
    201: { description: 'Объект создан', schema: ItemWriteResponse, example: writeExample },
  },
  errors: [413, 422],
  async handle({ caller, params, body, requestId }, { pool }) {
    const put = {
      projectId: caller.projectId,
      itemId: params.id,
      content: contentOfPut(body),
      origin: 'api' as const,
      requestId,
    };
    const { created, item } = await putItem(pool, put).catch(refuseInvalid);
    return { status: created ? 201 : 200, body: writeResponse(item) };
  },
});

export const patchItemOperation = define({
  method: 'patch',
  path: '/items/{id}',
  operationId: 'patchItem',
  tag: 'items',
  summary: 'Изменить переданные поля объекта',
  description: 'null очищает поле; media передаётся целиком. Тип не меняется, удаление не снимается.',
  params: ItemPath,
  body: { schema: ItemPatchRequest, example: patchExample },
  replies: {
    200: { description: 'Объект изменён', schema: ItemWriteResponse, example: { ...writeExample, available: false } },
  },
  errors: [404, 413, 422],
  async handle({ caller, params, body, requestId }, { pool }) {
    const patch = { projectId: caller.projectId, itemId: params.id, patch: changeOfPatch(body), requestId };
    const item = await patchItem(pool, patch).catch(refuseInvalid);
    if (!item) throw notFound();
    return { status: 200, body: writeResponse(item) };
  },
});

export const deleteItemOperation = define({
  method: 'delete',
  path: '/items/{id}',
  operationId: 'deleteItem',
  tag: 'items',
  summary: 'Удалить объект',
  description:
    'Мягкое удаление: объект уходит из выдачи и поиска, результаты анализа остаются. Повтор отвечает тем же.',
  params: ItemPath,
  replies: { 200: { description: 'Объект удалён', schema: ItemDeleteResponse, example: deleteExample } },
  errors: [404],
  async handle({ caller, params, requestId }, { pool }) {
    const isKnown = await deleteItem(pool, { projectId: caller.projectId, itemId: params.id, requestId });
    if (!isKnown) throw notFound();
    return { status: 200, body: { id: params.id, deleted: true } };
  },
});

export const reprocessItemOperation = define({
  method: 'post',
  path: '/items/{id}/reprocess',
  operationId: 'reprocessItem',
  tag: 'items',
  summary: 'Повторить анализ объекта',
  description: 'Пересчитываются названные шаги и всё, что от них зависит; без steps — всё, включая подготовку медиа.',
  params: ItemPath,
  body: { schema: ReprocessRequest, isOptional: true, example: { steps: ['summary'] } },
  replies: { 202: { description: 'Анализ поставлен в очередь', schema: ItemWriteResponse, example: writeExample } },
  errors: [404, 413, 422],
  async handle({ caller, params, body, requestId }, { pool }) {
    const item = await reprocessItem(pool, {
      projectId: caller.projectId,
      itemId: params.id,
      steps: body.steps ?? null,
      requestId,
    });
    if (!item) throw notFound();
    return { status: 202, body: writeResponse(item) };
  },
});

/** Converts the faults found by the item's own rules to a response. */
export function refuseInvalid(error: unknown): never {
  throw error instanceof InvalidItemError ? validationFailed(error.faults) : error;
}

export function writeResponse({
  id,
  status,
  available,
  deleted,
  steps,
}: ItemHead): Type.Static<typeof ItemWriteResponse> {
  return { id, status, available, deleted, processing: statesOf(steps) };
}
