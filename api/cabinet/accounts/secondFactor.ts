/** Second factor of the current user: GET and POST /me/totp, POST /me/totp/confirm, POST /me/totp/remove. */
import Type from 'typebox';
import { findUserByEmail } from '../../../db/accounts/accounts.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  countRecoveryCodes,
  findSecondFactor,
  removeSecondFactor,
} from '../../../db/accounts/secondFactor.ts';
import {
  base32,
  findTotpStep,
  newRecoveryCodes,
  newTotpSecret,
  recoveryCodeHash,
  totpUri,
} from '../../../domain/accounts/totp.ts';
import { strictObject } from '../../../domain/schemas/schema.ts';
import type { CabinetCaller } from '../../auth/cabinetAuthentication.ts';
import { requireSecondFactor } from '../../auth/secondFactor.ts';
import { HttpError, notFound, validationFailed } from '../../http/errors.ts';
import type { Peer } from '../../http/limits/trustedProxies.ts';
import { define, type CabinetDeps } from '../cabinetOperation.ts';
import { checkPassword } from './userFields.ts';

const CODE = Type.String({ maxLength: 64, description: 'Шесть цифр из приложения либо резервный код' });
const currentPassword = Type.String({ maxLength: 256 });
const State = Type.Object(
  { enabled: Type.Boolean(), recovery_codes_left: Type.Integer({ minimum: 0 }) },
  { title: 'SecondFactor' },
);
const RECOVERY_CODE = 'ABCD-EFGH-IJKL-MNOP';

export const getSecondFactor = define({
  method: 'get',
  path: '/me/totp',
  operationId: 'getSecondFactor',
  tag: 'session',
  summary: 'Включён ли второй фактор',
  description: 'Токену установки отвечает 404: второй фактор — у пользователей.',
  access: 'viewer',
  replies: { 200: { description: 'Состояние', schema: State, example: { enabled: true, recovery_codes_left: 10 } } },
  errors: [404],
  async handle({ caller }, { pool }) {
    const { id } = userOf(caller);
    const factor = await findSecondFactor(pool, id);
    const left = factor?.isOn ? await countRecoveryCodes(pool, id) : 0;
    return { status: 200, body: { enabled: factor?.isOn ?? false, recovery_codes_left: left } };
  },
});

export const startSecondFactor = define({
  method: 'post',
  path: '/me/totp',
  operationId: 'startSecondFactor',
  tag: 'session',
  summary: 'Начать подключение второго фактора',
  description:
    'Даёт секрет для приложения-аутентификатора (TOTP, RFC 6238). Действовать начнёт после POST /me/totp/confirm. Если второй фактор уже включён — 422: сначала отключите его.',
  access: 'viewer',
  body: {
    schema: strictObject({ password: currentPassword }, { title: 'SecondFactorStart' }),
    example: { password: 'correct horse battery' },
  },
  replies: {
    200: {
      description: 'Секрет, один раз',
      schema: Type.Object(
        { secret: Type.String({ description: 'Base32' }), uri: Type.String({ description: 'Для QR-кода' }) },
        { title: 'SecondFactorSecret' },
      ),
      example: {
        secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
        uri: 'otpauth://totp/Attune:anna%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Attune&algorithm=SHA1&digits=6&period=30',
      },
    },
  },
  errors: [404, 413, 422],
  async handle({ caller, body, peer }, deps) {
    const { id, email } = userOf(caller);
    await requirePassword(deps, peer, { id, email }, body.password);
    const secret = newTotpSecret();
    if (!(await beginSecondFactor(deps.pool, id, deps.secondFactors.seal(secret, id))))
      throw validationFailed([{ field: '', code: 'invalid_value' }]);
    return {
      status: 200,
      body: { secret: base32(secret), uri: totpUri(secret, { issuer: 'Attune', account: email }) },
    };
  },
});

export const confirmSecondFactorOperation = define({
  method: 'post',
  path: '/me/totp/confirm',
  operationId: 'confirmSecondFactor',
  tag: 'session',
  summary: 'Включить второй фактор',
  description:
    'Кодом из приложения. Дальше вход просит код; каждый код — один раз. Резервные коды показываются один раз, каждый заменяет код из приложения однажды.',
  access: 'viewer',
  body: {
    schema: strictObject({ code: CODE }, { title: 'SecondFactorConfirm' }),
    example: { code: '123456' },
  },
  replies: {
    200: {
      description: 'Включён',
      schema: Type.Object({ recovery_codes: Type.Array(Type.String()) }, { title: 'RecoveryCodes' }),
      example: { recovery_codes: [RECOVERY_CODE] },
    },
  },
  errors: [404, 413, 422],
  async handle({ caller, body, peer }, deps) {
    const { id, email } = userOf(caller);
    await deps.checkLoginLimit(peer.ip, email, id);
    const factor = await findSecondFactor(deps.pool, id);
    if (!factor || factor.isOn) throw wrong('code');
    const step = findTotpStep(deps.secondFactors.open(factor.secret, id), body.code.trim(), Date.now());
    if (step === null) throw wrong('code');
    const codes = newRecoveryCodes();
    const recoveryHashes = codes.map(recoveryCodeHash);
    if (!(await confirmSecondFactor(deps.pool, id, { secret: factor.secret, step, recoveryHashes })))
      throw wrong('code');
    return { status: 200, body: { recovery_codes: codes } };
  },
});

export const removeSecondFactorOperation = define({
  method: 'post',
  path: '/me/totp/remove',
  operationId: 'removeSecondFactor',
  tag: 'session',
  summary: 'Отключить второй фактор',
  description:
    'Паролем и кодом (или резервным кодом). Кто потерял и то и другое, того впускает администратор установки.',
  access: 'viewer',
  body: {
    schema: strictObject({ password: currentPassword, code: CODE }, { title: 'SecondFactorRemove' }),
    example: { password: 'correct horse battery', code: RECOVERY_CODE },
  },
  replies: {
    200: { description: 'Отключён', schema: State, example: { enabled: false, recovery_codes_left: 0 } },
  },
  errors: [404, 413, 422],
  async handle({ caller, body, peer }, deps) {
    const { id, email } = userOf(caller);
    await requirePassword(deps, peer, { id, email }, body.password);
    await requireSecondFactor(deps, id, body.code).catch(asWrongCode);
    await removeSecondFactor(deps.pool, id);
    return { status: 200, body: { enabled: false, recovery_codes_left: 0 } };
  },
});

/** @throws {HttpError} 404 for a token of the installation */
function userOf({ user }: CabinetCaller): { id: string; email: string } {
  if (user === null) throw notFound();
  return user;
}

/** @throws {HttpError} 422 or 429 */
async function requirePassword(
  deps: CabinetDeps,
  peer: Peer,
  { id, email }: { id: string; email: string },
  given: string,
): Promise<void> {
  await deps.checkLoginLimit(peer.ip, email, id);
  const user = await findUserByEmail(deps.pool, email);
  if (!(await checkPassword(deps, given, user?.passwordHash ?? null))) throw wrong('password');
}

/** The caller is authenticated already, so a wrong code is a fault of the field. */
function asWrongCode(error: unknown): never {
  throw error instanceof HttpError && error.status === 401 ? wrong('code') : error;
}

const wrong = (field: 'code' | 'password'): HttpError => validationFailed([{ field, code: 'invalid_value' }]);
