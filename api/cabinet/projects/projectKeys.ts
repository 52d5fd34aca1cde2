/** Keys of a project: GET/POST /projects/{id}/keys, DELETE /projects/{id}/keys/{key_id}. */
import Type from 'typebox';
import { TITLE_MAX_LENGTH } from '../../../domain/accounts/titleLength.ts';
import {
  insertProjectKey,
  KEYS_PER_PROJECT,
  listProjectKeys,
  revokeProjectKey,
  type StoredKey,
} from '../../../db/accounts/projectKeys.ts';
import { findProject } from '../../../db/accounts/projects.ts';
import { TooManyKeysError } from '../../../db/sites/siteKeys.ts';
import { newKey, storedKey } from '../../../domain/accounts/keyFormats.ts';
import { notFound, validationFailed } from '../../http/errors.ts';
import { dateTime, nullable, strictObject, text, type Static } from '../../../domain/schemas/schema.ts';
import { define, pageOf, PROJECT_ID, ProjectPath, UUID } from '../cabinetOperation.ts';
import { ID_FORMS, pageById, type PageById, pageQuery } from '../../http/paging.ts';

const keyFields = {
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String({ description: 'Первые 8 символов ключа' }),
  created_at: dateTime(),
  last_used_at: nullable(dateTime()),
  revoked_at: nullable(dateTime()),
};
const ProjectKey = Type.Object(keyFields, { title: 'ProjectKey' });
const NewProjectKey = Type.Object(
  { ...keyFields, key: Type.String({ description: 'Показывается один раз' }) },
  { title: 'NewProjectKey' },
);
const KeyCreate = strictObject({ name: text(TITLE_MAX_LENGTH, { minLength: 1 }) }, { title: 'KeyCreate' });

const example = {
  id: '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11',
  name: 'Сервер',
  prefix: 'ck_AbCdE',
  created_at: '2026-11-20T09:00:00.000Z',
  last_used_at: null,
  revoked_at: null,
};

export const listKeys = define({
  method: 'get',
  path: '/projects/{id}/keys',
  operationId: 'listProjectKeys',
  tag: 'keys',
  summary: 'Ключи проекта, отозванные тоже',
  params: ProjectPath,
  query: strictObject(pageQuery),
  replies: {
    200: {
      description: 'Страница ключей',
      schema: pageOf(ProjectKey, 'ProjectKeyPage'),
      example: { items: [example], next_cursor: null },
    },
  },
  errors: [404],
  async handle({ params, query }, { pool }) {
    const list = async (page: PageById) => {
      if (!(await findProject(pool, params.id))) throw notFound();
      return listProjectKeys(pool, params.id, page);
    };
    return { status: 200, body: await pageById(query, ID_FORMS.uuid, list, toOutput) };
  },
});

export const createKey = define({
  method: 'post',
  path: '/projects/{id}/keys',
  operationId: 'createProjectKey',
  tag: 'keys',
  summary: 'Выпустить ключ',
  description: `Не больше ${KEYS_PER_PROJECT} действующих ключей у проекта: лимиты считаются по ключу.`,
  params: ProjectPath,
  body: { schema: KeyCreate, example: { name: 'Сервер' } },
  replies: {
    201: { description: 'Ключ выпущен', schema: NewProjectKey, example: { ...example, key: `ck_${'A'.repeat(40)}` } },
  },
  errors: [404, 413, 422],
  async handle({ params, body }, { pool }) {
    if (!(await findProject(pool, params.id))) throw notFound();
    const key = newKey('project');
    const stored = await insertProjectKey(pool, params.id, { name: body.name, ...storedKey(key) }).catch(
      (error: unknown) => {
        throw error instanceof TooManyKeysError ? validationFailed([{ field: '', code: 'invalid_value' }]) : error;
      },
    );
    return { status: 201, body: { ...toOutput(stored), key }, headers: { 'Cache-Control': 'no-store' } };
  },
});

export const revokeKey = define({
  method: 'delete',
  path: '/projects/{id}/keys/{key_id}',
  operationId: 'revokeProjectKey',
  tag: 'keys',
  summary: 'Отозвать ключ',
  description: 'Действует сразу, в крайнем случае не позже чем через 5 секунд, и навсегда. Повтор отвечает тем же.',
  params: strictObject({ id: PROJECT_ID, key_id: UUID }),
  replies: {
    200: {
      description: 'Ключ отозван',
      schema: Type.Object({ id: Type.String(), revoked: Type.Boolean() }, { title: 'KeyRevoked' }),
      example: { id: example.id, revoked: true },
    },
  },
  errors: [404],
  async handle({ params }, { pool }) {
    if (!(await revokeProjectKey(pool, params.id, params.key_id))) throw notFound();
    return { status: 200, body: { id: params.key_id, revoked: true } };
  },
});

function toOutput(key: StoredKey): Static<typeof ProjectKey> {
  const { id, name, prefix } = key;
  return {
    id,
    name,
    prefix,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}
