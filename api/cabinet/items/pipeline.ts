/** The analysis of a project as a whole: GET /projects/{id}/pipeline. */
import Type from 'typebox';
import { listOldestUnfinished, type WaitingItem } from '../../../db/items/oldestUnfinished.ts';
import { isCounted, readItemHours, readItemTallies, type ItemTally } from '../../../db/items/tallies.ts';
import { UNFINISHED_STATUSES } from '../../../domain/items/status.ts';
import { findProject } from '../../../db/accounts/projects.ts';
import {
  completeHours,
  noSteps,
  PIPELINE_HOURS,
  PIPELINE_OLDEST,
  REASON_STATES,
  type StepCounts,
  type StepReason,
} from '../../../domain/analysis/pipelineCounts.ts';
import {
  ITEM_STATUSES,
  mapSteps,
  SHOWN_STEPS,
  STEP_STATES,
  STEPS,
  type ItemStatus,
} from '../../../domain/analysis/steps.ts';
import { Processing, ProcessingErrors } from '../../content/items/stepSchemas.ts';
import { notFound } from '../../http/errors.ts';
import { dateTime, nullable, oneOf, type Static } from '../../../domain/schemas/schema.ts';
import { define, ProjectPath } from '../cabinetOperation.ts';

const count = Type.Integer({ minimum: 0 });
const countsOf = <K extends string>(keys: readonly K[], title: string) =>
  Type.Object(Object.fromEntries(keys.map((key) => [key, count])) as Record<K, typeof count>, { title });

const StatusCounts = countsOf(ITEM_STATUSES, 'ItemCounts');
const StateCounts = countsOf(STEP_STATES, 'StepCounts');

const Reason = Type.Object(
  {
    step: oneOf(STEPS),
    state: oneOf(REASON_STATES),
    code: Type.String({ description: 'Код из processing_errors' }),
    items: count,
  },
  { title: 'StepReason' },
);

const OldestItem = Type.Object(
  {
    id: Type.String(),
    title: nullable(Type.String()),
    status: oneOf(UNFINISHED_STATUSES),
    processing: Processing,
    processing_errors: Type.Optional(ProcessingErrors),
    since: dateTime({
      description: `Когда объект изменён, у него сменился статус или завершился один из шагов: ${SHOWN_STEPS.join(', ')}`,
    }),
  },
  { title: 'WaitingItem' },
);

const Hour = Type.Object(
  {
    hour: dateTime({ description: 'Начало часа' }),
    queued: Type.Integer({ minimum: 0, description: 'Объектов поставлено на анализ' }),
    ready: Type.Integer({ minimum: 0, description: 'Анализ закончен: всё готово' }),
    partial: Type.Integer({ minimum: 0, description: 'Анализ закончен: готово частично' }),
    failed: Type.Integer({ minimum: 0, description: 'Анализ закончен: не удался' }),
  },
  { title: 'PipelineHour' },
);

const Pipeline = Type.Object(
  {
    counted: Type.Boolean({
      description: 'false — сразу после обновления, пока объекты, записанные до него, ещё не посчитаны',
    }),
    items: Type.Unsafe<Static<typeof StatusCounts>>({
      ...StatusCounts,
      description: 'Неудалённые объекты по статусам',
    }),
    steps: Type.Object(
      mapSteps(() => StateCounts),
      {
        title: 'PipelineSteps',
        description: 'Объекты по состояниям шагов; queued — шаг ждёт очереди или предыдущего шага, даже отложенного',
      },
    ),
    reasons: Type.Array(Reason, { description: 'Почему шаги не выполнены, частые причины первыми' }),
    oldest: Type.Array(OldestItem, {
      description: `До ${PIPELINE_OLDEST} объектов, чей анализ не закончен дольше всех`,
    }),
    hours: Type.Array(Hour, { description: `Последние ${PIPELINE_HOURS} часов по порядку, текущий — последний` }),
  },
  { title: 'Pipeline' },
);

const exampleStates = { queued: 0, running: 1, done: 1200, skipped: 40, failed: 7, deferred: 2, waiting: 0 };

export const getPipeline = define({
  method: 'get',
  path: '/projects/{id}/pipeline',
  operationId: 'getPipeline',
  tag: 'items',
  summary: 'Как идёт анализ проекта',
  description:
    'Числа точные и ведутся вместе с записями, поэтому ответ одинаково быстр при любом числе объектов. Объекты за кодом ошибки — GET /projects/{id}/items?step=…&error_code=…, их новый анализ — POST /projects/{id}/rerun с error_code.',
  params: ProjectPath,
  replies: {
    200: {
      description: 'Состояние анализа',
      schema: Pipeline,
      example: {
        counted: true,
        items: { queued: 3, processing: 1, ready: 1200, partial: 7, failed: 0, deferred: 2 },
        steps: mapSteps(() => exampleStates),
        reasons: [{ step: 'speech', state: 'failed', code: 'media_not_found', items: 7 }],
        oldest: [
          {
            id: 'lesson-42',
            title: 'Урок 42',
            status: 'deferred',
            processing: { ...mapSteps(() => 'deferred'), prepare: 'done', vision: 'done' },
            processing_errors: {
              speech: { code: 'provider_unavailable', message: 'Провайдер анализа не отвечает или перегружен.' },
            },
            since: '2026-11-20T09:04:11.275Z',
          },
        ],
        hours: [{ hour: '2026-11-20T09:00:00.000Z', queued: 12, ready: 9, partial: 1, failed: 0 }],
      },
    },
  },
  errors: [404],
  async handle({ params: { id } }, { pool }) {
    if (!(await findProject(pool, id))) throw notFound();
    const [tallies, counted, oldest, hours] = await Promise.all([
      readItemTallies(pool, id),
      isCounted(pool, id),
      listOldestUnfinished(pool, id, PIPELINE_OLDEST),
      readItemHours(pool, id),
    ]);
    return {
      status: 200,
      body: {
        counted,
        items: itemsOf(tallies),
        steps: stepsOf(tallies),
        reasons: reasonsOf(tallies),
        oldest: oldest.map(oldestOutput),
        hours: completeHours(hours, new Date()).map(({ hour, ...counts }) => ({ hour: hour.toISOString(), ...counts })),
      },
    };
  },
});

function itemsOf(tallies: readonly ItemTally[]): Static<typeof StatusCounts> {
  const itemsIn = (status: ItemStatus): number =>
    tallies.find(({ step, state }) => step === '' && state === status)?.items ?? 0;
  return Object.fromEntries(ITEM_STATUSES.map((status) => [status, itemsIn(status)])) as Record<ItemStatus, number>;
}

/** Returns counts by step, without those of steps that this release does not know. */
function stepsOf(tallies: readonly ItemTally[]): StepCounts {
  const counts = noSteps();
  for (const tally of tallies) {
    const step = STEPS.find((one) => one === tally.step);
    const state = STEP_STATES.find((one) => one === tally.state);
    if (step && state) counts[step][state] += tally.items;
  }
  return counts;
}

function reasonsOf(tallies: readonly ItemTally[]): StepReason[] {
  return tallies.flatMap(({ code, items, ...tally }) => {
    const step = STEPS.find((one) => one === tally.step);
    const state = REASON_STATES.find((one) => one === tally.state);
    return step && state && code !== '' ? [{ step, state, code, items }] : [];
  });
}

function oldestOutput({ errors, since, status, ...item }: WaitingItem): Static<typeof OldestItem> {
  return {
    ...item,
    status: status as Static<typeof OldestItem>['status'],
    ...(Object.keys(errors).length > 0 && { processing_errors: errors }),
    since: since.toISOString(),
  };
}
