/** Response schema of an item's statistics. */
import Type from 'typebox';
import { VALUE_KINDS } from '../../../domain/events/eventTypes.ts';
import { MAX_EVENTS_FOR_DISTINCT_PEOPLE } from '../../../domain/items/statistics.ts';
import { nullable, oneOf, type Static } from '../../../domain/schemas/schema.ts';

const counts = {
  events: Type.Integer({
    description: 'max и state — по одному на человека, в день засчитанного события; снятые состояния не считаются',
  }),
  value_average: nullable(Type.Number({ description: 'Среднее значение; null — ни у одного события его не было' })),
  revenue: Type.Number({ description: 'Цена на количество, в деньгах проекта' }),
};

const TypeDay = Type.Object(
  { type: Type.String(), people: Type.Integer({ description: 'Разные люди за день' }), ...counts },
  { title: 'ItemTypeDay' },
);

export const TypeTotal = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    value_kind: oneOf(VALUE_KINDS),
    is_open: Type.Boolean(),
    is_goal: Type.Boolean(),
    is_purchase: Type.Boolean(),
    people: nullable(Type.Integer({ description: 'Разные люди за период; null — событий слишком много' })),
    ...counts,
  },
  { title: 'ItemTypeTotal' },
);

export const ItemStatistics = Type.Object(
  {
    from: Type.String(),
    to: Type.String(),
    days: Type.Array(
      Type.Object(
        {
          day: Type.String(),
          impressions: Type.Integer(),
          types: Type.Array(TypeDay, { description: 'Только те, что были в этот день' }),
        },
        { title: 'ItemStatisticsDay' },
      ),
      { description: 'Каждый день, по порядку' },
    ),
    totals: Type.Object(
      {
        impressions: Type.Integer(),
        people: nullable(
          Type.Integer({
            description: `Разные люди с любым событием за период; null — событий больше ${MAX_EVENTS_FOR_DISTINCT_PEOPLE / 1000} 000`,
          }),
        ),
        types: Type.Array(TypeTotal, { description: 'Только те, что были; чаще — раньше' }),
      },
      { title: 'ItemStatisticsTotals' },
    ),
    of_deleted: Type.Array(Type.Object({ type: Type.String(), events: Type.Integer() }, { title: 'ItemTypeLeft' }), {
      description:
        'Что осталось от удалённых пользователей за всё время: суммы без дней и людей; в days и totals их нет',
    }),
  },
  { title: 'ItemStatistics' },
);

export const statisticsExample: Static<typeof ItemStatistics> = {
  from: '2026-11-20',
  to: '2026-11-20',
  days: [
    {
      day: '2026-11-20',
      impressions: 120,
      types: [{ type: 'view', people: 9, events: 9, value_average: 63.5, revenue: 0 }],
    },
  ],
  totals: {
    impressions: 120,
    people: 9,
    types: [
      {
        type: 'view',
        title: 'Просмотр',
        value_kind: 'percent',
        is_open: false,
        is_goal: false,
        is_purchase: false,
        people: 9,
        events: 9,
        value_average: 63.5,
        revenue: 0,
      },
    ],
  },
  of_deleted: [],
};
