/** File imports: POST and GET /projects/{id}/imports, GET /projects/{id}/imports/{import_id}. */
import Type from 'typebox';
import { findImport, listImportErrors, listImports, type StoredImport } from '../../../db/jobs/imports.ts';
import { findProject } from '../../../db/accounts/projects.ts';
import {
  IMPORT_ERRORS,
  IMPORT_FORMATS,
  IMPORT_STATES,
  IMPORTS_UNFINISHED,
  type ImportError,
  type ImportErrorCode,
  type ImportFormat,
} from '../../../domain/jobs/imports.ts';
import { invalidRequest, notFound, type DetailCode } from '../../http/errors.ts';
import { ID_FORMS, pageById, type PageById, pageQuery } from '../../http/paging.ts';
import { dateTime, nullable, oneOf, strictObject, type Static } from '../../../domain/schemas/schema.ts';
import { RUSSIAN } from '../../http/errorMessages.ts';
import { requireActiveProject } from '../projects/activeProject.ts';
import { define, pageOf, PROJECT_ID, ProjectPath, UUID } from '../cabinetOperation.ts';
import { receiveImport } from './receiveImport.ts';

const FORMATS: Readonly<Record<string, ImportFormat>> = {
  'application/x-ndjson': 'jsonl',
  'application/jsonl': 'jsonl',
  'text/csv': 'csv',
};

const jsonLines =
  '{"id":"lesson-42","type":"text","title":"Урок 42","body":"Глаголы движения"}\n{"op":"put","id":"lesson-43","data":{"type":"text","title":"Урок 43"}}\n';
const csv =
  'id,type,title,body,published_at,properties,available\nlesson-42,text,Урок 42,"Глаголы движения: идти, ехать",2026-11-20T09:00:00Z,"{""level"":""B1""}",true\n';

const importFields = {
  id: Type.String(),
  state: oneOf(IMPORT_STATES, {
    description:
      'done — файл прочитан до конца; failed — файл или его остаток прочитать не удалось, причина — в последней ошибке',
  }),
  format: oneOf(IMPORT_FORMATS),
  lines: Type.Integer({ description: 'Строк прочитано; пустые не считаются' }),
  done: Type.Integer({ description: 'Из них записано' }),
  failed: Type.Integer({ description: 'Из них с ошибкой' }),
  progress: Type.Number({ description: 'Доля прочитанного файла, 0–1' }),
  created_at: dateTime(),
  finished_at: nullable(dateTime()),
};
const Import = Type.Object(importFields, { title: 'Import' });
const ImportFault = Type.Object(
  {
    field: Type.String(),
    code: Type.String(),
    message: Type.String(),
    limit: Type.Optional(Type.Number({ description: 'Предел, который превышен' })),
    allowed: Type.Optional(Type.Array(Type.String(), { description: 'Возможные значения' })),
  },
  { title: 'ImportFault' },
);
const ImportLineError = Type.Object(
  {
    line: Type.Integer({ description: 'Номер строки файла, с 1; у записи CSV — первой из её строк' }),
    id: nullable(Type.String({ description: 'Идентификатор объекта, если он прочитан' })),
    code: Type.String(),
    message: Type.String(),
    details: Type.Array(ImportFault),
  },
  { title: 'ImportLineError' },
);
const ImportWithErrors = Type.Object(
  {
    ...importFields,
    errors: Type.Array(ImportLineError, {
      description: `Первые ${IMPORT_ERRORS} ошибок по порядку строк и та, на которой импорт прекращён (failed)`,
    }),
  },
  { title: 'ImportWithErrors' },
);

const example = {
  id: '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11',
  state: 'queued',
  format: 'jsonl',
  lines: 0,
  done: 0,
  failed: 0,
  progress: 0,
  created_at: '2026-11-20T09:00:00.000Z',
  finished_at: null,
};
const errorExample = {
  line: 2,
  id: 'lesson-43',
  code: 'validation_failed',
  message: 'Поля объекта не прошли проверку',
  details: [{ field: 'media', code: 'required', message: 'Обязательное поле не передано' }],
};

