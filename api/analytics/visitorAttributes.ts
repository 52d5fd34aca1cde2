/** POST /visitors/attributes. */
import Type from 'typebox';
import { updateKnownPeople, type FoundAudience, type PersonSelector } from '../../db/sitePeople/storeServerData.ts';
import { hasPersonalKey, withoutPersonalParams } from '../../domain/privacy/removePersonalParams.ts';
import type { PersonData } from '../../domain/people/personData.ts';
import { DESCRIBED, nullable, orNull, strictObject, type Static } from '../../domain/schemas/schema.ts';
import type { FieldFault } from '../http/errors.ts';
import { Attributes, ATTRIBUTES_EXAMPLE, attributesOf } from './attributesAnswer.ts';
import { define, fingerprintUuid, logLostKeys, userId, visitorId } from './analyticsOperation.ts';
import {
  ageGroup,
  categories,
  children,
  Company,
  gender,
  Geo,
  geoFaults,
  interests,
  params,
  priceSegment,
  PERSONAL_PARAMS,
} from './personFields.ts';
import { recordError, recordErrorOf, type RecordErrorCode } from './recordError.ts';

const MAX_VISITORS = 100;
const IDENTIFIERS = ['visitor_id', 'user_id', 'fingerprint_uuid'] as const;

const VisitorIn = strictObject(
  {
    visitor_id: Type.Optional(visitorId),
    user_id: Type.Optional(userId),
    fingerprint_uuid: Type.Optional(fingerprintUuid),
    gender: Type.Optional(gender),
    age_group: Type.Optional(ageGroup),
    geo: Type.Optional(Geo),
    children: Type.Optional(children),
    has_children: Type.Optional(
      Type.Boolean({ description: 'For when the ages are not known; children takes precedence' }),
    ),
    company: Type.Optional(Company),
    interests: Type.Optional(interests),
    purchase_categories: Type.Optional(categories),
    price_segment: Type.Optional(priceSegment),
    params: Type.Optional(params),
  },
  {
    title: 'VisitorIn',
    description:
      'At least one identifier is required; visitor_id takes precedence over user_id, and user_id over fingerprint_uuid',
    [DESCRIBED]: { anyOf: IDENTIFIERS.map((name) => ({ required: [name] })) },
  },
);
type VisitorIn = Static<typeof VisitorIn>;

const VisitorResult = Type.Object(
  {
    index: Type.Integer({ minimum: 0, description: 'Position of the element in the batch, from 0' }),
    ok: Type.Boolean(),
    visitor_id: nullable(
      Type.String({ description: 'For a user, the visitor with the latest visit; null when no visitor is linked' }),
    ),
    attributes: orNull(Attributes),
    error: recordErrorOf(['unknown_visitor', 'pii_not_allowed']),
  },
  { title: 'VisitorResult' },
);

export const postVisitorAttributes = define({
  method: 'post',
  path: '/visitors/attributes',
  operationId: 'postVisitorAttributes',
  tag: 'visitors',
  summary: 'Change or read attributes of visitors',
  description: `Up to 100 visitors. A field that is sent replaces what the site sent before; other fields stay. What the users themselves have stated takes precedence. An element with only an identifier reads the attributes without changing them. The answer shows the attributes as they are now. unknown_visitor: there is no such visitor, user or fingerprint; pii_not_allowed: params have a personal-data key. ${PERSONAL_PARAMS}`,
  body: {
    schema: strictObject(
      { visitors: Type.Array(VisitorIn, { maxItems: MAX_VISITORS }) },
      { title: 'VisitorAttributesRequest' },
    ),
    batch: { field: 'visitors', max: MAX_VISITORS },
    rules: visitorRules,
    example: {
      visitors: [
        {
          visitor_id: '6f1c2a7e-0b5d-4c55-9d0e-8a3f2b1c4d5e',
          gender: 'female',
          geo: { city: 'ru-kazan' },
          company: { industry: 'it' },
          interests: ['sport-football'],
          purchase_categories: ['toys'],
        },
        { user_id: 'user-7' },
      ],
    },
  },
  replies: {
    200: {
      description: 'Results in the order of the request',
      schema: Type.Object({ results: Type.Array(VisitorResult) }, { title: 'VisitorAttributesResponse' }),
      example: {
        results: [
          {
            index: 0,
            ok: true,
            visitor_id: '6f1c2a7e-0b5d-4c55-9d0e-8a3f2b1c4d5e',
            attributes: ATTRIBUTES_EXAMPLE,
            error: null,
          },
          { index: 1, ok: false, visitor_id: null, attributes: null, error: recordError('unknown_visitor') },
        ],
      },
    },
  },
  errors: [413, 422],
  async handle({ caller, body, requestId }, { pool, logger }) {
    const isRefused = body.visitors.map((visitor) => hasPersonalKey(visitor.params));
    const answers = await updateKnownPeople(
      pool,
      caller.siteId,
      body.visitors.map((visitor, index) =>
        isRefused[index]
          ? null
          : { who: personSelectorOf(visitor, caller.settings.fingerprints), data: dataOf(visitor) },
      ),
      logLostKeys(logger, requestId),
    );
    return {
      status: 200,
      body: { results: answers.map((result, index) => resultOf(index, isRefused[index] ? 'pii_not_allowed' : result)) },
    };
  },
});

/** Accepts any value, since it runs in addition to the schema. */
function visitorRules(value: unknown): FieldFault[] {
  const visitors = (value as { visitors?: unknown } | null)?.visitors;
  if (!Array.isArray(visitors)) return [];
  return visitors.flatMap((visitor: unknown, index): FieldFault[] => {
    if (typeof visitor !== 'object' || visitor === null) return [];
    const path = `visitors[${index}]`;
    const isNamed = IDENTIFIERS.some((name) => name in visitor);
    return [
      ...(isNamed ? [] : [{ field: `${path}.visitor_id`, code: 'required' } as const]),
      ...geoFaults((visitor as Record<string, unknown>)['geo'], `${path}.geo`),
    ];
  });
}

function personSelectorOf(
  { visitor_id: visitor, user_id: user, fingerprint_uuid: fingerprint }: VisitorIn,
  fingerprints: boolean,
): PersonSelector | null {
  if (visitor !== undefined) return { visitorId: visitor.toLowerCase() };
  if (user !== undefined) return { userId: user };
  return fingerprints && fingerprint !== undefined ? { fingerprint: fingerprint.toLowerCase() } : null;
}

function dataOf({
  visitor_id: _visitor,
  user_id: _user,
  fingerprint_uuid: _fingerprint,
  params: given,
  ...plain
}: VisitorIn): PersonData | null {
  const data = { ...plain, ...(given && { params: withoutPersonalParams(given) }) };
  return Object.keys(data).length > 0 ? data : null;
}

function resultOf(index: number, result: FoundAudience | RecordErrorCode | null): Static<typeof VisitorResult> {
  if (result === null)
    return { index, ok: false, visitor_id: null, attributes: null, error: recordError('unknown_visitor') };
  if (typeof result === 'string')
    return { index, ok: false, visitor_id: null, attributes: null, error: recordError(result) };
  return { index, ok: true, visitor_id: result.visitorId, attributes: attributesOf(result.values), error: null };
}
