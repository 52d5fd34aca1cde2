/** Sign-in without a password: POST /sign-in-links creates a link, POST /sign-in uses it up. */
import Type from 'typebox';
import {
  findSignInUser,
  makeSignInLink,
  redeemSignInLink,
  SIGN_IN_LINK_MINUTES,
  type SignInUser,
} from '../../../db/accounts/signInLinks.ts';
import { keyHash } from '../../../domain/accounts/keyFormats.ts';
import { dateTime, strictObject } from '../../../domain/schemas/schema.ts';
import { managerOf } from '../../../domain/accounts/roles.ts';
import { requireSecondFactor } from '../../auth/secondFactor.ts';
import { senderOf } from '../../auth/sameOrigin.ts';
import { newSession } from '../../auth/sessionCookie.ts';
import { forbidden, notFound, unauthorized } from '../../http/errors.ts';
import { auditSignIn } from './auditSignIn.ts';
import { define, definePublic, UUID, type CabinetDeps } from '../cabinetOperation.ts';
import { Me, meExample, readMeOfUser } from './me.ts';

const secretExample = `al_${'A'.repeat(40)}`;

const SignInLink = Type.Object(
  {
    url: Type.String({ description: 'Показывается один раз; секрет — за знаком #, серверам он не передаётся' }),
    expires_at: dateTime(),
  },
  { title: 'SignInLink' },
);

export const createSignInLink = define({
  method: 'post',
  path: '/sign-in-links',
  operationId: 'createSignInLink',
  tag: 'users',
  summary: 'Сделать ссылку для входа без пароля',
  description: `Ссылка впускает названного пользователя один раз и действует ${SIGN_IN_LINK_MINUTES} минут; прежняя его ссылка перестаёт действовать, а новый пароль прекращает и эту. Второй фактор спрашивается и по ней. Владелец делает ссылки только своим наблюдателям. Чужой, неизвестный и заблокированный пользователь — 404.`,
  access: 'owner',
  body: {
    schema: strictObject({ user: UUID }, { title: 'SignInLinkCreate' }),
    example: { user: '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11' },
  },
  replies: {
    201: {
      description: 'Ссылка сделана',
      schema: SignInLink,
      example: {
        url: `https://attune.example.com/cabinet/sign-in#${secretExample}`,
        expires_at: '2026-11-20T09:10:00.000Z',
      },
    },
  },
  errors: [404, 413, 422],
  async handle({ caller, body }, { pool, publicUrl }) {
    const link = await makeSignInLink(pool, { userId: body.user, manager: managerOf(caller), publicUrl });
    if (link === null) throw notFound();
    return { status: 201, body: { url: link.url, expires_at: link.expiresAt.toISOString() } };
  },
});

export const signIn = definePublic({
  method: 'post',
  path: '/sign-in',
  operationId: 'signIn',
  tag: 'session',
  summary: 'Войти по ссылке',
  description:
    'Ставит cookie сессии, как POST /login; ссылка после этого не действует. Неизвестная, использованная и просроченная ссылка — 401. Если включён второй фактор, без code — 401 с details: code required, с неверным — code invalid_value; ссылка тогда ещё действует. Попытки ограничены по адресу.',
  body: {
    schema: strictObject(
      {
        link: Type.String({ maxLength: 64, description: 'Секрет ссылки: то, что в ней за знаком #' }),
        code: Type.Optional(Type.String({ maxLength: 64, description: 'Второй фактор' })),
      },
      { title: 'SignIn' },
    ),
    example: { link: secretExample },
  },
  replies: { 200: { description: 'Вошёл', schema: Me, example: meExample } },
  errors: [400, 401, 413, 422, 503],
  async handle({ body, headers, peer, requestId }, deps) {
    // A page of another site must not put a browser into a session of its choice.
    if (senderOf(headers, { publicUrl: deps.publicUrl, isHttps: peer.isHttps }) === 'elsewhere') throw forbidden();
    await deps.checkLoginLimit(peer.ip, body.link);
    const hash = keyHash(body.link);
    const user = await findSignInUser(deps.pool, hash);
    if (!user) throw unauthorized();
    const session = newSession(peer.isHttps);
    const attempt = { operation: 'signIn', userId: user.id, actor: user.email, ip: peer.ip, requestId };
    await auditSignIn(deps, attempt, async () => {
      await checkUser(deps, user, body.code);
      if (!(await redeemSignInLink(deps.pool, { hash, sessionHash: session.hash }))) throw unauthorized();
    });
    return { status: 200, body: await readMeOfUser(deps.pool, user), headers: { 'Set-Cookie': session.cookie } };
  },
});

/** @throws {HttpError} 401 or 403 */
async function checkUser(deps: CabinetDeps, { id, state }: SignInUser, code: string | undefined): Promise<void> {
  if (state === 'blocked') throw forbidden();
  await requireSecondFactor(deps, id, code);
}