export const createImport = define({
  method: 'post',
  path: '/projects/{id}/imports',
  operationId: 'createImport',
  tag: 'imports',
  summary: 'Загрузить файл объектов',
  description:
    'Тело — файл в UTF-8: JSON Lines (`application/x-ndjson` или `application/jsonl`; строка — поля PUT /items/{id} вместе с `id` либо {"op":"put","id":…,"data":{…}}) ' +
    'или CSV (`text/csv`; первая строка — имена полей; разделитель — запятая, точка с запятой или табуляция; properties и media — JSON; пустая ячейка — поле не передано). ' +
    'Каждая строка — PUT объекта: ошибка в строке других не касается. Размер ограничен настройкой IMPORT_MAX_MB (обычно 1 ГБ), строка — 5 МБ. Оборванная загрузка ничего не оставляет. ' +
    `Незавершённых импортов у проекта, включая загружаемые, не больше ${IMPORTS_UNFINISHED}: следующий — 422 с кодом invalid_value у тела; загрузите его, когда закончится один из них. Проекту, который приостановлен или в архиве, — 403.`,
  params: ProjectPath,
  upload: { contentTypes: { 'application/x-ndjson': jsonLines, 'application/jsonl': jsonLines, 'text/csv': csv } },
  replies: { 202: { description: 'Файл принят, импорт начнётся', schema: Import, example } },
  errors: [404, 413, 422],
  async handle({ params, upload, requestId }, deps) {
    // Checked before the file is received, so that nobody sends a gigabyte for a 404 or 403.
    await requireActiveProject(deps.pool, params.id);
    const format = upload && FORMATS[upload.contentType];
    if (!upload || !format) throw invalidRequest();
    const stored = await receiveImport(deps, { projectId: params.id, requestId, format }, upload);
    return { status: 202, body: toOutput(stored) };
  },
});

export const listImportsOperation = define({
  method: 'get',
  path: '/projects/{id}/imports',
  operationId: 'listImports',
  tag: 'imports',
  summary: 'Импорты, последние первыми',
  params: ProjectPath,
  query: strictObject(pageQuery),
  replies: {
    200: {
      description: 'Страница импортов',
      schema: pageOf(Import, 'ImportPage'),
      example: { items: [example], next_cursor: null },
    },
  },
  errors: [404],
  async handle({ params, query }, { pool }) {
    const list = async (page: PageById) => {
      if (!(await findProject(pool, params.id))) throw notFound();
      return listImports(pool, params.id, page);
    };
    return { status: 200, body: await pageById(query, ID_FORMS.uuid, list, toOutput) };
  },
});

export const getImport = define({
  method: 'get',
  path: '/projects/{id}/imports/{import_id}',
  operationId: 'getImport',
  tag: 'imports',
  summary: 'Ход импорта и ошибки по строкам',
  params: strictObject({ id: PROJECT_ID, import_id: UUID }),
  replies: {
    200: {
      description: 'Импорт',
      schema: ImportWithErrors,
      example: {
        ...example,
        state: 'done',
        lines: 2,
        done: 1,
        failed: 1,
        progress: 1,
        finished_at: '2026-11-20T09:00:02.000Z',
        errors: [errorExample],
      },
    },
  },
  errors: [404],
  async handle({ params }, { pool }) {
    const ref = { projectId: params.id, entityId: params.import_id };
    const stored = await findImport(pool, ref);
    if (!stored) throw notFound();
    const errors = await listImportErrors(pool, ref);
    return { status: 200, body: { ...toOutput(stored), errors: errors.map(errorOutput) } };
  },
});

function toOutput({
  id,
  state,
  format,
  bytes,
  bytesRead,
  done,
  failed,
  createdAt,
  finishedAt,
}: StoredImport): Static<typeof Import> {
  return {
    id,
    state,
    format,
    lines: done + failed,
    done,
    failed,
    progress: bytesRead / bytes,
    created_at: createdAt.toISOString(),
    finished_at: finishedAt?.toISOString() ?? null,
  };
}

const MESSAGES: Readonly<Record<ImportErrorCode, string>> = {
  validation_failed: 'Поля объекта не прошли проверку',
  invalid_json: 'Строка — не JSON',
  invalid_csv: 'Ячеек больше или меньше, чем имён в первой строке, либо неверно расставлены кавычки',
  invalid_encoding: 'Строка не в UTF-8',
  line_too_long: 'Строка длиннее 5 МБ',
  invalid_header: 'Первая строка CSV должна называть поля объекта, среди них id и type',
  file_lost: 'Файл импорта утрачен, загрузите его снова',
};

function errorOutput({ line, itemId, code, faults }: ImportError): Static<typeof ImportLineError> {
  // The code was stored by this version or an older one; a code that has no text is returned unchanged.
  const messageOf = (fault: ImportError['faults'][number]): string =>
    RUSSIAN.details?.[fault.code as DetailCode]?.({ ...fault, code: fault.code as DetailCode }) ?? fault.code;
  return {
    line,
    id: itemId,
    code,
    message: MESSAGES[code],
    details: faults.map((fault) => ({
      field: fault.field,
      code: fault.code,
      message: messageOf(fault),
      ...(fault.limit !== undefined && { limit: fault.limit }),
      ...(fault.allowed && { allowed: [...fault.allowed] }),
    })),
  };
}
