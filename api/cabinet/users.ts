/**
 * Users: GET/POST /users, PATCH/DELETE /users/{id}. An admin manages everybody; an owner the viewers
 * who see something of his and nothing else.
 */
import Type from 'typebox';
import {
  deleteUser,
  findUnknownTenants,
  insertUser,
  isManagedUser,
  listUsers,
  updateUser,
  type StoredUser,
  type UserChange,
  type UserRefusal,
} from '../../db/accounts.ts';
import { covers, OWNER_QUOTA, type Role, type Scope, type TenantKind } from '../../domain/roles.ts';
import type { CabinetCaller } from '../auth/cabinet.ts';
import { forbidden, notFound, validationFailed, type FieldFault } from '../http/errors.ts';
import { dateTime, nullable, oneOf, strictObject, type Static } from '../../schemas/schema.ts';
import { define, pageOf, UUID, type CabinetDeps } from './define.ts';
import { ID_FORMS, pageById, pageQuery } from '../http/paging.ts';
import { email, hashPassword, password, readEmail, ROLE } from './userFields.ts';

const MAX_TENANTS = 1_000;

const QUOTA = `У владельца не больше ${OWNER_QUOTA.projects} проектов и ${OWNER_QUOTA.sites} сайтов: больше — 422 too_long, и при смене роли тоже. Другое число сайтов даёт администратор: site_quota.`;

const state = oneOf(['active', 'blocked']);
const tenants = Type.Array(Type.String({ pattern: '^[a-z0-9]{12}$' }), { maxItems: MAX_TENANTS, uniqueItems: true });

const User = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    role: ROLE,
    state,
    projects: Type.Array(Type.String()),
    sites: Type.Array(Type.String()),
    site_quota: Type.Integer({ minimum: 1, description: 'Сколько сайтов может быть у владельца' }),
    created_at: dateTime(),
    last_login_at: nullable(dateTime()),
  },
  { title: 'User' },
);

const example = {
  id: '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11',
  email: 'ivan@example.com',
  role: 'viewer',
  state: 'active',
  projects: [],
  sites: [],
  site_quota: OWNER_QUOTA.sites,
  created_at: '2026-11-20T09:00:00.000Z',
  last_login_at: null,
};

const UserCreate = strictObject(
  {
    email,
    password,
    role: ROLE,
    projects: Type.Optional(tenants),
    sites: Type.Optional(tenants),
  },
  { title: 'UserCreate' },
);

const UserPatch = strictObject(
  {
    email: Type.Optional(email),
    password: Type.Optional(password),
    role: Type.Optional(ROLE),
    state: Type.Optional(state),
    projects: Type.Optional(tenants),
    sites: Type.Optional(tenants),
    site_quota: Type.Optional(
      nullable(
        Type.Integer({
          minimum: 1,
          maximum: MAX_TENANTS,
          description: 'Только администратор; null возвращает значение по умолчанию',
        }),
      ),
    ),
  },
  { title: 'UserPatch' },
);

const UserPath = strictObject({ id: UUID });

export const listUsersOperation = define({
  method: 'get',
  path: '/users',
  operationId: 'listUsers',
  tag: 'users',
  summary: 'Пользователи',
  description: 'Владелец видит тех наблюдателей, кому доступно что-то из его проектов и сайтов и ничего чужого.',
  access: 'owner',
  query: strictObject(pageQuery),
  replies: {
    200: {
      description: 'Страница пользователей',
      schema: pageOf(User, 'UserPage'),
      example: { items: [example], next_cursor: null },
    },
  },
  errors: [],
  async handle({ caller, query }, { pool }) {
    return {
      status: 200,
      body: await pageById(query, ID_FORMS.uuid, (page) => listUsers(pool, managerOf(caller), page), toOutput),
    };
  },
});

export const createUser = define({
  method: 'post',
  path: '/users',
  operationId: 'createUser',
  tag: 'users',
  summary: 'Добавить пользователя',
  description: `Владелец добавляет только наблюдателей и только к своим проектам и сайтам. Занятый e-mail — 422 invalid_value. ${QUOTA}`,
  access: 'owner',
  body: {
    schema: UserCreate,
    example: { email: 'ivan@example.com', password: 'correct horse battery', role: 'viewer' },
  },
  replies: { 201: { description: 'Пользователь добавлен', schema: User, example } },
  errors: [413, 422],
  async handle({ caller, body }, deps) {
    const { role, projects = [], sites = [] } = body;
    requireGrantable(caller, role);
    if (managerOf(caller) !== null && projects.length + sites.length === 0) throw seesNothing();
    await requireTenants(deps, caller, { projects, sites });
    const user = await insertUser(deps.pool, {
      email: readEmail(body.email),
      passwordHash: await hashPassword(deps, body.password),
      role,
      projects,
      sites,
    });
    if (typeof user === 'string') throw refused(user);
    return { status: 201, body: toOutput(user) };
  },
});

