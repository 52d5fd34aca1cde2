/** POST /sites/{id}/goals/try: shows what a goal would have matched, before it is saved. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import Type from 'typebox';
import { loadSiteSettings } from '../../../db/sites/siteSettings.ts';
import {
  countGoalMatches,
  GOAL_TRY_DAYS,
  type CountedText,
  type Tried,
} from '../../../domain/visits/tryGoalOnPastHits.ts';
import type { Goal, GoalType } from '../../../domain/sites/goalDefinition.ts';
import type { Report, ReportRequest } from '../../../reports/reportRequest.ts';
import { todayIn } from '../../../reports/validate/index.ts';
import { GOAL_PATTERN } from '../../../domain/schemas/goalMatch.ts';
import { compileWithin } from '../../../domain/schemas/patternLimits.ts';
import { nullable, oneOf, strictObject, type Static } from '../../../domain/schemas/schema.ts';
import { notFound } from '../../http/errors.ts';
import { runReport } from '../../reports/runForClient.ts';
import { define, SitePath } from '../cabinetOperation.ts';
import { goalMatch, matchFaults } from './goals.ts';
import { lastDays } from '../reports/relativePeriods.ts';
import { reportSlotOf } from '../reports/simultaneousReports.ts';

/** Maximum number of distinct URLs, names or forms, the most frequent first. */
const MAX_TEXTS = 10_000;
const MAX_EXAMPLES = 10;
/** Time limit for a pattern on all of them: a usual one needs a hundredth of it, and the costliest are aborted. */
const MAX_MS = 1_000;
/** Time between yields to the event loop. */
const YIELD_EVERY_MS = 10;

/** A goal of type js is reached by the call that names its code, so there is nothing to try. */
type TriedType = Exclude<GoalType, 'js'>;

/** The report queries that count each text. */
const TEXT_QUERIES: Record<TriedType, Pick<ReportRequest, 'dimensions' | 'metrics'>> = {
  url: { dimensions: ['page_url'], metrics: ['pageviews'] },
  event: { dimensions: ['event_name'], metrics: ['events'] },
  form: { dimensions: ['form_id'], metrics: ['form_submissions'] },
  purchase: { dimensions: [], metrics: ['orders'] },
};
const TRIED_TYPES = Object.keys(TEXT_QUERIES) as TriedType[];

const GoalTry = strictObject(
  { type: oneOf(TRIED_TYPES), match: Type.Optional(nullable(goalMatch)) },
  { title: 'GoalTry' },
);
const hits = Type.Number({ minimum: 0 });
const GoalTried = Type.Object(
  {
    days: Type.Integer({ description: 'За сколько последних дней, сегодня среди них' }),
    hits: Type.Number({
      minimum: 0,
      description: 'Сколько проверено: просмотров (url), событий, отправок форм, заказов (purchase)',
    }),
    matched: Type.Number({ minimum: 0, description: 'Сколько из них достигли бы цели' }),
    examples: Type.Array(
      Type.Object({
        text: nullable(Type.String({ description: 'Адрес, имя события или формы; null — форма без имени' })),
        hits,
      }),
      { description: `До ${MAX_EXAMPLES} самых частых из достигших` },
    ),
    complete: Type.Boolean({
      description: `Проверено всё. false — разных адресов больше ${MAX_TEXTS} либо выражение слишком долгое: остальные, более редкие, не проверены`,
    }),
    sampled: Type.Boolean({ description: 'Посчитано по 10 процентам посетителей, количества умножены' }),
  },
  { title: 'GoalTried' },
);

export const trySiteGoal = define({
  method: 'post',
  path: '/sites/{id}/goals/try',
  operationId: 'tryGoal',
  tag: 'goals',
  summary: 'Проверить условие цели на последних хитах',
  description: `Сколько хитов за ${GOAL_TRY_DAYS} дней достигли бы цели с таким условием, по тому же правилу, что и при приёме; роботы не учитываются. Ничего не сохраняет. Это отчёт: он занимает одно из двух мест пользователя. У целей типа js проверять нечего: их достигает вызов с кодом цели.`,
  // Viewers are allowed, since it only reads.
  access: 'viewer',
  params: SitePath,
  body: { schema: GoalTry, rules: matchFaults, example: { type: 'url', match: { op: 'contains', value: '/thanks' } } },
  replies: {
    200: {
      description: 'Что достигло бы цели',
      schema: GoalTried,
      example: {
        days: GOAL_TRY_DAYS,
        hits: 18_400,
        matched: 310,
        examples: [{ text: 'https://shop.example.com/thanks', hits: 290 }],
        complete: true,
        sampled: false,
      },
    },
  },
  errors: [404, 413, 422],
  async handle({ caller, params, body, disconnectSignal }, deps) {
    const site = (await loadSiteSettings(deps.pool, [params.id])).get(params.id);
    if (!site) throw notFound();
    const report = await runReport(deps, requestOf(body.type, site.timezone), site, {
      slot: reportSlotOf(caller),
      language: 'ru',
      sentAs: { path: '', segment: 'segment' },
      signal: disconnectSignal(),
    });
    const tried = await tryOn(report, { type: body.type, match: body.match ?? null });
    return { status: 200, body: toOutput(tried, report) };
  },
});

function requestOf(type: TriedType, timezone: string): ReportRequest {
  return {
    ...TEXT_QUERIES[type],
    ...lastDays(todayIn(timezone, new Date()), GOAL_TRY_DAYS),
    filters: [],
    segment: null,
    attribution: 'last_significant',
    robots: 'exclude',
    sort: [],
    limit: MAX_TEXTS,
    offset: 0,
  };
}

function tryOn({ data, totals }: Report, goal: Pick<Goal, 'type' | 'match'>): Promise<Tried> {
  if (goal.type === 'purchase') {
    // Negative when more orders of earlier days were refunded than new ones were placed.
    const orders = Math.max(0, totals[0] ?? 0);
    return Promise.resolve({ hits: orders, matched: orders, examples: [], isComplete: true });
  }
  return countGoalMatches(goal, data.map(textOf), {
    compile: compilePattern,
    mostExamples: MAX_EXAMPLES,
    shouldContinue: createTimeBudget(),
  });
}

function textOf({ dimensions: [label], metrics: [count = 0] }: Report['data'][number]): CountedText {
  return { text: typeof label === 'string' ? label : '', hits: count };
}

/** Compiles a pattern as the ingest does. Invalid ones were already refused as faults of the request. */
function compilePattern(pattern: string): (text: string) => boolean {
  const compiled = compileWithin(pattern, GOAL_PATTERN);
  return (text) => compiled?.matcher(text).find() ?? false;
}

function createTimeBudget(): () => Promise<boolean> {
  const started = performance.now();
  let turn = started;
  return async () => {
    if (performance.now() - turn > YIELD_EVERY_MS) {
      await nextTurn();
      turn = performance.now();
    }
    return turn - started < MAX_MS;
  };
}

function toOutput(tried: Tried, { rows, data, sampled }: Report): Static<typeof GoalTried> {
  return {
    days: GOAL_TRY_DAYS,
    hits: tried.hits,
    matched: tried.matched,
    examples: tried.examples.map(({ text, hits: count }) => ({ text: text === '' ? null : text, hits: count })),
    complete: tried.isComplete && data.length >= rows,
    sampled,
  };
}
