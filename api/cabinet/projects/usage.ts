/** GET /projects/{id}/usage: the cost of a month's analysis. */
import Type from 'typebox';
import { readUsage, type UsageOfModel } from '../../../db/analysis/usage.ts';
import { FURTHER_CAPABILITIES } from '../../../domain/analysis/capabilities.ts';
import { addCosts, costOf, priceOf, type Cost, type Prices } from '../../../domain/analysis/prices.ts';
import { monthOf } from '../../../domain/analysis/volume.ts';
import { notFound } from '../../http/errors.ts';
import { nullable, strictObject } from '../../../domain/schemas/schema.ts';
import { define, ProjectPath } from '../cabinetOperation.ts';

const FURTHER = FURTHER_CAPABILITIES.join(' или ');
const count = Type.Integer({ minimum: 0 });
const unknownOr = (schema: Type.TSchema, description: string) =>
  nullable(Type.Unsafe<number>({ ...schema, description: `${description}; null — провайдер не сообщает` }));

const cost = nullable(
  Type.Number({ minimum: 0, description: 'По нынешним ценам установки, в валюте currency; null — цена не известна' }),
);
const unpricedCalls = Type.Integer({
  minimum: 0,
  description: 'Обращения, которые в cost не вошли целиком: без цены или без данных о том, за что платят',
});

const CostOfCapability = Type.Object(
  {
    capability: Type.String({ description: `Возможность: шаг анализа, ${FURTHER}` }),
    cost,
    unpriced_calls: unpricedCalls,
  },
  { title: 'CapabilityCost' },
);

const ModelUsage = Type.Object(
  {
    step: Type.String({ description: 'Шаг анализа' }),
    capability: Type.String({ description: `Шаг или то, что он делает сверх своего: ${FURTHER}` }),
    provider: Type.String(),
    model: Type.String(),
    calls: count,
    input_tokens: unknownOr(count, 'Токены запросов'),
    output_tokens: unknownOr(count, 'Токены ответов'),
    audio_seconds: unknownOr(Type.Number({ minimum: 0 }), 'Секунды звука'),
    images: unknownOr(count, 'Изображения'),
    cost,
    unpriced_calls: unpricedCalls,
  },
  { title: 'ModelUsage' },
);

const UsageOfDay = Type.Object(
  {
    day: Type.String({ format: 'date', description: 'День по московскому времени' }),
    used: Type.Integer({ minimum: 0, description: 'Израсходовано единиц' }),
  },
  { title: 'UsageOfDay' },
);

const Usage = Type.Object(
  {
    month: Type.String({ description: 'Месяц по московскому времени' }),
    used: Type.Integer({ minimum: 0, description: 'Израсходовано единиц' }),
    reserved: Type.Integer({ minimum: 0, description: 'Занято анализом, который идёт' }),
    limit: nullable(
      Type.Integer({
        minimum: 0,
        description: 'Сколько можно в месяц по нынешней настройке проекта; null — без предела',
      }),
    ),
    days: Type.Array(UsageOfDay, {
      description:
        'Дни, в которые израсходованы единицы этого месяца; анализ, начатый в конце месяца, может закончиться в следующем. Дни до обновления, с которым появился этот учёт, не известны',
    }),
    by: Type.Array(ModelUsage, { description: 'Обращения к провайдерам за месяц' }),
    currency: nullable(Type.String({ description: 'Валюта цен установки (ISO 4217); null — цены не заданы' })),
    costs: Type.Array(CostOfCapability, { description: 'Стоимость по возможностям' }),
  },
  { title: 'Usage' },
);

export const getUsage = define({
  method: 'get',
  path: '/projects/{id}/usage',
  operationId: 'getUsage',
  tag: 'usage',
  summary: 'Объём анализа за месяц',
  description:
    'Единица — каждая начатая 1000 знаков текста, каждая начатая минута звука или видео, каждое изображение. Анализ одного текста или медиа считается один раз, сколько бы шагов его ни читали. Когда объём месяца исчерпан, шаги ждут (waiting) и продолжаются сами: в новом месяце или когда объём увеличен.',
  params: ProjectPath,
  query: strictObject({
    month: Type.Optional(
      Type.String({
        pattern: '^[1-9]\\d{3}-(0[1-9]|1[0-2])$',
        description: 'Например 2026-11; без него — текущий',
        examples: ['2026-11'],
      }),
    ),
  }),
  replies: {
    200: {
      description: 'Объём и обращения к провайдерам',
      schema: Usage,
      example: {
        month: '2026-11',
        used: 1250,
        reserved: 12,
        limit: 10_000,
        days: [{ day: '2026-11-20', used: 1250 }],
        by: [
          {
            step: 'speech',
            capability: 'speech',
            provider: 'openai',
            model: 'whisper-1',
            calls: 40,
            input_tokens: null,
            output_tokens: null,
            audio_seconds: 24_310.5,
            images: null,
            cost: 2.431,
            unpriced_calls: 0,
          },
        ],
        currency: 'USD',
        costs: [{ capability: 'speech', cost: 2.431, unpriced_calls: 0 }],
      },
    },
  },
  errors: [404],
  async handle({ params, query }, { pool, prices }) {
    const month = query.month ?? monthOf(new Date()).slice(0, 7);
    const usage = await readUsage(pool, params.id, `${month}-01`);
    if (!usage) throw notFound();
    const { used, reserved, limit, days, by } = usage;
    const priced = by.map((model) => ({ model, cost: costOfModel(model, prices) }));
    return {
      status: 200,
      body: {
        month,
        used,
        reserved,
        limit,
        days,
        by: priced.map(({ model, cost: of }) => toOutput(model, of)),
        currency: prices?.currency ?? null,
        costs: [...Map.groupBy(priced, ({ model }) => model.capability)].map(([capability, calls]) => ({
          capability,
          ...costFields(addCosts(calls.map(({ cost: of }) => of))),
        })),
      },
    };
  },
});

/** Returns the cost of a model; the built-in provider costs nothing. */
function costOfModel(model: UsageOfModel, prices: Prices | null): Cost {
  if (model.provider === 'builtin') return { cost: null, unpricedCalls: 0 };
  return costOf(prices && priceOf(prices, model.capability, model.model), model);
}

function toOutput(used: UsageOfModel, of: Cost) {
  const { step, capability, provider, model, calls } = used;
  return {
    step,
    capability,
    provider,
    model,
    calls,
    input_tokens: used.inputTokens.sum,
    output_tokens: used.outputTokens.sum,
    audio_seconds: used.audioSeconds.sum,
    images: used.images.sum,
    ...costFields(of),
  };
}

/** Rounds costs to a millionth of the currency. */
function costFields({ cost: amount, unpricedCalls: unpriced }: Cost) {
  return { cost: amount === null ? null : Number(amount.toFixed(6)), unpriced_calls: unpriced };
}
