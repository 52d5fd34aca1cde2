/** GET /sites/{id}/realtime: the visitors on a site now. */
import Type from 'typebox';
import { findSite } from '../../../db/sites/sites.ts';
import {
  NOW_MINUTES,
  readRealtime,
  SHOWN_MINUTES,
  SHOWN_ROWS,
  type Realtime as Told,
} from '../../../db/visits/realtime.ts';
import { dateTime, nullable, type Static } from '../../../domain/schemas/schema.ts';
import { notFound } from '../../http/errors.ts';
import { define, SitePath } from '../cabinetOperation.ts';

const people = Type.Integer({ minimum: 0 });
const Realtime = Type.Object(
  {
    at: dateTime({ description: 'Когда посчитано' }),
    now: Type.Integer({ minimum: 0, description: `Людей с хитом за последние ${NOW_MINUTES} минут` }),
    last_30_minutes: Type.Object(
      { people, visits: Type.Integer({ minimum: 0 }) },
      { description: `Людей и визитов с хитом за последние ${SHOWN_MINUTES} минут` },
    ),
    minutes: Type.Array(Type.Object({ at: dateTime(), people }), {
      description: `Последние ${SHOWN_MINUTES} минут, старые первыми: у скольких людей визит шёл в эту минуту. Последняя минута ещё не кончилась`,
    }),
    pages: Type.Array(Type.Object({ domain: nullable(Type.String()), path: Type.String(), people }), {
      description: `На каких страницах люди сейчас: по последнему просмотру; до ${SHOWN_ROWS}`,
    }),
    sources: Type.Array(Type.Object({ source_type: Type.String(), source_name: nullable(Type.String()), people }), {
      description: `Откуда пришли те, кто сейчас на сайте: источник самого визита; до ${SHOWN_ROWS}`,
    }),
    sampled: Type.Boolean({ description: 'Открытых визитов очень много: посчитано по части из них' }),
  },
  { title: 'Realtime' },
);

const example: Static<typeof Realtime> = {
  at: '2026-11-20T09:00:12.345Z',
  now: 42,
  last_30_minutes: { people: 180, visits: 187 },
  minutes: [{ at: '2026-11-20T09:00:00.000Z', people: 31 }],
  pages: [{ domain: 'shop.example.com', path: '/catalog/', people: 12 }],
  sources: [{ source_type: 'organic', source_name: 'Google', people: 17 }],
  sampled: false,
};

export const getSiteRealtime = define({
  method: 'get',
  path: '/sites/{id}/realtime',
  operationId: 'getRealtime',
  tag: 'realtime',
  summary: 'Кто сейчас на сайте',
  description:
    'Через секунды после хита. Роботов нет; человек считается один раз, сколько бы ни было у него визитов и устройств с входом под одним именем.',
  params: SitePath,
  replies: { 200: { description: 'Сейчас и за последние полчаса', schema: Realtime, example } },
  errors: [404],
  async handle({ params }, { pool }) {
    if (!(await findSite(pool, params.id))) throw notFound();
    return { status: 200, body: toOutput(await readRealtime(pool, params.id)) };
  },
});

function toOutput({ at, now, lastMinutes, minutes, pages, sources, isSampled }: Told): Static<typeof Realtime> {
  return {
    at: at.toISOString(),
    now,
    last_30_minutes: lastMinutes,
    minutes: minutes.map((minute) => ({ ...minute, at: minute.at.toISOString() })),
    pages,
    sources: sources.map(({ type, name, people: some }) => ({ source_type: type, source_name: name, people: some })),
    sampled: isSampled,
  };
}
