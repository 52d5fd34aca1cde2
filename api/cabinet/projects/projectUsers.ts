/** One person of a project, by any identifier: GET and DELETE /projects/{id}/users/{user_id}. */
import Type from 'typebox';
import { readTitles } from '../../../db/items/titles.ts';
import { findPerson } from '../../../db/identities/identities.ts';
import { readOutputPerson } from '../../../db/output/readBeforeRanking.ts';
import type { OutputPerson } from '../../../db/output/person/person.ts';
import { deleteUser } from '../../../db/people/deleteUser.ts';
import { memberIds } from '../../../db/identities/identitiesOfPerson.ts';
import { countActivity, listIdentifiers, listLogins, type KnownIdentifier } from '../../../db/people/personOverview.ts';
import { findProfile } from '../../../db/people/profiles.ts';
import type { Queryable } from '../../../db/pool.ts';
import { findProject } from '../../../db/accounts/projects.ts';
import type { Identifier, IdentityKind } from '../../../domain/people/identity.ts';
import { dateTime, nullable, oneOf, orNull, strictObject, text, type Static } from '../../../domain/schemas/schema.ts';
import { StoredProfile, toProfileOutput } from '../../content/users/profile.ts';
import { ID_MAX_LENGTH } from '../../../domain/idLength.ts';
import { invalidRequest, notFound } from '../../http/errors.ts';
import { define, PROJECT_ID } from '../cabinetOperation.ts';
import { isUuid } from '../../../domain/uuid.ts';

const MAX_IDENTIFIERS = 100;
const MAX_SIGNALS = 100;
/** Maximum count per identity and table. */
const MAX_COUNTED = 10_000;

const KINDS = ['user_id', 'anonymous_id', 'fingerprint_uuid'] as const;
type Kind = (typeof KINDS)[number];
const IDENTITY_OF: Readonly<Record<Kind, IdentityKind>> = {
  user_id: 'user',
  anonymous_id: 'anonymous',
  fingerprint_uuid: 'fingerprint',
};
const KIND_OF: Readonly<Record<IdentityKind, Kind>> = {
  user: 'user_id',
  anonymous: 'anonymous_id',
  fingerprint: 'fingerprint_uuid',
};

const params = strictObject({
  id: PROJECT_ID,
  user_id: text(ID_MAX_LENGTH, {
    minLength: 1,
    description: 'Идентификатор, в адресе — с процентным кодированием',
    examples: ['user-7'],
  }),
});
const query = strictObject({
  kind: Type.Optional(
    oneOf(KINDS, { description: 'Чей это идентификатор; без него — первый, кого так зовут, в этом порядке' }),
  ),
});

const Signal = Type.Object(
  {
    item: Type.String(),
    title: nullable(Type.String()),
    weight: Type.Number({
      description: 'Вес типов событий × множитель значения × убывание со временем; меньше 0 — не нравится',
    }),
  },
  { title: 'UserSignal' },
);
const NamedItem = Type.Object({ item: Type.String(), title: nullable(Type.String()) }, { title: 'NamedItem' });
const texts = Type.Array(Type.String());

const ProjectUser = Type.Object(
  {
    identifiers: Type.Array(
      Type.Object({ kind: oneOf(KINDS), id: Type.String(), since: dateTime() }, { title: 'UserIdentifier' }),
      { description: `Что ведёт к этому человеку, до ${MAX_IDENTIFIERS} каждого рода; первый — главный` },
    ),
    profile: orNull(StoredProfile),
    activity: Type.Array(
      Type.Object(
        { type: Type.String(), events: Type.Integer({ minimum: 0 }), last_at: dateTime() },
        { title: 'UserActivity' },
      ),
      {
        description: `Сколько каких событий, последние — первыми. С каждого идентификатора считаются до ${MAX_COUNTED} последних. Показы по одному не хранятся`,
      },
    ),
    taste: Type.Object(
      {
        personalization: Type.Boolean({
          description: 'false — человек от неё отказался: остальное, кроме исключений, пусто',
        }),
        items: Type.Array(Signal, { description: `До ${MAX_SIGNALS} объектов, встреченный последним — первым` }),
        interests: texts,
        followed_authors: texts,
        hidden_authors: texts,
        excluded_interests: texts,
        hidden_items: Type.Array(NamedItem, { description: `Скрыты событием, до ${MAX_SIGNALS}` }),
        suppressed_items: Type.Array(NamedItem, {
          description: `Не показываются вместе с очень похожими, пока не истечёт suppress_similar_days, до ${MAX_SIGNALS}`,
        }),
      },
      { title: 'UserTaste', description: 'Из чего складываются рекомендации и что им запрещено' },
    ),
  },
  { title: 'ProjectUser' },
);
type ProjectUser = Static<typeof ProjectUser>;

const example: ProjectUser = {
  identifiers: [
    { kind: 'user_id', id: 'user-7', since: '2026-11-01T09:00:00.000Z' },
    { kind: 'anonymous_id', id: 'b7c1', since: '2026-10-30T18:12:40.000Z' },
  ],
  profile: {
    identity: 'user',
    gender: null,
    birth_year: null,
    city: 'москва',
    country: null,
    interests: ['трамваи'],
    excluded_interests: null,
    followed_authors: null,
    hidden_authors: null,
    personalization: true,
    attributes: null,
    fields_updated_at: { city: '2026-11-20T09:00:00.000Z' },
  },
  activity: [{ type: 'open', events: 12, last_at: '2026-11-20T09:04:11.275Z' }],
  taste: {
    personalization: true,
    items: [{ item: 'lesson-42', title: 'Урок 42', weight: 1.94 }],
    interests: ['трамваи'],
    followed_authors: [],
    hidden_authors: [],
    excluded_interests: [],
    hidden_items: [],
    suppressed_items: [],
  },
};

