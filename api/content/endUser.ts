/** The identifiers of an end user in requests. */
import Type from 'typebox';
import { ID_MAX_LENGTH } from '../../domain/idLength.ts';
import { identifiersOf, type EndUser, type Identifier } from '../../domain/people/identity.ts';
import { validationFailed, type FieldFault } from '../http/errors.ts';
import { DESCRIBED, nullable, strictObject, text, type Static } from '../../domain/schemas/schema.ts';
import { UUID_IN_ANY_CASE } from '../../domain/uuid.ts';

export const userId = text(ID_MAX_LENGTH, { minLength: 1, description: 'Учётная запись на стороне клиента' });
export const anonymousId = text(ID_MAX_LENGTH, {
  pattern: '^[ -~]+$',
  description: 'Браузер или устройство; печатные символы ASCII',
});
export const fingerprintUuid = Type.String({
  pattern: `^${UUID_IN_ANY_CASE}$`,
  description: 'UUID службы отпечатков устройств; учитывается, если она подключена',
});

/** At least one of {@link EndUserIds} is present. */
const atLeastOne = ['user_id', 'anonymous_id', 'fingerprint_uuid'].map((name) => ({
  required: [name],
  properties: { [name]: { type: 'string' } },
}));

const IDENTIFIERS = {
  user_id: Type.Optional(nullable(userId)),
  anonymous_id: Type.Optional(nullable(anonymousId)),
  fingerprint_uuid: Type.Optional(nullable(fingerprintUuid)),
};

/** At least one of the three; handlers check it with {@link requireIdentifiers}. */
export const EndUserIds = strictObject(IDENTIFIERS, { title: 'EndUserIds', [DESCRIBED]: { anyOf: atLeastOne } });
/** All of them are optional: without one the response is for nobody in particular. */
export const AudienceIds = strictObject(IDENTIFIERS, { title: 'AudienceIds' });
export type EndUserIds = Static<typeof EndUserIds>;

export function endUserOf(user: EndUserIds): EndUser {
  return {
    userId: user.user_id ?? null,
    anonymousId: user.anonymous_id ?? null,
    fingerprint: user.fingerprint_uuid?.toLowerCase() ?? null,
  };
}

/** The fault of a user without a usable identifier. */
export const NO_IDENTIFIER: FieldFault = { field: 'user', code: 'invalid_value' };

/**
 * Returns all identifiers of the user, the deciding one first.
 * @throws {HttpError} 422 when there is none, or only a fingerprint in a project that does not use them
 */
export function requireIdentifiers(user: EndUserIds, fingerprints: boolean): [Identifier, ...Identifier[]] {
  const [first, ...others] = identifiersOf(endUserOf(user), fingerprints);
  if (!first) throw validationFailed([NO_IDENTIFIER]);
  return [first, ...others];
}
