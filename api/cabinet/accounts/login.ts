/** Sign-in, sign-out and the current user: POST /login, POST /logout, POST /logout-everywhere, GET and PATCH /me. */
import Type from 'typebox';
import { deleteSession, deleteUserSessions, insertSession } from '../../../db/accounts/sessions.ts';
import { changePassword, findUserByEmail, renewPasswordHash, type UserState } from '../../../db/accounts/accounts.ts';
import type { CabinetCaller } from '../../auth/cabinetAuthentication.ts';
import { requireSecondFactor } from '../../auth/secondFactor.ts';
import { senderOf } from '../../auth/sameOrigin.ts';
import { endedCookie, newSession } from '../../auth/sessionCookie.ts';
import { forbidden, notFound, unauthorized, validationFailed } from '../../http/errors.ts';
import { strictObject } from '../../../domain/schemas/schema.ts';
import { auditSignIn } from './auditSignIn.ts';
import { define, definePublic, type CabinetDeps } from '../cabinetOperation.ts';
import { Me, meExample, readMe, readMeOfUser } from './me.ts';
import { checkPassword, hashPassword, password, readEmail } from './userFields.ts';

const Login = strictObject(
  {
    email: Type.String({ maxLength: 254 }),
    password: Type.String({ maxLength: 256 }),
    code: Type.Optional(
      Type.String({ maxLength: 64, description: 'Второй фактор: код из приложения либо резервный код' }),
    ),
  },
  { title: 'Login' },
);

export const login = definePublic({
  method: 'post',
  path: '/login',
  operationId: 'login',
  tag: 'session',
  summary: 'Войти',
  description:
    'Ставит cookie сессии: она кончается через сутки без запросов и через 30 дней после входа. Неизвестный e-mail и неверный пароль неотличимы: 401. Если включён второй фактор, без code — 401 с details: code required, с неверным или уже использованным — code invalid_value. Попытки ограничены по адресу и по e-mail; у браузера, в котором уже входили, свой счёт попыток.',
  body: { schema: Login, example: { email: 'anna@example.com', password: 'correct horse battery' } },
  replies: { 200: { description: 'Вошёл', schema: Me, example: meExample } },
  errors: [400, 401, 413, 422, 503],
  async handle({ body, headers, peer, requestId }, deps) {
    // A page of another site must not put a browser into a session of its choice.
    if (senderOf(headers, { publicUrl: deps.publicUrl, isHttps: peer.isHttps }) === 'elsewhere') throw forbidden();
    const email = readEmail(body.email);
    const device = deps.devices.deviceOf(headers, email, peer.isHttps);
    await deps.checkLoginLimit(peer.ip, email, device);
    const user = await findUserByEmail(deps.pool, email);
    const isRight = await checkPassword(deps, body.password, user?.passwordHash ?? null);
    // An unknown e-mail is not recorded: it may be a password in the wrong field.
    if (!user) throw unauthorized();
    const session = newSession(peer.isHttps);
    const attempt = { operation: 'login', userId: user.id, actor: email, ip: peer.ip, requestId };
    await auditSignIn(deps, attempt, async () => {
      await decideLogin(deps, user, isRight, body.code);
      const isOpen = await withCheckedHash(deps, user, body.password, (passwordHash) =>
        insertSession(deps.pool, { hash: session.hash, userId: user.id, passwordHash }),
      );
      if (!isOpen) throw unauthorized();
    });
    if (deps.passwords.isOutdated(user.passwordHash)) {
      await renewPasswordHash(deps.pool, user.id, {
        old: user.passwordHash,
        fresh: await hashPassword(deps, body.password),
      });
    }
    return {
      status: 200,
      body: await readMeOfUser(deps.pool, user),
      headers: {
        'Set-Cookie': [session.cookie, ...(device === null ? [deps.devices.newDevice(email, peer.isHttps)] : [])],
      },
    };
  },
});

/**
 * Calls `use` with the hash that a password was checked against. If another hash of the same password has replaced it
 * meanwhile, calls `use` again with that one: a login renews hashes that were made at an earlier cost.
 * @param use returns false when the hash is no longer the user's
 */
async function withCheckedHash(
  deps: CabinetDeps,
  { email, passwordHash }: { email: string; passwordHash: string },
  given: string,
  use: (passwordHash: string) => Promise<boolean>,
): Promise<boolean> {
  if (await use(passwordHash)) return true;
  const user = await findUserByEmail(deps.pool, email);
  if (!user || user.passwordHash === passwordHash) return false;
  return (await checkPassword(deps, given, user.passwordHash)) && (await use(user.passwordHash));
}

