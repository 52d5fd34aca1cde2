/** Projects: GET/POST /projects, GET/PATCH /projects/{id}. */
import Type from 'typebox';
import { TITLE_MAX_LENGTH } from '../../../domain/accounts/titleLength.ts';
import { ensureClient } from '../../../db/accounts/clients.ts';
import {
  findProject,
  insertProject,
  listProjects,
  updateProject,
  type ProjectChange,
  type StoredProject,
} from '../../../db/accounts/projects.ts';
import { inTransaction, type Queryable } from '../../../db/pool.ts';
import { findSite } from '../../../db/sites/sites.ts';
import { giveTenant } from '../../../db/accounts/accounts.ts';
import { AUTO_LANGUAGE, isLanguageCode, LANGUAGE_SETTING } from '../../../domain/analysis/languageSettings.ts';
import { foldText } from '../../../domain/dictionaries/stems.ts';
import { newTenantId } from '../../../domain/accounts/tenantIds.ts';
import { OWNER_QUOTA } from '../../../domain/accounts/ownerQuota.ts';
import { covers, type Scope } from '../../../domain/accounts/roles.ts';
import type { CabinetCaller } from '../../auth/cabinetAuthentication.ts';
import { DEFAULT_PROJECT_LIMITS, projectLimits, type ProjectLimits } from '../../../domain/accounts/projectLimits.ts';
import { forbidden, notFound, validationFailed } from '../../http/errors.ts';
import { dateTime, nullable, oneOf, strictObject, text, type Static } from '../../../domain/schemas/schema.ts';
import { define, pageOf, ProjectPath } from '../cabinetOperation.ts';
import { ID_FORMS, pageById, pageQuery } from '../../http/paging.ts';
import { TOPIC_LIMITS } from '../../../domain/accounts/topicLimits.ts';

const MAX_RATE = 100_000;
const MAX_VOLUME = 2_147_483_647;
export const FIRST_CLIENT_TITLE = 'Attune';

export const title = text(TITLE_MAX_LENGTH, { minLength: 1 });
const rate = Type.Integer({ minimum: 1, maximum: MAX_RATE });
const volume = nullable(
  Type.Integer({ minimum: 0, maximum: MAX_VOLUME, description: 'Единиц анализа в месяц; null — без предела' }),
);
const state = oneOf(['active', 'suspended', 'archived']);
const language = Type.String({
  pattern: LANGUAGE_SETTING.source,
  description:
    'На каком языке пишет анализ: auto — на языке самого объекта, иначе код ISO 639-1. Действует на новые результаты',
  examples: ['auto', 'en'],
});
const topics = Type.Array(text(TOPIC_LIMITS.length), {
  description: 'Темы, из которых выбирает анализ; пусто — любые',
});
const newTopics = Type.Array(text(TOPIC_LIMITS.length, { minLength: 1, pattern: '^\\S(?:.*\\S)?$' }), {
  maxItems: TOPIC_LIMITS.count,
  uniqueItems: true,
  description:
    'Темы, из которых выбирает анализ; пусто — любые. Без пробелов по краям; темы, которые отличаются только регистром, — повтор. Действует на новые результаты',
});

const site = nullable(
  Type.String({
    pattern: '^[a-z0-9]{12}$',
    description: 'Сайт, на страницах которого объекты проекта; null — не связан либо сайт вызывающему не виден',
  }),
);

const limits = { requests_per_second: rate, output_per_second: rate } satisfies Record<
  keyof ProjectLimits,
  Type.TSchema
>;

const Project = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    state,
    monthly_volume: volume,
    fingerprints: Type.Boolean(),
    language,
    topics,
    site_id: site,
    limits: Type.Object(limits),
    created_at: dateTime(),
  },
  { title: 'Project' },
);

const example = {
  id: 'a1b2c3d4e5f6',
  title: 'Школа',
  state: 'active',
  monthly_volume: null,
  fingerprints: false,
  language: 'auto',
  topics: [],
  site_id: 'b2c3d4e5f6a1',
  limits: { ...DEFAULT_PROJECT_LIMITS },
  created_at: '2026-11-20T09:00:00.000Z',
};

const ProjectCreate = strictObject({ title }, { title: 'ProjectCreate' });
const ProjectPatch = strictObject(
  {
    title: Type.Optional(title),
    state: Type.Optional(state),
    monthly_volume: Type.Optional(volume),
    fingerprints: Type.Optional(Type.Boolean()),
    language: Type.Optional(language),
    topics: Type.Optional(newTopics),
    site_id: Type.Optional(site),
    limits: Type.Optional(
      strictObject(
        {
          requests_per_second: Type.Optional(nullable(rate)),
          output_per_second: Type.Optional(nullable(rate)),
        } satisfies Record<keyof ProjectLimits, Type.TSchema>,
        { description: 'null возвращает значение по умолчанию' },
      ),
    ),
  },
  { title: 'ProjectPatch' },
);

export const listProjectsOperation = define({
  method: 'get',
  path: '/projects',
  operationId: 'listProjects',
  tag: 'projects',
  summary: 'Проекты, доступные вызывающему',
  access: 'viewer',
  query: strictObject(pageQuery),
  replies: {
    200: {
      description: 'Страница проектов',
      schema: pageOf(Project, 'ProjectPage'),
      example: { items: [example], next_cursor: null },
    },
  },
  errors: [],
  async handle({ caller, query }, { pool }) {
    return {
      status: 200,
      body: await pageById(
        query,
        ID_FORMS.tenant,
        (page) => listProjects(pool, page, caller.scope?.projects ?? null),
        (project) => toOutput(project, caller.scope),
      ),
    };
  },
});

