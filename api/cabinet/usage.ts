/** GET /projects/{id}/usage: what the analysis of a month took. */
import Type from 'typebox';
import { readUsage, type UsageOfModel } from '../../db/usage.ts';
import { monthOf } from '../../domain/volume.ts';
import { notFound } from '../http/errors.ts';
import { nullable, strictObject } from '../../schemas/schema.ts';
import { define, ProjectPath } from './define.ts';

const count = Type.Integer({ minimum: 0 });
const unknownOr = (schema: Type.TSchema, description: string) =>
  nullable(Type.Unsafe<number>({ ...schema, description: `${description}; null — провайдер не сообщает` }));

const UsageOfOne = Type.Object(
  {
    step: Type.String({ description: 'Шаг анализа' }),
    provider: Type.String(),
    model: Type.String(),
    calls: count,
    input_tokens: unknownOr(count, 'Токены запросов'),
    output_tokens: unknownOr(count, 'Токены ответов'),
    audio_seconds: unknownOr(Type.Number({ minimum: 0 }), 'Секунды звука'),
    images: unknownOr(count, 'Изображения'),
  },
  { title: 'ModelUsage' },
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
    by: Type.Array(UsageOfOne, { description: 'Обращения к провайдерам за месяц' }),
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
        by: [
          {
            step: 'speech',
            provider: 'openai',
            model: 'whisper-1',
            calls: 40,
            input_tokens: null,
            output_tokens: null,
            audio_seconds: 24_310.5,
            images: null,
          },
        ],
      },
    },
  },
  errors: [404],
  async handle({ params, query }, { pool }) {
    const month = query.month ?? monthOf(new Date()).slice(0, 7);
    const usage = await readUsage(pool, params.id, `${month}-01`);
    if (!usage) throw notFound();
    return {
      status: 200,
      body: { month, used: usage.used, reserved: usage.reserved, limit: usage.limit, by: usage.by.map(toOutput) },
    };
  },
});

function toOutput({ step, provider, model, calls, inputTokens, outputTokens, audioSeconds, images }: UsageOfModel) {
  return {
    step,
    provider,
    model,
    calls,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    audio_seconds: audioSeconds,
    images,
  };
}
