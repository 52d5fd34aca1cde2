/**
 * Users: GET/POST /users, PATCH/DELETE /users/{id}. An admin manages everybody; an owner manages the viewers who see
 * part of the owner's scope and nothing else (domain/accounts/roles.ts). Accounts begin with an invitation
 * (invitations.ts).
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
} from '../../../db/accounts/accounts.ts';
import { OWNER_QUOTA } from '../../../domain/accounts/ownerQuota.ts';
import { covers, managerOf, mayGrant, type Role, type Scope, type TenantKind } from '../../../domain/accounts/roles.ts';
import type { CabinetCaller } from '../../auth/cabinetAuthentication.ts';
import { forbidden, notFound, validationFailed, type FieldFault } from '../../http/errors.ts';
import { dateTime, nullable, oneOf, strictObject, type Static } from '../../../domain/schemas/schema.ts';
import { define, pageOf, UUID, type CabinetDeps } from '../cabinetOperation.ts';
import { ID_FORMS, pageById, pageQuery } from '../../http/paging.ts';
import {
  INVITATION_DAYS,
  deleteInvitation,
  insertInvitation,
  renewInvitation,
} from '../../../db/accounts/invitations.ts';
import { keyHash, newKey } from '../../../domain/accounts/keyFormats.ts';
import { unusablePasswordHash } from '../../../platform/process/passwordHasher.ts';
import { invitationExample, invitationFields, invitationOf, NO_INVITATION } from './invitations.ts';
import { email, hashPassword, password, readEmail, ROLE } from './userFields.ts';

const MAX_TENANTS = 1_000;

const QUOTA = `У владельца не больше ${OWNER_QUOTA.projects} проектов и ${OWNER_QUOTA.sites} сайтов: больше — 422 too_long, и при смене роли тоже. Другое число сайтов даёт администратор: site_quota.`;

const state = oneOf(['active', 'blocked']);
const anyState = oneOf(['active', 'blocked', 'invited'], {
  description: 'invited — приглашение ещё не принято, учётной записи нет; id — приглашения',
});
const tenants = Type.Array(Type.String({ pattern: '^[a-z0-9]{12}$' }), { maxItems: MAX_TENANTS, uniqueItems: true });

const userFields = {
  id: Type.String(),
  email: Type.String(),
  role: ROLE,
  state: anyState,
  projects: Type.Array(Type.String()),
  sites: Type.Array(Type.String()),
  site_quota: Type.Integer({ minimum: 1, description: 'Сколько сайтов может быть у владельца' }),
  created_at: dateTime(),
  last_login_at: nullable(dateTime()),
};
const User = Type.Object(userFields, { title: 'User' });
const UserWithInvitation = Type.Object({ ...userFields, ...invitationFields }, { title: 'UserWithInvitation' });

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
    password: Type.Optional(password),
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
  summary: 'Пригласить или добавить пользователя',
  description: `Без password — приглашение: учётная запись появится, когда приглашённый примет его (POST /invitations/accept) и задаст пароль; есть ли уже такой e-mail, ответ не говорит. С password — сразу; так может только администратор, и занятый e-mail — 422 invalid_value. Владелец приглашает только наблюдателей и только к своим проектам и сайтам; password от него — 422. ${QUOTA}`,
  access: 'owner',
  body: { schema: UserCreate, example: { email: 'ivan@example.com', role: 'viewer' } },
  replies: {
    201: {
      description: 'Пользователь приглашён или добавлен',
      schema: UserWithInvitation,
      example: { ...example, state: 'invited', ...invitationExample },
    },
  },
  errors: [413, 422],
  async handle({ caller, body }, deps) {
    const { role, projects = [], sites = [] } = body;
    requireGrantable(caller, role);
    if (managerOf(caller) !== null && projects.length + sites.length === 0) throw emptyScopeError();
    await requireTenants(deps, caller, { projects, sites });
    const fresh = { email: readEmail(body.email), role, projects, sites };
    if (body.password === undefined) return { status: 201, body: await invite(deps, caller, fresh) };
    requireAdminsPassword(caller);
    const user = await insertUser(deps.pool, { ...fresh, passwordHash: await hashPassword(deps, body.password) });
    if (typeof user === 'string') throw refusalError(user);
    return { status: 201, body: { ...toOutput(user), ...NO_INVITATION } };
  },
});

/** @throws {HttpError} 422 */
async function invite(
  { pool }: CabinetDeps,
  { user }: CabinetCaller,
  fresh: { email: string; role: Role; projects: string[]; sites: string[] },
): Promise<Static<typeof UserWithInvitation>> {
  const secret = newKey('invitation');
  const stored = await insertInvitation(pool, { ...fresh, hash: keyHash(secret), invitedBy: user?.id ?? null });
  if (stored === 'full') throw validationFailed([{ field: '', code: 'invalid_value' }]);
  if (typeof stored === 'string') throw refusalError(stored);
  const { id, createdAt } = stored;
  const invited = { ...fresh, id, createdAt, state: 'invited' as const, siteQuota: null, lastLoginAt: null };
  return { ...toOutput(invited), ...invitationOf(secret, stored) };
}