export const createProject = define({
  method: 'post',
  path: '/projects',
  operationId: 'createProject',
  tag: 'projects',
  summary: 'Создать проект',
  description: `Проект принадлежит создавшему его владельцу. Проектов у владельца не больше ${OWNER_QUOTA.projects}: дальше 422 с invalid_value без поля.`,
  access: 'owner',
  body: { schema: ProjectCreate, example: { title: 'Школа' } },
  replies: { 201: { description: 'Проект создан', schema: Project, example } },
  errors: [413, 422],
  async handle({ caller, body }, { pool }) {
    const project = await inTransaction(pool, async (client) => {
      const clientId = await ensureClient(client, FIRST_CLIENT_TITLE);
      const created = await insertProject(client, { id: newTenantId(), clientId, title: body.title });
      const isGiven =
        caller.user === null ||
        caller.role !== 'owner' ||
        (await giveTenant(client, caller.user.id, 'projects', created.id));
      if (!isGiven) throw validationFailed([{ field: '', code: 'invalid_value' }]);
      return created;
    });
    return { status: 201, body: toOutput(project, caller.scope) };
  },
});

export const getProject = define({
  method: 'get',
  path: '/projects/{id}',
  operationId: 'getProject',
  tag: 'projects',
  summary: 'Проект',
  params: ProjectPath,
  replies: { 200: { description: 'Проект', schema: Project, example } },
  errors: [404],
  async handle({ caller, params }, { pool }) {
    const project = await findProject(pool, params.id);
    if (!project) throw notFound();
    return { status: 200, body: toOutput(project, caller.scope) };
  },
});

export const patchProject = define({
  method: 'patch',
  path: '/projects/{id}',
  operationId: 'patchProject',
  tag: 'projects',
  summary: 'Изменить проект',
  description:
    'Новое состояние и новые пределы действуют для ключей проекта сразу, в крайнем случае не позже чем через 5 секунд. Пределы, месячный объём и приостановку меняет только admin: владельцу 403. Сайт, с которым связан проект, должен быть виден вызывающему: иначе 422.',
  params: ProjectPath,
  body: { schema: ProjectPatch, example: { monthly_volume: 10_000, limits: { requests_per_second: 100 } } },
  replies: { 200: { description: 'Проект изменён', schema: Project, example } },
  errors: [404, 413, 422],
  async handle({ caller, params, body }, { pool }) {
    if (!mayChange(caller, body)) throw forbidden();
    if (!isKnownLanguage(body.language)) throw validationFailed([{ field: 'language', code: 'invalid_value' }]);
    const repeated = repeatedTopic(body.topics);
    if (repeated !== -1) throw validationFailed([{ field: `topics[${repeated}]`, code: 'invalid_value' }]);
    await requireSite(pool, caller.scope, body.site_id ?? null);
    const unlessSuspended = caller.role !== 'admin' && body.state !== undefined;
    const project = await updateProject(pool, params.id, changeOf(body), { unlessSuspended });
    if (!project) throw unlessSuspended && (await findProject(pool, params.id)) ? forbidden() : notFound();
    return { status: 200, body: toOutput(project, caller.scope) };
  },
});

/**
 * @throws {HttpError} 422 for a site that does not exist or that the caller may not see; the response does not say
 * which
 */
async function requireSite(pool: Queryable, scope: Scope | null, id: string | null): Promise<void> {
  if (id === null) return;
  const isKnown = covers(scope, 'sites', id) && (await findSite(pool, id)) !== null;
  if (!isKnown) throw validationFailed([{ field: 'site_id', code: 'invalid_value' }]);
}

/** The pattern accepts pairs of letters that are not language codes. */
function isKnownLanguage(setting = AUTO_LANGUAGE): boolean {
  return setting === AUTO_LANGUAGE || isLanguageCode(setting);
}

/** Returns the index of the first topic that repeats another in a different case; -1 if there is none. */
function repeatedTopic(given: readonly string[] = []): number {
  const folded = given.map(foldText);
  return folded.findIndex((topic, at) => folded.indexOf(topic) < at);
}

/** Only an administrator of the installation may change a client's limits and volume, and suspend a project. */
function mayChange({ role }: CabinetCaller, change: Static<typeof ProjectPatch>): boolean {
  const isInstallations =
    change.limits !== undefined || change.monthly_volume !== undefined || change.state === 'suspended';
  return role === 'admin' || !isInstallations;
}

function changeOf({
  monthly_volume: monthlyVolume,
  site_id: siteId,
  ...rest
}: Static<typeof ProjectPatch>): ProjectChange {
  return { ...rest, ...(monthlyVolume !== undefined && { monthlyVolume }), ...(siteId !== undefined && { siteId }) };
}

/** @param scope scope of the caller: `site_id` is null for a site outside it */
function toOutput(project: StoredProject, scope: Scope | null): Static<typeof Project> {
  const { siteId } = project;
  const { id, title: name, state: current, monthlyVolume, fingerprints, limits, createdAt } = project;
  return {
    id,
    title: name,
    state: current,
    monthly_volume: monthlyVolume,
    fingerprints,
    language: project.language,
    topics: project.topics,
    site_id: siteId !== null && covers(scope, 'sites', siteId) ? siteId : null,
    limits: projectLimits(limits),
    created_at: createdAt.toISOString(),
  };
}
