/** Sites: GET/POST /sites, GET/PATCH /sites/{id}. */
import { giveTenant } from '../../../db/accounts/accounts.ts';
import { ensureClient } from '../../../db/accounts/clients.ts';
import { inTransaction } from '../../../db/pool.ts';
import { addSiteKey } from '../../../db/sites/siteKeys.ts';
import { findSite, insertSite, listSites, updateSite } from '../../../db/sites/sites.ts';
import { newSiteKey } from '../../../domain/accounts/keyFormats.ts';
import { newTenantId } from '../../../domain/accounts/tenantIds.ts';
import { OWNER_QUOTA } from '../../../domain/accounts/ownerQuota.ts';
import type { Language } from '../../../domain/language.ts';
import { strictObject, type Static } from '../../../domain/schemas/schema.ts';
import type { CabinetCaller } from '../../auth/cabinetAuthentication.ts';
import { forbidden, notFound, validationFailed } from '../../http/errors.ts';
import { languageOf } from '../../http/preferredLanguage.ts';
import { ID_FORMS, pageById, pageQuery } from '../../http/paging.ts';
import { define, pageOf, SitePath } from '../cabinetOperation.ts';
import { FIRST_CLIENT_TITLE } from '../projects/projects.ts';
import { changeOf, Site, SiteCreate, siteExample, siteFaults, SitePatch, storedHosts, toSite } from './siteFields.ts';

/** Name of a site's first key, in the language of its creator. */
const FIRST_TAG_KEY: Record<Language, string> = { ru: 'Счётчик', en: 'Tag' };

export const listSitesOperation = define({
  method: 'get',
  path: '/sites',
  operationId: 'listSites',
  tag: 'sites',
  summary: 'Сайты, доступные вызывающему, удалённые тоже',
  access: 'viewer',
  query: strictObject(pageQuery),
  replies: {
    200: {
      description: 'Страница сайтов',
      schema: pageOf(Site, 'SitePage'),
      example: { items: [siteExample], next_cursor: null },
    },
  },
  errors: [],
  async handle({ caller, query }, { pool }) {
    return {
      status: 200,
      body: await pageById(
        query,
        ID_FORMS.tenant,
        (page) => listSites(pool, page, caller.scope?.sites ?? null),
        toSite,
      ),
    };
  },
});

export const createSite = define({
  method: 'post',
  path: '/sites',
  operationId: 'createSite',
  tag: 'sites',
  summary: 'Создать сайт',
  description: `Сразу с ключом счётчика, см. GET /sites/{id}/tag. Сайт принадлежит создавшему его владельцу. Сайтов у владельца не больше ${OWNER_QUOTA.sites}, если администратор не дал ему другую квоту: дальше 422 с invalid_value без поля.`,
  access: 'owner',
  body: {
    schema: SiteCreate,
    rules: siteFaults,
    example: {
      title: 'Магазин',
      hosts: ['shop.example.com', '*.shop.example.com'],
      timezone: 'Europe/Moscow',
      currency: 'RUB',
    },
  },
  replies: { 201: { description: 'Сайт создан', schema: Site, example: { ...siteExample, rates: {} } } },
  errors: [413, 422],
  async handle({ caller, body, headers }, { pool }) {
    const tagKey = newSiteKey('tag', FIRST_TAG_KEY[languageOf(headers)]);
    const site = await inTransaction(pool, async (client) => {
      const clientId = await ensureClient(client, FIRST_CLIENT_TITLE);
      const created = await insertSite(client, {
        ...body,
        id: newTenantId(),
        clientId,
        hosts: storedHosts(body.hosts),
      });
      await addSiteKey(client, created.id, tagKey.stored);
      const isGiven =
        caller.user === null ||
        caller.role !== 'owner' ||
        (await giveTenant(client, caller.user.id, 'sites', created.id));
      if (!isGiven) throw validationFailed([{ field: '', code: 'invalid_value' }]);
      return created;
    });
    return { status: 201, body: toSite(site) };
  },
});

export const getSite = define({
  method: 'get',
  path: '/sites/{id}',
  operationId: 'getSite',
  tag: 'sites',
  summary: 'Сайт',
  params: SitePath,
  replies: { 200: { description: 'Сайт', schema: Site, example: siteExample } },
  errors: [404],
  async handle({ params }, { pool }) {
    const site = await findSite(pool, params.id);
    if (!site) throw notFound();
    return { status: 200, body: toSite(site) };
  },
});

export const patchSite = define({
  method: 'patch',
  path: '/sites/{id}',
  operationId: 'patchSite',
  tag: 'sites',
  summary: 'Изменить сайт',
  description:
    'Действует сразу, в крайнем случае не позже чем через 5 секунд. rates, hosts и ignored_referrers заменяются целиком, остальные объекты дополняются. Квоты, пределы, owner_state и состояния active и blocked меняет только admin: владельцу 403. Владелец может удалить сайт (state: deleted), если он не заблокирован; данные остаются до конца срока хранения.',
  params: SitePath,
  body: {
    schema: SitePatch,
    rules: siteFaults,
    example: {
      rates: { USD: 81.5 },
      quotas: { hits_per_day: 5_000_000 },
      limits: { requests_per_second: 50 },
      recordings: true,
    },
  },
  replies: { 200: { description: 'Сайт изменён', schema: Site, example: siteExample } },
  errors: [404, 413, 422],
  async handle({ caller, params, body }, { pool, encryptIdentitySecret }) {
    if (!mayChange(caller, body)) throw forbidden();
    const unlessBlocked = caller.role !== 'admin' && body.state !== undefined;
    const site = await updateSite(
      pool,
      params.id,
      changeOf(body, (secret) => encryptIdentitySecret(secret, params.id)),
      { unlessBlocked },
    );
    if (!site) throw unlessBlocked && (await findSite(pool, params.id)) ? forbidden() : notFound();
    return { status: 200, body: toSite(site) };
  },
});

/** Who may change each field: only the installation sets a site's quotas and limits, and blocks or unblocks it. */
const CHANGED_BY: Readonly<Record<keyof Static<typeof SitePatch>, 'owner' | 'admin'>> = {
  title: 'owner',
  hosts: 'owner',
  ignored_referrers: 'owner',
  timezone: 'owner',
  currency: 'owner',
  state: 'admin',
  owner_state: 'admin',
  rates: 'owner',
  quotas: 'admin',
  limits: 'admin',
  robots: 'owner',
  fingerprints: 'owner',
  recordings: 'owner',
  mask_texts: 'owner',
  honour_gpc: 'owner',
  identity_secret: 'owner',
  require_user_hash: 'owner',
  network: 'owner',
};

/** An owner may also delete the site. */
function mayChange({ role }: CabinetCaller, { state, ...others }: Static<typeof SitePatch>): boolean {
  if (role === 'admin') return true;
  const change = state === 'deleted' ? others : { ...others, state };
  return Object.entries(change).every(
    ([field, value]) => value === undefined || CHANGED_BY[field as keyof typeof CHANGED_BY] === 'owner',
  );
}
