/** Keys of a site: GET/POST /sites/{id}/keys, DELETE /sites/{id}/keys/{key_id}. */
import Type from 'typebox';
import { TITLE_MAX_LENGTH } from '../../../domain/accounts/titleLength.ts';
import {
  insertSiteKey,
  KEYS_PER_SITE,
  listSiteKeys,
  TooManyKeysError,
  revokeSiteKey,
  type StoredSiteKey,
} from '../../../db/sites/siteKeys.ts';
import { findSite } from '../../../db/sites/sites.ts';
import { newSiteKey } from '../../../domain/accounts/keyFormats.ts';
import { dateTime, nullable, oneOf, strictObject, text, type Static } from '../../../domain/schemas/schema.ts';
import { notFound, validationFailed } from '../../http/errors.ts';
import { ID_FORMS, pageById, type PageById, pageQuery } from '../../http/paging.ts';
import { define, pageOf, SiteKeyPath, SitePath } from '../cabinetOperation.ts';

const kind = oneOf(['api', 'tag'], {
  description: 'api — секретный ключ сервера (ak_), tag — открытый ключ счётчика (as_)',
});
const keyFields = {
  id: Type.String(),
  kind,
  name: Type.String(),
  prefix: Type.String({ description: 'Первые 8 символов ключа' }),
  public_key: nullable(
    Type.String({ description: 'Ключ счётчика целиком: он и так на каждой странице сайта; у api — null' }),
  ),
  created_at: dateTime(),
  last_used_at: nullable(dateTime()),
  revoked_at: nullable(dateTime()),
};
const SiteKey = Type.Object(keyFields, { title: 'SiteKey' });
const NewKey = Type.Object(
  { ...keyFields, key: Type.String({ description: 'Ключ api показывается один раз' }) },
  { title: 'NewSiteKey' },
);
const SiteKeyCreate = strictObject(
  { name: text(TITLE_MAX_LENGTH, { minLength: 1 }), kind: Type.Optional(kind) },
  { title: 'SiteKeyCreate' },
);

const example = {
  id: '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11',
  kind: 'api',
  name: 'Сервер',
  prefix: 'ak_AbCdE',
  public_key: null,
  created_at: '2026-11-20T09:00:00.000Z',
  last_used_at: null,
  revoked_at: null,
};

export const listKeysOfSite = define({
  method: 'get',
  path: '/sites/{id}/keys',
  operationId: 'listSiteKeys',
  tag: 'siteKeys',
  summary: 'Ключи сайта, отозванные тоже',
  params: SitePath,
  query: strictObject(pageQuery),
  replies: {
    200: {
      description: 'Страница ключей',
      schema: pageOf(SiteKey, 'SiteKeyPage'),
      example: { items: [example], next_cursor: null },
    },
  },
  errors: [404],
  async handle({ params, query }, { pool }) {
    const list = async (page: PageById) => {
      if (!(await findSite(pool, params.id))) throw notFound();
      return listSiteKeys(pool, params.id, page);
    };
    return { status: 200, body: await pageById(query, ID_FORMS.uuid, list, toOutput) };
  },
});

export const createSiteKey = define({
  method: 'post',
  path: '/sites/{id}/keys',
  operationId: 'createSiteKey',
  tag: 'siteKeys',
  summary: 'Выпустить ключ',
  description: `Не больше ${KEYS_PER_SITE} действующих ключей каждого вида у сайта: лимиты считаются по ключу.`,
  params: SitePath,
  body: { schema: SiteKeyCreate, example: { name: 'Сервер', kind: 'api' } },
  replies: {
    201: { description: 'Ключ выпущен', schema: NewKey, example: { ...example, key: `ak_${'A'.repeat(40)}` } },
  },
  errors: [404, 413, 422],
  async handle({ params, body }, { pool }) {
    if (!(await findSite(pool, params.id))) throw notFound();
    const { key, stored } = newSiteKey(body.kind ?? 'api', body.name);
    const created = await insertSiteKey(pool, params.id, stored).catch((error: unknown) => {
      throw error instanceof TooManyKeysError ? validationFailed([{ field: '', code: 'invalid_value' }]) : error;
    });
    return { status: 201, body: { ...toOutput(created), key }, headers: { 'Cache-Control': 'no-store' } };
  },
});

export const revokeKeyOfSite = define({
  method: 'delete',
  path: '/sites/{id}/keys/{key_id}',
  operationId: 'revokeSiteKey',
  tag: 'siteKeys',
  summary: 'Отозвать ключ',
  description:
    'Действует сразу, в крайнем случае не позже чем через 5 секунд, и навсегда. Повтор отвечает тем же. С отозванным ключом счётчика страницы ничего не присылают, пока в них не вставлен другой.',
  params: SiteKeyPath,
  replies: {
    200: {
      description: 'Ключ отозван',
      schema: Type.Object({ id: Type.String(), revoked: Type.Boolean() }, { title: 'SiteKeyRevoked' }),
      example: { id: example.id, revoked: true },
    },
  },
  errors: [404],
  async handle({ params }, { pool }) {
    if (!(await revokeSiteKey(pool, params.id, params.key_id))) throw notFound();
    return { status: 200, body: { id: params.key_id, revoked: true } };
  },
});

function toOutput(key: StoredSiteKey): Static<typeof SiteKey> {
  const { id, kind: ofKind, name, prefix } = key;
  return {
    id,
    kind: ofKind,
    name,
    prefix,
    public_key: key.publicKey,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}