export const patchUser = define({
  method: 'patch',
  path: '/users/{id}',
  operationId: 'patchUser',
  tag: 'users',
  summary: 'Изменить пользователя',
  description: `Действует сразу. Новый пароль завершает все сессии пользователя; state: blocked закрывает вход, сессии и токены. Владелец не может оставить наблюдателя без проектов и сайтов: 422. ${QUOTA}`,
  access: 'owner',
  params: UserPath,
  body: { schema: UserPatch, example: { state: 'blocked' } },
  replies: { 200: { description: 'Пользователь изменён', schema: User, example: { ...example, state: 'blocked' } } },
  errors: [404, 413, 422],
  async handle({ caller, params, body }, deps) {
    if (body.role !== undefined) requireGrantable(caller, body.role);
    if (body.site_quota !== undefined && caller.role !== 'admin') throw forbidden();
    await requireTenants(deps, caller, { projects: body.projects ?? [], sites: body.sites ?? [] });
    const user = await updateUser(deps.pool, params.id, await changeOf(deps, body), managerOf(caller));
    if (user === null)
      throw (await isManagedUser(deps.pool, params.id, managerOf(caller))) ? seesNothing() : notFound();
    if (typeof user === 'string') throw refused(user);
    return { status: 200, body: toOutput(user) };
  },
});

export const deleteUserOperation = define({
  method: 'delete',
  path: '/users/{id}',
  operationId: 'deleteUser',
  tag: 'users',
  summary: 'Удалить пользователя',
  description: 'Вместе с его сессиями и токенами. Проекты и сайты остаются.',
  access: 'owner',
  params: UserPath,
  replies: {
    200: {
      description: 'Пользователь удалён',
      schema: Type.Object({ id: Type.String(), deleted: Type.Boolean() }, { title: 'UserDeleted' }),
      example: { id: example.id, deleted: true },
    },
  },
  errors: [404],
  async handle({ caller, params }, { pool }) {
    if (!(await deleteUser(pool, params.id, managerOf(caller)))) throw notFound();
    return { status: 200, body: { id: params.id, deleted: true } };
  },
});

/** What somebody manages users within: an admin everybody, an owner what is his. */
function managerOf({ role, scope }: CabinetCaller): Scope | null {
  return role === 'admin' ? null : (scope ?? NOTHING);
}

/** An owner's token of the installation has no viewers of its own. */
const NOTHING: Scope = { projects: [], sites: [] };

function requireGrantable({ role }: CabinetCaller, granted: Role): void {
  if (role !== 'admin' && granted !== 'viewer') throw forbidden();
}

/** @throws {HttpError} 422 naming what does not exist or is not the caller's to give */
async function requireTenants({ pool }: CabinetDeps, caller: CabinetCaller, given: Scope): Promise<void> {
  const unknown = await findUnknownTenants(pool, given);
  const faultsOf = (kind: TenantKind): FieldFault[] =>
    given[kind].flatMap((id, index) =>
      unknown[kind].includes(id) || !covers(managerOf(caller), kind, id)
        ? [{ field: `${kind}[${index}]`, code: 'invalid_value' as const }]
        : [],
    );
  const faults = [...faultsOf('projects'), ...faultsOf('sites')];
  if (faults.length > 0) throw validationFailed(faults);
}

/** An owner's viewer sees something of his. */
const seesNothing = () => validationFailed([{ field: 'projects', code: 'required' }]);

function refused(refusal: UserRefusal) {
  if (refusal === 'taken') return validationFailed([{ field: 'email', code: 'invalid_value' }]);
  const field = refusal === 'too_many_sites' ? 'sites' : 'projects';
  // Of sites it may be the user's own number.
  return validationFailed([{ field, code: 'too_long', ...(field === 'projects' && { limit: OWNER_QUOTA.projects }) }]);
}

async function changeOf(
  deps: CabinetDeps,
  { password: fresh, email: address, site_quota: siteQuota, ...rest }: Static<typeof UserPatch>,
): Promise<UserChange> {
  return {
    ...rest,
    ...(siteQuota !== undefined && { siteQuota }),
    ...(address !== undefined && { email: readEmail(address) }),
    ...(fresh !== undefined && { passwordHash: await hashPassword(deps, fresh) }),
  };
}

function toOutput({
  id,
  email: address,
  role,
  state: current,
  projects,
  sites,
  siteQuota,
  createdAt,
  lastLoginAt,
}: StoredUser): Static<typeof User> {
  return {
    id,
    email: address,
    role,
    state: current,
    projects,
    sites,
    site_quota: siteQuota ?? OWNER_QUOTA.sites,
    created_at: createdAt.toISOString(),
    last_login_at: lastLoginAt?.toISOString() ?? null,
  };
}