export const getProjectUser = define({
  method: 'get',
  path: '/projects/{id}/users/{user_id}',
  operationId: 'getProjectUser',
  tag: 'people',
  summary: 'Что известно о человеке',
  description:
    'По любому из его идентификаторов: что ещё ведёт к нему, профиль, сколько он сделал и что из этого учитывают рекомендации. ' +
    'Сами события — listProjectEvents. Кого не знают и кого удалили — 404.',
  params,
  query,
  replies: { 200: { description: 'Человек', schema: ProjectUser, example } },
  errors: [404],
  async handle({ params: path, query: { kind } }, { pool }) {
    const named = identifiersOf(kind, path.user_id);
    if (!(await findProject(pool, path.id))) throw notFound();
    return { status: 200, body: await readUser(pool, path.id, await findKnown(pool, path.id, named)) };
  },
});

export const deleteProjectUser = define({
  method: 'delete',
  path: '/projects/{id}/users/{user_id}',
  operationId: 'deleteProjectUser',
  tag: 'people',
  summary: 'Удалить данные о человеке',
  description:
    'То же, что POST /users/delete в content API: события, заказы, профиль и все связанные устройства недоступны сразу, ' +
    'хранимое удаляется вслед за ответом. Статистика объектов остаётся обезличенной. Необратимо.',
  params,
  query,
  replies: {
    200: {
      description: 'Удалён',
      schema: Type.Object({ deleted: Type.Boolean() }, { title: 'ProjectUserDeleted' }),
      example: { deleted: true },
    },
  },
  errors: [404],
  async handle({ params: path, query: { kind }, requestId }, { pool, ledgerKey }) {
    const named = identifiersOf(kind, path.user_id);
    if (!(await findProject(pool, path.id))) throw notFound();
    const identifiers = [(await findKnown(pool, path.id, named)).identifier];
    if (!(await deleteUser(pool, { projectId: path.id, identifiers, requestId, ledgerKey }))) throw notFound();
    return { status: 200, body: { deleted: true } };
  },
});

/** @throws {HttpError} 400 for an invalid fingerprint */
function identifiersOf(kind: Kind | undefined, id: string): Identifier[] {
  const fingerprint = id.toLowerCase();
  const isFingerprint = isUuid(fingerprint);
  if (kind === 'fingerprint_uuid' && !isFingerprint)
    throw invalidRequest([{ field: 'user_id', code: 'invalid_value' }]);
  return KINDS.filter((one) => (kind === undefined ? one !== 'fingerprint_uuid' || isFingerprint : one === kind)).map(
    (one) => ({ kind: IDENTITY_OF[one], externalId: one === 'fingerprint_uuid' ? fingerprint : id }),
  );
}

interface Known {
  identifier: Identifier;
  /** The root identity that it belongs to. */
  rootId: string;
}

/** @throws {HttpError} 404 when none of them leads to anybody */
async function findKnown(db: Queryable, projectId: string, named: readonly Identifier[]): Promise<Known> {
  for (const identifier of named) {
    const rootId = await findPerson(db, projectId, identifier);
    if (rootId !== null) return { identifier, rootId };
  }
  throw notFound();
}

/** @throws {HttpError} 404 for a person who was deleted in the meantime */
async function readUser(db: Queryable, projectId: string, { identifier, rootId }: Known): Promise<ProjectUser> {
  const members = await memberIds(db, projectId, rootId);
  const person = await readOutputPerson(db, projectId, [identifier], { signals: true });
  if (members.length === 0 || person === null) throw notFound();
  const identifiers = await listIdentifiers(db, projectId, rootId, MAX_IDENTIFIERS);
  const logins = await listLogins(db, projectId, rootId, MAX_IDENTIFIERS);
  const [main = identifier] = identifiers;
  const profile = await findProfile(db, projectId, main);
  const activity = await countActivity(db, projectId, members.slice(0, MAX_IDENTIFIERS), MAX_COUNTED);
  return {
    identifiers: distinct([...identifiers, ...logins]),
    profile: profile && toProfileOutput(profile),
    activity: activity.map(({ type, events, lastAt }) => ({ type, events, last_at: lastAt.toISOString() })),
    taste: await tasteOf(db, projectId, person),
  };
}

/** Removes duplicates: a fingerprint may be both an identity of its own and a device on which the user was seen. */
function distinct(known: readonly KnownIdentifier[]): ProjectUser['identifiers'] {
  const told = known.map(({ kind, externalId, since }) => ({
    kind: KIND_OF[kind],
    id: externalId,
    since: since.toISOString(),
  }));
  return [...new Map(told.toReversed().map((one) => [`${one.kind} ${one.id}`, one])).values()].toReversed();
}

async function tasteOf(db: Queryable, projectId: string, person: OutputPerson): Promise<ProjectUser['taste']> {
  const items = person.signals.items.slice(0, MAX_SIGNALS);
  const hidden = person.hiddenItems.slice(0, MAX_SIGNALS);
  const suppressed = person.suppressedItems.slice(0, MAX_SIGNALS);
  const ids = [...items.map(({ item }) => item), ...hidden, ...suppressed];
  const titles = await readTitles(db, projectId, [...new Set(ids)]);
  const named = (item: string) => ({ item, title: titles.get(item) ?? null });
  return {
    personalization: person.personalization,
    items: items.map(({ item, weight }) => ({ ...named(item), weight: Number(weight.toFixed(4)) })),
    interests: [...person.signals.interests],
    followed_authors: [...person.signals.followedAuthors],
    hidden_authors: [...new Set(person.hiddenAuthors)],
    excluded_interests: [...new Set(person.excludedInterests)],
    hidden_items: hidden.map(named),
    suppressed_items: suppressed.map(named),
  };
}
