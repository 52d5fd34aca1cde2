/** Goals of a site: GET /sites/{id}/goals, PUT/DELETE /sites/{id}/goals/{code}. */
import Type from 'typebox';
import { deleteGoal, listGoals, putGoal } from '../../../db/sites/goals.ts';
import { findSite } from '../../../db/sites/sites.ts';
import { GOAL_CODE } from '../../../domain/sites/goalCode.ts';
import { MAX_AMOUNT } from '../../../domain/sites/amountLimits.ts';
import { isRecord } from '../../../domain/isRecord.ts';
import { goalMatchFaults, isAffordable } from '../../../domain/schemas/goalMatch.ts';
import { nullable, oneOf, orNull, strictObject, text, type Static } from '../../../domain/schemas/schema.ts';
import { notFound, validationFailed, type FieldFault } from '../../http/errors.ts';
import { define, pageOf, SITE_ID, SitePath } from '../cabinetOperation.ts';
import { title } from '../projects/projects.ts';
import { DEFAULT_QUOTAS } from '../../../domain/sites/siteQuotas.ts';
import { GOAL_TYPES, URL_GOAL_OPS, type GoalMatch, type Goal } from '../../../domain/sites/goalDefinition.ts';

const type = oneOf(GOAL_TYPES);
export const goalMatch = strictObject(
  {
    op: Type.Optional(oneOf(URL_GOAL_OPS)),
    value: Type.Optional(text(2_048, { minLength: 1 })),
    name: Type.Optional(text(200, { minLength: 1 })),
    form_id: Type.Optional(text(200, { minLength: 1 })),
  },
  {
    description:
      'url: {op, value}, regex — по правилам RE2; адреса сравниваются раскодированными (кириллица вместо %D0… и xn--…), eq не учитывает косую черту в конце, а также запрос, если его нет в value; event: {name}; form: {form_id?}, без form_id — любая форма; у js и purchase его нет',
  },
);
const value = nullable(
  Type.Number({ minimum: 0, maximum: MAX_AMOUNT, description: 'В валюте сайта; ценность из самого достижения важнее' }),
);

const GoalOutput = Type.Object(
  {
    code: Type.String(),
    title,
    type,
    match: orNull(Type.Object(goalMatch.properties)),
    value,
    enabled: Type.Boolean(),
  },
  { title: 'Goal' },
);
const GoalPut = strictObject(
  {
    title,
    type,
    match: Type.Optional(nullable(goalMatch)),
    value: Type.Optional(value),
    enabled: Type.Optional(Type.Boolean({ default: true })),
  },
  { title: 'GoalPut' },
);
const GoalPath = strictObject({
  id: SITE_ID,
  code: Type.String({ pattern: `^${GOAL_CODE}$`, examples: ['checkout'] }),
});

const example = {
  code: 'checkout',
  title: 'Оформление заказа',
  type: 'url',
  match: { op: 'starts', value: 'https://shop.example.com/checkout' },
  value: 150,
  enabled: true,
};
const { code: _code, ...putExample } = example;

export const listSiteGoals = define({
  method: 'get',
  path: '/sites/{id}/goals',
  operationId: 'listGoals',
  tag: 'goals',
  summary: 'Цели сайта, отключённые тоже',
  description: `Все на одной странице: их не больше квоты goals (${DEFAULT_QUOTAS.goals}).`,
  params: SitePath,
  replies: {
    200: {
      description: 'Цели по коду',
      schema: pageOf(GoalOutput, 'GoalPage'),
      example: { items: [example], next_cursor: null },
    },
  },
  errors: [404],
  async handle({ params }, { pool }) {
    if (!(await findSite(pool, params.id))) throw notFound();
    return { status: 200, body: { items: await listGoals(pool, params.id), next_cursor: null } };
  },
});

export const putSiteGoal = define({
  method: 'put',
  path: '/sites/{id}/goals/{code}',
  operationId: 'putGoal',
  tag: 'goals',
  summary: 'Создать цель или заменить её целиком',
  description:
    'Действует сразу, на прошлое не влияет. Цель типа purchase достигается покупкой, которую прислал тег или POST /orders, — один раз на заказ. Новая цель сверх квоты goals — 422 с invalid_value без поля. Регулярные выражения целей одного сайта вместе ограничены: одно — 1000 символов и 300 инструкций RE2, все включённые — 4000 инструкций; сверх того — 422 с invalid_value на match.value.',
  params: GoalPath,
  body: { schema: GoalPut, rules: matchFaults, example: putExample },
  replies: {
    200: { description: 'Цель заменена', schema: GoalOutput, example },
    201: { description: 'Цель создана', schema: GoalOutput, example },
  },
  errors: [404, 413, 422],
  async handle({ params, body }, { pool }) {
    const goal = goalOf(params.code, body);
    const outcome = await putGoal(pool, params.id, goal, isAffordable);
    if (outcome === 'no_site') throw notFound();
    if (outcome === 'too_costly') throw validationFailed([{ field: 'match.value', code: 'invalid_value' }]);
    if (outcome === 'too_many') throw validationFailed([{ field: '', code: 'invalid_value' }]);
    return { status: outcome === 'created' ? 201 : 200, body: goal };
  },
});

export const deleteSiteGoal = define({
  method: 'delete',
  path: '/sites/{id}/goals/{code}',
  operationId: 'deleteGoal',
  tag: 'goals',
  summary: 'Удалить цель',
  description: 'Достижения, которые уже есть, остаются под её кодом.',
  params: GoalPath,
  replies: {
    200: {
      description: 'Цель удалена',
      schema: Type.Object({ code: Type.String(), deleted: Type.Boolean() }, { title: 'GoalDeleted' }),
      example: { code: 'checkout', deleted: true },
    },
  },
  errors: [404],
  async handle({ params }, { pool }) {
    if (!(await deleteGoal(pool, params.id, params.code))) throw notFound();
    return { status: 200, body: { code: params.code, deleted: true } };
  },
});

function goalOf(code: string, body: Static<typeof GoalPut>): Goal {
  return { match: null, value: null, enabled: true, ...body, code };
}

/** Accepts any value; the schema refuses values of the wrong form. */
export function matchFaults(body: unknown): FieldFault[] {
  if (!isRecord(body)) return [];
  const ofType = GOAL_TYPES.find((known) => known === body['type']);
  const given = body['match'] ?? null;
  if (ofType === undefined || (given !== null && !isRecord(given))) return [];
  return goalMatchFaults(ofType, given && textsOf(given));
}

/** Returns the text fields of a match; the schema has refused all others. */
function textsOf(given: Record<string, unknown>): GoalMatch {
  return Object.fromEntries(Object.entries(given).filter(([, member]) => typeof member === 'string'));
}