export const patchUser = define({
  method: 'patch',
  path: '/users/{id}',
  operationId: 'patchUser',
  tag: 'users',
  summary: 'Изменить пользователя',
  description: `Действует сразу. Новый пароль завершает все сессии пользователя и отменяет приглашение задать пароль; задаёт его только администратор, от владельца — 422; state: blocked закрывает вход, сессии и токены. Если роль выше прежней или добавились проекты или сайты, сессии, токены, второй фактор, прежние пароль и приглашение больше не действуют: новый пароль — в этом же запросе или по приглашению из ответа. Менять e-mail может только администратор. Владелец не может оставить наблюдателя без проектов и сайтов: 422. Непринятое приглашение не меняется: 404. ${QUOTA}`,
  access: 'owner',
  params: UserPath,
  body: { schema: UserPatch, example: { state: 'blocked' } },
  replies: {
    200: {
      description: 'Пользователь изменён',
      schema: UserWithInvitation,
      example: { ...example, state: 'blocked', ...NO_INVITATION },
    },
  },
  errors: [404, 413, 422],
  async handle({ caller, params, body }, deps) {
    if (body.role !== undefined) requireGrantable(caller, body.role);
    // Only an admin may change an e-mail, because the response reveals whether an address has an account.
    const isAdmins = body.site_quota !== undefined || body.email !== undefined;
    if (isAdmins && caller.role !== 'admin') throw forbidden();
    await requireTenants(deps, caller, { projects: body.projects ?? [], sites: body.sites ?? [] });
    if (body.password !== undefined) requireAdminsPassword(caller);
    const user = await updateUser(deps.pool, params.id, await changeOf(deps, body), {
      manager: managerOf(caller),
      lostPassword: unusablePasswordHash(),
    });
    if (user === null)
      throw (await isManagedUser(deps.pool, params.id, managerOf(caller))) ? emptyScopeError() : notFound();
    if (typeof user === 'string') throw refusalError(user);
    const needsPassword = user.isWider && body.password === undefined;
    const invitation = needsPassword ? await renew(deps, caller, user.id) : NO_INVITATION;
    return { status: 200, body: { ...toOutput(user), ...invitation } };
  },
});

export const createInvitation = define({
  method: 'post',
  path: '/users/{id}/invitation',
  operationId: 'createInvitation',
  tag: 'users',
  summary: 'Выпустить новое приглашение',
  description: `Вместо прежнего: непринятого или истёкшего. Существующему пользователю — чтобы задать новый пароль; до принятия действует прежний. Приглашение действует ${INVITATION_DAYS} дней и один раз.`,
  access: 'owner',
  params: UserPath,
  replies: {
    201: {
      description: 'Приглашение',
      schema: Type.Object({ id: Type.String(), ...invitationFields }, { title: 'Invitation' }),
      example: { id: example.id, ...invitationExample },
    },
  },
  errors: [404],
  async handle({ caller, params }, deps) {
    const renewed = await renew(deps, caller, params.id);
    return { status: 201, body: { id: params.id, ...renewed } };
  },
});

/** @throws {HttpError} 404 */
async function renew(
  { pool }: CabinetDeps,
  caller: CabinetCaller,
  id: string,
): Promise<ReturnType<typeof invitationOf>> {
  const secret = newKey('invitation');
  const stored = await renewInvitation(pool, id, {
    hash: keyHash(secret),
    manager: managerOf(caller),
    invitedBy: caller.user?.id ?? null,
  });
  if (!stored) throw notFound();
  return invitationOf(secret, stored);
}

export const deleteUserOperation = define({
  method: 'delete',
  path: '/users/{id}',
  operationId: 'deleteUser',
  tag: 'users',
  summary: 'Удалить пользователя или отозвать приглашение',
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
    const manager = managerOf(caller);
    const isGone = (await deleteUser(pool, params.id, manager)) || (await deleteInvitation(pool, params.id, manager));
    if (!isGone) throw notFound();
    return { status: 200, body: { id: params.id, deleted: true } };
  },
});

function requireGrantable({ role }: CabinetCaller, granted: Role): void {
  if (!mayGrant(role, granted)) throw forbidden();
}

/**
 * Refuses passwords chosen by an owner, who would know them: viewers set theirs by invitations.
 * @throws {HttpError} 422
 */
function requireAdminsPassword({ role }: CabinetCaller): void {
  if (role !== 'admin') throw validationFailed([{ field: 'password', code: 'invalid_value' }]);
}

/** @throws {HttpError} 422 naming the tenants that do not exist or that the caller may not assign */
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

/** Returns the error for a change that would leave an owner's viewer with none of the owner's projects and sites. */
const emptyScopeError = () => validationFailed([{ field: 'projects', code: 'required' }]);

function refusalError(refusal: UserRefusal) {
  if (refusal === 'taken') return validationFailed([{ field: 'email', code: 'invalid_value' }]);
  const field = refusal === 'too_many_sites' ? 'sites' : 'projects';
  // The limit of sites is left out, since the user may have a quota of their own.
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
