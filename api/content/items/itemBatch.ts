/** POST /items/batch. */
import Type from 'typebox';
import { ID_MAX_LENGTH } from '../../../domain/idLength.ts';
import type { ItemResult } from '../../../db/items/applyOperations.ts';
import { writeItems } from '../../../db/items/writeItems.ts';
import type { ItemOperation } from '../../../domain/items/decideOperation.ts';
import { PRIORITY } from '../../../domain/jobs/queues.ts';
import { ITEM_STATUSES } from '../../../domain/analysis/steps.ts';
import { BatchError, batchError, createElementValidator, element } from '../../http/batchElements.ts';
import { notFound, validationFailed, type FieldFault } from '../../http/errors.ts';
import { nullable, oneOf, orNull, strictObject, text, type Static } from '../../../domain/schemas/schema.ts';
import type { CompileValidator } from '../../../domain/schemas/validation.ts';
import { define } from '../contentOperation.ts';
import { ReprocessRequest } from './stepSchemas.ts';
import {
  changeOfPatch,
  contentOfPut,
  ItemPatchRequest,
  ItemPutRequest,
  mediaRule,
} from '../../../domain/schemas/itemFields.ts';

const OPERATIONS_MAX = 500;

const BatchOperation = strictObject(
  {
    op: oneOf(['put', 'patch', 'delete', 'reprocess']),
    id: text(ID_MAX_LENGTH, { minLength: 1, description: 'Любые символы Unicode' }),
    data: Type.Optional(
      element(
        Type.Unsafe({
          anyOf: [ItemPutRequest, ItemPatchRequest, ReprocessRequest, { type: 'null' }],
          description:
            'Тело put или patch; для reprocess — {steps}, без него или без steps пересчитывается всё; для delete не нужно и не читается',
        }),
      ),
    ),
  },
  { title: 'BatchOperation' },
);
type BatchOperation = Static<typeof BatchOperation>;

const BatchResult = Type.Object(
  {
    id: nullable(Type.String()),
    ok: Type.Boolean(),
    status: nullable(oneOf(ITEM_STATUSES)),
    error: orNull(BatchError),
  },
  { title: 'BatchResult' },
);
type BatchResult = Static<typeof BatchResult>;

const validatePut = createElementValidator(ItemPutRequest, mediaRule);
const validatePatch = createElementValidator(ItemPatchRequest);
const validateReprocess = createElementValidator(ReprocessRequest);

export const batchItemsOperation = define({
  method: 'post',
  path: '/items/batch',
  operationId: 'batchItems',
  tag: 'items',
  summary: 'Записать или пересчитать до 500 объектов',
  description:
    'Операции выполняются по порядку и независимо: ошибка одной не отменяет других и видна в её результате. ' +
    'Неверная форма самого пакета — 422 на весь запрос. Объекты пакета анализируются после тех, что записаны по одному.',
  body: {
    schema: strictObject(
      { operations: Type.Array(BatchOperation, { maxItems: OPERATIONS_MAX }) },
      { title: 'BatchRequest' },
    ),
    batch: { field: 'operations', max: OPERATIONS_MAX },
    example: {
      operations: [
        {
          op: 'put',
          id: 'статья/7',
          data: {
            type: 'text',
            title: 'Глаголы движения',
            body: 'Идти и ходить, ехать и ездить.',
            properties: { level: 'B1' },
          },
        },
        { op: 'patch', id: 'статья/7', data: { available: false } },
        { op: 'reprocess', id: 'статья/7', data: { steps: ['summary'] } },
        { op: 'delete', id: 'lesson-41' },
      ],
    },
  },
  replies: {
    200: {
      description: 'Результаты в порядке операций',
      schema: Type.Object({ results: Type.Array(BatchResult) }, { title: 'BatchResponse' }),
      example: {
        results: [
          { id: 'статья/7', ok: true, status: 'queued', error: null },
          { id: 'статья/7', ok: true, status: 'queued', error: null },
          { id: 'статья/7', ok: true, status: 'queued', error: null },
          {
            id: 'lesson-41',
            ok: false,
            status: null,
            error: { code: 'not_found', message: 'Не найдено', details: null },
          },
        ],
      },
    },
  },
  errors: [413, 422],
  async handle({ caller, body, requestId }, { pool, validators }) {
    const read = body.operations.map((operation) => readOperation(operation, validators));
    const write = { projectId: caller.projectId, origin: 'api' as const, priority: PRIORITY.bulk, requestId };
    const written = (await writeItems(pool, write, read.filter(isOperation))).values();
    const results = body.operations.map(({ id }, index) => {
      const faults = read[index];
      return Array.isArray(faults) ? failed(id, validationFailed(faults)) : resultOf(id, written.next().value);
    });
    return { status: 200, body: { results } };
  },
});

/** Returns the operation, or the faults of its data. */
function readOperation({ op, id, data }: BatchOperation, validators: CompileValidator): ItemOperation | FieldFault[] {
  if (op === 'delete') return { op, id };
  if (op === 'reprocess') return readReprocess(id, data ?? {}, validators);
  if (data === undefined || data === null) return [{ field: 'data', code: 'required' }];
  const faults = op === 'put' ? validatePut(data, validators) : validatePatch(data, validators);
  if (faults.length > 0) return withDataField(faults);
  // The data has just been validated against these schemas.
  return op === 'put'
    ? { op, id, content: contentOfPut(data as ItemPutRequest) }
    : { op, id, patch: changeOfPatch(data as ItemPatchRequest) };
}

function readReprocess(id: string, data: unknown, validators: CompileValidator): ItemOperation | FieldFault[] {
  const faults = validateReprocess(data, validators);
  if (faults.length > 0) return withDataField(faults);
  return { op: 'reprocess', id, steps: (data as Static<typeof ReprocessRequest>).steps ?? null };
}

/** Names the field `data` in faults that concern the data as a whole. */
function withDataField(faults: readonly FieldFault[]): FieldFault[] {
  return faults.map((fault) => (fault.field === '' ? { ...fault, field: 'data' } : fault));
}

function isOperation(read: ItemOperation | FieldFault[]): read is ItemOperation {
  return !Array.isArray(read);
}

function resultOf(id: string, result: ItemResult | undefined): BatchResult {
  if (!result) throw new Error('an operation of the batch has no result');
  if (result.outcome === 'invalid') return failed(id, validationFailed(result.faults));
  if (!result.head) return failed(id, notFound());
  return { id, ok: true, status: result.head.status, error: null };
}

function failed(id: string, error: Parameters<typeof batchError>[0]): BatchResult {
  return { id, ok: false, status: null, error: batchError(error) };
}
