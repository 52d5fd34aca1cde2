/** Saved segments: GET/POST /sites/{id}/segments, PATCH/DELETE /sites/{id}/segments/{sid}. */
import Type from 'typebox';
import {
  deleteSegment,
  insertSegment,
  listSegments,
  SEGMENTS_PER_SITE,
  updateSegment,
  type StoredSegment,
} from '../../../db/sites/segments.ts';
import { findSite } from '../../../db/sites/sites.ts';
import { conditionsFaults } from '../../../reports/validate/index.ts';
import { dateTime, strictObject, type Static } from '../../../domain/schemas/schema.ts';
import { notFound, validationFailed, type FieldFault } from '../../http/errors.ts';
import { conditions } from '../../reports/reportSchemas.ts';
import { define, pageOf, SITE_ID, SitePath, UUID } from '../cabinetOperation.ts';
import { title } from '../projects/projects.ts';
import { bytesFaults, SAVED_KB } from './savedSizeLimit.ts';

const Segment = Type.Object(
  { id: Type.String(), title, conditions: conditions('ru'), created_at: dateTime(), updated_at: dateTime() },
  { title: 'SavedSegment' },
);
const SegmentCreate = strictObject({ title, conditions: conditions('ru') }, { title: 'SavedSegmentCreate' });
const SegmentPatch = strictObject(
  { title: Type.Optional(title), conditions: Type.Optional(conditions('ru')) },
  { title: 'SavedSegmentPatch' },
);
const SegmentPath = strictObject({ id: SITE_ID, sid: UUID });

const createExample = {
  title: 'Читали каталог с телефона',
  conditions: {
    all: [
      { dimension: 'device_type', op: 'eq', values: ['mobile'] },
      { dimension: 'page_path', op: 'contains', values: ['/catalog/'] },
    ],
  },
};
const example = {
  id: '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11',
  ...createExample,
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:00:00.000Z',
};

export const listSiteSegments = define({
  method: 'get',
  path: '/sites/{id}/segments',
  operationId: 'listSegments',
  tag: 'segments',
  summary: 'Сегменты сайта',
  description: `Все на одной странице: их не больше ${SEGMENTS_PER_SITE}.`,
  params: SitePath,
  replies: {
    200: {
      description: 'Сегменты, старые первыми',
      schema: pageOf(Segment, 'SavedSegmentPage'),
      example: { items: [example], next_cursor: null },
    },
  },
  errors: [404],
  async handle({ params }, { pool }) {
    if (!(await findSite(pool, params.id))) throw notFound();
    return { status: 200, body: { items: (await listSegments(pool, params.id)).map(toOutput), next_cursor: null } };
  },
});

export const createSiteSegment = define({
  method: 'post',
  path: '/sites/{id}/segments',
  operationId: 'createSegment',
  tag: 'segments',
  summary: 'Сохранить сегмент',
  description: `Его id — segment_id отчётов. Условия — как segment отчёта, до ${SAVED_KB} КБ; scope: visitor отбирает посетителей целиком. Сегмент сверх ${SEGMENTS_PER_SITE} — 422 с invalid_value без поля.`,
  params: SitePath,
  body: { schema: SegmentCreate, rules, example: createExample },
  replies: { 201: { description: 'Сегмент сохранён', schema: Segment, example } },
  errors: [404, 413, 422],
  async handle({ params, body }, { pool }) {
    const stored = await insertSegment(pool, params.id, body);
    if (stored === 'no_site') throw notFound();
    if (stored === 'full') throw validationFailed([{ field: '', code: 'invalid_value' }]);
    return { status: 201, body: toOutput(stored) };
  },
});

export const patchSiteSegment = define({
  method: 'patch',
  path: '/sites/{id}/segments/{sid}',
  operationId: 'patchSegment',
  tag: 'segments',
  summary: 'Изменить сегмент',
  description: 'Условия заменяются целиком; отчёты с этим сегментом дальше считаются по новым.',
  params: SegmentPath,
  body: { schema: SegmentPatch, rules, example: { title: 'Каталог с телефона' } },
  replies: {
    200: { description: 'Сегмент изменён', schema: Segment, example: { ...example, title: 'Каталог с телефона' } },
  },
  errors: [404, 413, 422],
  async handle({ params, body }, { pool }) {
    const stored = await updateSegment(pool, params.id, params.sid, body);
    if (!stored) throw notFound();
    return { status: 200, body: toOutput(stored) };
  },
});

export const deleteSiteSegment = define({
  method: 'delete',
  path: '/sites/{id}/segments/{sid}',
  operationId: 'deleteSegment',
  tag: 'segments',
  summary: 'Удалить сегмент',
  description:
    'Сохранённые отчёты с ним остаются; построить их нельзя, пока сегмент не заменён: 422 с unknown_segment.',
  params: SegmentPath,
  replies: {
    200: {
      description: 'Сегмент удалён',
      schema: Type.Object({ id: Type.String(), deleted: Type.Boolean() }, { title: 'SavedSegmentDeleted' }),
      example: { id: example.id, deleted: true },
    },
  },
  errors: [404],
  async handle({ params }, { pool }) {
    if (!(await deleteSegment(pool, params.id, params.sid))) throw notFound();
    return { status: 200, body: { id: params.sid, deleted: true } };
  },
});

/** Accepts any value; the schema refuses values of the wrong form. */
function rules(body: unknown): FieldFault[] {
  if (typeof body !== 'object' || body === null) return [];
  const { conditions: given } = body as { conditions?: unknown };
  if (typeof given !== 'object' || given === null) return [];
  const tooLarge = bytesFaults(given, 'conditions');
  return tooLarge.length > 0 ? tooLarge : conditionsFaults(given, 'conditions');
}

function toOutput({ createdAt, updatedAt, ...segment }: StoredSegment): Static<typeof Segment> {
  return { ...segment, created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() };
}
