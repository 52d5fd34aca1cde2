/** Exports in requests and responses of the cabinet. */
import Type from 'typebox';
import type { StoredExport } from '../../../db/reports/exports.ts';
import type { ExportLinks } from '../../../domain/reports/exportLinks.ts';
import { EXPORT_FORMATS, EXPORT_MAIL, EXPORT_STATES, type ExportError } from '../../../domain/reports/exports.ts';
import { REPORT_LIMITS } from '../../../reports/validate/reportLimits.ts';
import {
  dateTime,
  freeObject,
  nullable,
  oneOf,
  orNull,
  strictObject,
  type Static,
} from '../../../domain/schemas/schema.ts';
import { element } from '../../http/batchElements.ts';
import type { FieldFault } from '../../http/errors.ts';
import { REPORT_EXAMPLE, reportRequest } from '../../reports/reportSchemas.ts';

const limit = Type.Integer({
  minimum: 1,
  maximum: REPORT_LIMITS.exportRows,
  default: REPORT_LIMITS.exportRows,
  description: 'Строк в файле, не считая итогов',
});
const report = strictObject(
  { ...reportRequest('ru').properties, limit: Type.Optional(limit) },
  { title: 'ExportReport' },
);
const format = oneOf(EXPORT_FORMATS);

export const ExportRequest = strictObject({ report: element(report), format }, { title: 'ExportRequest' });

const { limit: _limit, ...reportExample } = REPORT_EXAMPLE;
export const EXPORT_REQUEST_EXAMPLE = { report: reportExample, format: 'xlsx' };

export const Export = Type.Object(
  {
    id: Type.String(),
    state: oneOf(EXPORT_STATES, {
      description: 'queued — ждёт очереди, running — строится, done — файл готов, failed — его не будет',
    }),
    format,
    report: freeObject({ description: 'Отчёт, по которому сделан файл; segment_id заменён условиями сегмента' }),
    progress: Type.Number({ description: 'Доля сделанного, 0–1' }),
    rows: nullable(Type.Integer({ description: 'Строк в файле; null, пока он не готов' })),
    sampled: nullable(Type.Boolean({ description: 'Посчитан по 10 процентам посетителей' })),
    error: orNull(Type.Object({ code: Type.String(), message: Type.String() }, { title: 'ExportError' })),
    mail: oneOf(EXPORT_MAIL, {
      description:
        'Письмо со ссылкой тому, кто просил файл: none — не шлётся, waiting — ещё не ушло, sent — ушло, failed — не ушло',
    }),
    url: nullable(Type.String({ description: 'Ссылка на файл: работает без входа до expires_at, пока сайт открыт' })),
    created_at: dateTime(),
    finished_at: nullable(dateTime()),
    expires_at: nullable(dateTime({ description: 'Когда кончится ссылка и файл будет удалён' })),
  },
  { title: 'Export' },
);

export const EXPORT_EXAMPLE = {
  id: '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11',
  state: 'queued',
  format: 'xlsx',
  report: reportExample,
  progress: 0,
  rows: null,
  sampled: null,
  error: null,
  mail: 'none',
  url: null,
  created_at: '2026-11-20T09:00:00.000Z',
  finished_at: null,
  expires_at: null,
};
export const DONE_EXAMPLE = {
  ...EXPORT_EXAMPLE,
  state: 'done',
  progress: 1,
  rows: 4_211,
  sampled: false,
  url: 'https://attune.example.com/exports/MTc5…',
  finished_at: '2026-11-20T09:00:03.000Z',
  expires_at: '2026-11-27T09:00:03.000Z',
};

const ERRORS: Readonly<Record<ExportError, string>> = {
  timeout: 'Отчёт не посчитан за отведённое время, в том числе по выборке: сократите период, группировки или условия',
  too_large: 'В строках отчёта слишком много текста для одного файла: выгрузите меньше строк',
  site_inactive: 'Сайт заблокирован или удалён',
  invalid: 'Регулярное выражение отчёта слишком сложное',
  internal: 'Внутренняя ошибка: попробуйте ещё раз',
};

/** Checks the row limit of an export's report, which differs from that of a displayed report; accepts any value. */
export function limitFaults(value: unknown): FieldFault[] {
  const { report: given } = (value ?? {}) as { report?: unknown };
  const { limit: rows } = (given ?? {}) as { limit?: unknown };
  if (rows === undefined) return [];
  // JSON turns 1e999 into infinity, which is a whole number out of range.
  const isWhole = typeof rows === 'number' && (Number.isInteger(rows) || !Number.isFinite(rows));
  if (!isWhole) return [{ field: 'report.limit', code: 'invalid_type' }];
  return rows >= 1 && rows <= REPORT_LIMITS.exportRows ? [] : [{ field: 'report.limit', code: 'invalid_value' }];
}

export function toOutput(siteId: string, stored: StoredExport, links: ExportLinks, now: Date): Static<typeof Export> {
  const { id, state, format: kind, progress, rows, sampled, error, mail, expiresAt } = stored;
  const isThere = state === 'done' && expiresAt !== null && expiresAt > now;
  return {
    id,
    state,
    format: kind,
    report: stored.report as Record<string, unknown>,
    progress,
    rows,
    sampled,
    error: error && { code: error, message: ERRORS[error] ?? ERRORS.internal },
    mail,
    url: isThere ? links.urlFor({ siteId, exportId: id }, expiresAt) : null,
    created_at: stored.createdAt.toISOString(),
    finished_at: stored.finishedAt?.toISOString() ?? null,
    expires_at: expiresAt?.toISOString() ?? null,
  };
}
