/** Last check results of the analysis providers: GET /providers, POST /providers/check. */
import Type from 'typebox';
import { listProviderChecks, requestProviderCheck, type StoredCheck } from '../../../db/installation/providerChecks.ts';
import { ASKED_CAPABILITIES, CHECK_STATES, MISSING_FILES } from '../../../domain/analysis/capabilities.ts';
import { dateTime, nullable, oneOf, type Static } from '../../../domain/schemas/schema.ts';
import { define, pageOf } from '../cabinetOperation.ts';

const ProviderCheck = Type.Object(
  {
    capability: oneOf(ASKED_CAPABILITIES),
    model: nullable(Type.String({ description: 'null, если выключено' })),
    state: oneOf(CHECK_STATES, {
      description: 'works — ответил на пробу; fails — нет; builtin — встроенный, никого не спрашивает; off — выключен',
    }),
    code: nullable(
      Type.String({
        description: `При fails — код ошибки, иначе — каких файлов нет: ${MISSING_FILES.join(', ')}`,
        examples: ['provider_unauthorized'],
      }),
    ),
    millis: nullable(Type.Integer({ minimum: 0, description: 'Сколько заняла проба' })),
    checked_at: dateTime(),
  },
  { title: 'ProviderCheck' },
);

const example: Static<typeof ProviderCheck> = {
  capability: 'summary',
  model: 'gpt-4o-mini',
  state: 'fails',
  code: 'provider_unauthorized',
  millis: 240,
  checked_at: '2026-11-20T09:00:00.000Z',
};

export const listProviders = define({
  method: 'get',
  path: '/providers',
  operationId: 'listProviders',
  tag: 'state',
  summary: 'Провайдеры анализа и их последняя проба',
  description: 'Пробу делает worker-ai при запуске и по запросу POST /providers/check.',
  access: 'admin',
  replies: {
    200: {
      description: 'По одному на каждую возможность; пусто, пока worker-ai не запускался',
      schema: pageOf(ProviderCheck, 'ProviderChecks'),
      example: { items: [example], next_cursor: null },
    },
  },
  errors: [],
  async handle(_request, { pool }) {
    return { status: 200, body: { items: (await listProviderChecks(pool)).map(toOutput), next_cursor: null } };
  },
});

export const checkProvidersNow = define({
  method: 'post',
  path: '/providers/check',
  operationId: 'checkProviders',
  tag: 'state',
  summary: 'Проверить провайдеров анализа',
  description: 'worker-ai начнёт пробу в течение нескольких секунд; результат — в GET /providers.',
  access: 'admin',
  replies: {
    202: {
      description: 'Проба запрошена',
      schema: Type.Object({ requested: Type.Boolean() }, { title: 'ProviderCheckRequested' }),
      example: { requested: true },
    },
  },
  errors: [],
  async handle(_request, { pool }) {
    await requestProviderCheck(pool);
    return { status: 202, body: { requested: true } };
  },
});

function toOutput({ checkedAt, ...check }: StoredCheck): Static<typeof ProviderCheck> {
  return { ...check, checked_at: checkedAt.toISOString() };
}
