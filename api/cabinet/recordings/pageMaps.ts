/** Maps of a page: GET /sites/{id}/clicks, GET /sites/{id}/scrolls, POST /sites/{id}/map-links. */
import Type from 'typebox';
import { loadSiteSettings } from '../../../db/sites/siteSettings.ts';
import { MAP_LINK_SECONDS, mapAddress } from '../../../domain/sites/mapLinks.ts';
import { listsHost } from '../../../domain/sites/hosts.ts';
import type { SiteSettings } from '../../../domain/sites/siteSettings.ts';
import { dateTime } from '../../../domain/schemas/schema.ts';
import { forbidden, invalidRequest, notFound, validationFailed } from '../../http/errors.ts';
import { queryLake } from '../../reports/runForClient.ts';
import { define, type CabinetDeps, SitePath } from '../cabinetOperation.ts';
import {
  ClickMapOutput,
  clicksExample,
  daysOf,
  type MapFields,
  MapLinkBody,
  mapQuery,
  ScrollMapOutput,
  scrollsExample,
  segmentNamed,
  toClicks,
  toScrolls,
} from './pageMapFields.ts';
import { reportSlotOf } from '../reports/simultaneousReports.ts';

const RULES =
  'Без роботов. Адрес сравнивается, как в фильтре page_url отчётов: запрос и косая черта в конце не важны, если их нет в page. Дни — в часовом поясе сайта, обе даты включительно, не больше 25 месяцев; без дат — последние 30 дней. Считается как отчёт: у одного пользователя одновременно два, третий — 429; дольше 30 секунд — по 10 процентам посетителей (sampled: true), не успело и это — 503.';

const getSiteClicks = define({
  method: 'get',
  path: '/sites/{id}/clicks',
  operationId: 'getClicks',
  tag: 'maps',
  summary: 'Карта кликов страницы',
  description: `По элементам, на которые нажимали чаще всего, и по их клеткам: 10 на 10, от левого верхнего угла. Клетки известны для нажатий, чьё место внутри элемента сообщил счётчик. ${RULES}`,
  params: SitePath,
  query: mapQuery,
  replies: { 200: { description: 'Карта кликов', schema: ClickMapOutput, example: clicksExample } },
  errors: [404],
  async handle({ caller, params, query, disconnectSignal }, deps) {
    const site = await siteOf(deps, params.id);
    const question = await questionOf(deps, site, query);
    const map = await queryLake(deps, 'clicks', question, site, {
      slot: reportSlotOf(caller),
      signal: disconnectSignal(),
      segmentField: 'segment',
    });
    return { status: 200, body: toClicks(question, site, map) };
  },
});

const getSiteScrolls = define({
  method: 'get',
  path: '/sites/{id}/scrolls',
  operationId: 'getScrolls',
  tag: 'maps',
  summary: 'Карта прокрутки страницы',
  description: `Сколько просмотров дошло до какой доли страницы. Глубина — самая большая за просмотр, по нижнему краю окна; страница, которую не прокручивали, — 0. ${RULES}`,
  params: SitePath,
  query: mapQuery,
  replies: { 200: { description: 'Карта прокрутки', schema: ScrollMapOutput, example: scrollsExample } },
  errors: [404],
  async handle({ caller, params, query, disconnectSignal }, deps) {
    const site = await siteOf(deps, params.id);
    const question = await questionOf(deps, site, query);
    const map = await queryLake(deps, 'scrolls', question, site, {
      slot: reportSlotOf(caller),
      signal: disconnectSignal(),
      segmentField: 'segment',
    });
    return { status: 200, body: toScrolls(question, site, map) };
  },
});

const createSiteMapLink = define({
  method: 'post',
  path: '/sites/{id}/map-links',
  operationId: 'createMapLink',
  tag: 'maps',
  summary: 'Ссылка на карты сайта на час',
  description:
    'Кто её откроет, может час без входа читать карты кликов и прокрутки страниц этого сайта за выбранные дни, и больше ничего: GET /maps/{token}/clicks и /maps/{token}/scrolls с параметром page, со страниц любых сайтов. Токен стоит в части адреса после #, которая не уходит на сервер страницы. Адрес страницы — на одном из hosts сайта. Ссылки закрытого сайта не действуют.',
  // Viewers are allowed, since a link shows only what its creator may see.
  access: 'viewer',
  params: SitePath,
  body: { schema: MapLinkBody, example: { page: 'https://shop.example.com/catalogue', device: 'mobile' } },
  replies: {
    201: {
      description: 'Ссылка',
      schema: Type.Object(
        {
          url: Type.String({ description: 'Страница с токеном' }),
          token: Type.String(),
          expires_at: dateTime(),
        },
        { title: 'MapLink' },
      ),
      example: {
        url: 'https://shop.example.com/catalogue#svc-map=MTc5…',
        token: 'MTc5…',
        expires_at: '2026-11-20T11:15:35.000Z',
      },
    },
  },
  errors: [404, 413, 422],
  async handle({ params, body }, deps) {
    const now = new Date();
    const site = await siteOf(deps, params.id);
    if (site.access !== 'open') throw forbidden();
    const page = URL.parse(body.page);
    if (page === null || !/^https?:$/.test(page.protocol))
      throw validationFailed([{ field: 'page', code: 'invalid_url' }]);
    if (!listsHost(site.hosts, page.hostname)) throw validationFailed([{ field: 'page', code: 'invalid_value' }]);
    const { days, faults } = daysOf(body, site, now);
    const saved = await segmentNamed(deps, site, body.segment);
    if (faults.length + saved.faults.length > 0) throw validationFailed([...faults, ...saved.faults]);
    const expiresAt = new Date(now.getTime() + MAP_LINK_SECONDS * 1_000);
    const token = deps.mapLinks.tokenFor(
      {
        siteId: site.siteId,
        from: days.date_from,
        to: days.date_to,
        device: body.device ?? null,
        segment: body.segment ?? null,
      },
      expiresAt,
    );
    return { status: 201, body: { url: mapAddress(page.href, token), token, expires_at: expiresAt.toISOString() } };
  },
});

export const pageMapOperations = [getSiteClicks, getSiteScrolls, createSiteMapLink];

/** @throws {HttpError} 404 */
async function siteOf({ pool }: CabinetDeps, id: string): Promise<SiteSettings> {
  const site = (await loadSiteSettings(pool, [id])).get(id);
  if (!site) throw notFound();
  return site;
}

/** @throws {HttpError} 400 for invalid days or an unknown segment */
async function questionOf(deps: CabinetDeps, site: SiteSettings, query: MapFields) {
  const { days, faults } = daysOf(query, site, new Date());
  const saved = await segmentNamed(deps, site, query.segment);
  if (faults.length + saved.faults.length > 0) throw invalidRequest([...faults, ...saved.faults]);
  return { ...days, page: query.page, device: query.device ?? null, segment: saved.segment };
}