/** @throws {HttpError} 401 or 403 */
async function decideLogin(
  deps: CabinetDeps,
  user: { id: string; state: UserState },
  isRight: boolean,
  code: string | undefined,
): Promise<void> {
  if (!isRight) throw unauthorized();
  if (user.state === 'blocked') throw forbidden();
  await requireSecondFactor(deps, user.id, code);
}

const SessionsEnded = Type.Object({ sessions_ended: Type.Integer({ minimum: 0 }) }, { title: 'SessionsEnded' });

export const logout = define({
  method: 'post',
  path: '/logout',
  operationId: 'logout',
  tag: 'session',
  summary: 'Выйти',
  description: 'Завершает сессию этого запроса. Токен от этого не перестаёт действовать.',
  access: 'viewer',
  replies: { 200: { description: 'Сессия завершена', schema: SessionsEnded, example: { sessions_ended: 1 } } },
  errors: [],
  async handle({ caller, peer }, { pool }) {
    const ended = caller.sessionHash === null ? 0 : await deleteSession(pool, caller.sessionHash);
    return { status: 200, body: { sessions_ended: ended }, headers: { 'Set-Cookie': endedCookie(peer.isHttps) } };
  },
});

export const logoutEverywhere = define({
  method: 'post',
  path: '/logout-everywhere',
  operationId: 'logoutEverywhere',
  tag: 'session',
  summary: 'Выйти на всех устройствах',
  description: 'Завершает все сессии пользователя. Ключи проектов и токены продолжают действовать.',
  access: 'viewer',
  replies: { 200: { description: 'Сессии завершены', schema: SessionsEnded, example: { sessions_ended: 3 } } },
  errors: [],
  async handle({ caller, peer }, { pool }) {
    const ended = caller.user === null ? 0 : await deleteUserSessions(pool, caller.user.id);
    return { status: 200, body: { sessions_ended: ended }, headers: { 'Set-Cookie': endedCookie(peer.isHttps) } };
  },
});

export const getMe = define({
  method: 'get',
  path: '/me',
  operationId: 'getMe',
  tag: 'session',
  summary: 'Кто вошёл',
  access: 'viewer',
  replies: { 200: { description: 'Пользователь или токен', schema: Me, example: meExample } },
  errors: [],
  handle: async ({ caller }, { pool }) => ({ status: 200, body: await readMe(pool, caller) }),
});

const PasswordChange = strictObject(
  { current_password: Type.String({ maxLength: 256 }), password },
  { title: 'PasswordChange' },
);

export const patchMe = define({
  method: 'patch',
  path: '/me',
  operationId: 'changePassword',
  tag: 'session',
  summary: 'Сменить свой пароль',
  description:
    'Завершает все сессии пользователя; сессия этого запроса заменяется новой. Токену установки отвечает 404: у него нет пароля.',
  access: 'viewer',
  body: {
    schema: PasswordChange,
    example: { current_password: 'correct horse battery', password: 'staple battery horse' },
  },
  replies: { 200: { description: 'Пароль изменён', schema: Me, example: meExample } },
  errors: [404, 413, 422],
  async handle({ caller, body, peer }, deps) {
    if (caller.user === null) throw notFound();
    // Counted separately, because strangers can use up the attempts of the login.
    await deps.checkLoginLimit(peer.ip, caller.user.email, caller.user.id);
    const user = await findUserByEmail(deps.pool, caller.user.email);
    const isRight = await checkPassword(deps, body.current_password, user?.passwordHash ?? null);
    if (!user || !isRight) throw validationFailed([{ field: 'current_password', code: 'invalid_value' }]);
    const passwordHash = await hashPassword(deps, body.password);
    const isChanged = await withCheckedHash(deps, user, body.current_password, (old) =>
      changePassword(deps.pool, user.id, { old, fresh: passwordHash }),
    );
    if (!isChanged) throw validationFailed([{ field: 'current_password', code: 'invalid_value' }]);
    return {
      status: 200,
      body: await readMe(deps.pool, caller),
      headers: await renewedSession(deps, caller, { userId: user.id, passwordHash, isHttps: peer.isHttps }),
    };
  },
});

/** Returns a new session for a user who changed the password in a browser and stays logged in there. */
async function renewedSession(
  { pool }: CabinetDeps,
  caller: CabinetCaller,
  { userId, passwordHash, isHttps }: { userId: string; passwordHash: string; isHttps: boolean },
): Promise<Record<string, string>> {
  if (caller.sessionHash === null) return {};
  const session = newSession(isHttps);
  const isOpen = await insertSession(pool, { hash: session.hash, userId, passwordHash });
  return { 'Set-Cookie': isOpen ? session.cookie : endedCookie(isHttps) };
}
