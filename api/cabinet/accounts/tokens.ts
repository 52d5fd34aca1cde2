/** Tokens of the current user: GET and POST /tokens, DELETE /tokens/{id}. */
import Type from 'typebox';
import { TITLE_MAX_LENGTH } from '../../../domain/accounts/titleLength.ts';
import {
  insertToken,
  insertUserToken,
  listTokens,
  revokeToken,
  TOKEN_DAYS,
  TOKENS_PER_USER,
  type NewToken,
  type StoredToken,
} from '../../../db/accounts/cabinetTokens.ts';
import { newKey, storedKey } from '../../../domain/accounts/keyFormats.ts';
import type { CabinetCaller } from '../../auth/cabinetAuthentication.ts';
import { forbidden, notFound, unauthorized, validationFailed } from '../../http/errors.ts';
import { dateTime, nullable, strictObject, text, type Static } from '../../../domain/schemas/schema.ts';
import { define, pageOf, UUID, type CabinetDeps } from '../cabinetOperation.ts';
import { ID_FORMS, pageById, pageQuery } from '../../http/paging.ts';

const tokenFields = {
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String({ description: 'Первые 8 символов токена' }),
  created_at: dateTime(),
  expires_at: dateTime({ description: 'После этого токен не действует' }),
  last_used_at: nullable(dateTime()),
  revoked_at: nullable(dateTime()),
};
const Token = Type.Object(tokenFields, { title: 'Token' });
const NewToken = Type.Object(
  { ...tokenFields, token: Type.String({ description: 'Показывается один раз' }) },
  { title: 'NewToken' },
);
const TokenCreate = strictObject(
  {
    name: text(TITLE_MAX_LENGTH, { minLength: 1 }),
    expires_in_days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: TOKEN_DAYS.max, default: TOKEN_DAYS.usual, description: 'Срок действия' }),
    ),
  },
  { title: 'TokenCreate' },
);

const example = {
  id: '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11',
  name: 'Выгрузка',
  prefix: 'at_AbCdE',
  created_at: '2026-11-20T09:00:00.000Z',
  expires_at: '2027-02-18T09:00:00.000Z',
  last_used_at: null,
  revoked_at: null,
};
const HOLDER_DESCRIPTION =
  'Токен действует от имени своего пользователя, с его ролью, проектами и сайтами. Токену установки принадлежат токены установки; для них нужна роль admin.';

export const listTokensOperation = define({
  method: 'get',
  path: '/tokens',
  operationId: 'listTokens',
  tag: 'tokens',
  summary: 'Свои токены, отозванные тоже',
  description: HOLDER_DESCRIPTION,
  access: 'viewer',
  query: strictObject(pageQuery),
  replies: {
    200: {
      description: 'Страница токенов',
      schema: pageOf(Token, 'TokenPage'),
      example: { items: [example], next_cursor: null },
    },
  },
  errors: [],
  async handle({ caller, query }, { pool }) {
    return {
      status: 200,
      body: await pageById(query, ID_FORMS.uuid, (page) => listTokens(pool, holderOf(caller), page), toOutput),
    };
  },
});

export const createToken = define({
  method: 'post',
  path: '/tokens',
  operationId: 'createToken',
  tag: 'tokens',
  summary: 'Выпустить токен',
  description: `${HOLDER_DESCRIPTION} Не больше ${TOKENS_PER_USER} действующих у пользователя. Срок — ${TOKEN_DAYS.usual} дней, если не указан другой, до ${TOKEN_DAYS.max}; выпущенный по токену кончается не позже этого токена.`,
  access: 'viewer',
  body: { schema: TokenCreate, example: { name: 'Выгрузка' } },
  replies: {
    201: { description: 'Токен выпущен', schema: NewToken, example: { ...example, token: `at_${'A'.repeat(40)}` } },
  },
  errors: [413, 422],
  async handle({ caller, body }, deps) {
    const token = newKey('cabinet');
    const stored = await store(deps, caller, {
      name: body.name,
      days: body.expires_in_days ?? TOKEN_DAYS.usual,
      madeBy: caller.tokenId,
      session: caller.sessionHash,
      ...storedKey(token),
    });
    if (stored === 'ended') throw unauthorized();
    if (stored === 'full') throw validationFailed([{ field: '', code: 'invalid_value' }]);
    return { status: 201, body: { ...toOutput(stored), token } };
  },
});

export const revokeTokenOperation = define({
  method: 'delete',
  path: '/tokens/{id}',
  operationId: 'revokeToken',
  tag: 'tokens',
  summary: 'Отозвать свой токен',
  description: 'Действует сразу и навсегда. Повтор отвечает тем же.',
  access: 'viewer',
  params: strictObject({ id: UUID }),
  replies: {
    200: {
      description: 'Токен отозван',
      schema: Type.Object({ id: Type.String(), revoked: Type.Boolean() }, { title: 'TokenRevoked' }),
      example: { id: example.id, revoked: true },
    },
  },
  errors: [404],
  async handle({ caller, params }, { pool }) {
    if (!(await revokeToken(pool, holderOf(caller), params.id))) throw notFound();
    return { status: 200, body: { id: params.id, revoked: true } };
  },
});

/** @throws {HttpError} 403 when the caller is an installation token without the role admin */
function holderOf({ user, role }: CabinetCaller): string | null {
  if (user === null && role !== 'admin') throw forbidden();
  return user?.id ?? null;
}

async function store(
  { pool }: CabinetDeps,
  caller: CabinetCaller,
  token: NewToken,
): Promise<StoredToken | 'full' | 'ended'> {
  const holder = holderOf(caller);
  return holder === null ? insertToken(pool, { ...token, role: caller.role }) : insertUserToken(pool, holder, token);
}

function toOutput(token: StoredToken): Static<typeof Token> {
  const { id, name, prefix } = token;
  return {
    id,
    name,
    prefix,
    created_at: token.createdAt.toISOString(),
    expires_at: token.expiresAt.toISOString(),
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
    revoked_at: token.revokedAt?.toISOString() ?? null,
  };
}
