/** Fields of surfaces and their experiments, and rules across several fields. */
import Type from 'typebox';
import type { StoredSurface } from '../../../db/output/surfaces.ts';
import { parseDateTime } from '../../../domain/dateTime.ts';
import type { Surface } from '../../../domain/output/surfaces.ts';
import { isRecord } from '../../../domain/isRecord.ts';
import { dateTime, nullable, orNull, strictObject, text, type Static } from '../../../domain/schemas/schema.ts';
import { boostsField, pinsField, SurfaceDefaults, VariantSettings } from './surfaceDefaultsAndVariants.ts';
import type { FieldFault } from '../../http/errors.ts';
import {
  MIN_VARIANTS,
  MAX_VARIANTS,
  SHARE_TOLERANCE,
  doSharesAddUp,
} from '../../../domain/experiments/experimentLimits.ts';

const variant = {
  name: text(64, { minLength: 1 }),
  share: Type.Number({ minimum: 0, maximum: 1, description: 'Доля людей; 0 — больше никому' }),
};

const experiment = {
  id: Type.String({
    pattern: '^[a-z0-9]{1,12}$',
    description: 'Один в проекте; он есть в recommendation_id',
  }),
  from: dateTime({ description: 'С этого момента' }),
  until: nullable(dateTime({ description: 'До этого момента; null — пока не снимут' })),
};

const variants = <S extends Type.TSchema>(element: S) =>
  Type.Array(element, {
    minItems: MIN_VARIANTS,
    maxItems: MAX_VARIANTS,
    description: `Доли в сумме дают 1 (с точностью ${SHARE_TOLERANCE}), имена различны. Под тем же id имена остаются на своих местах, новые добавляются в конец`,
  });

const ExperimentPut = strictObject(
  {
    ...experiment,
    until: Type.Optional(experiment.until),
    variants: variants(
      strictObject({ ...variant, settings: Type.Optional(VariantSettings) }, { title: 'OutputVariantPut' }),
    ),
  },
  { title: 'OutputExperimentPut' },
);

export const SurfacePut = strictObject(
  {
    defaults: Type.Optional(SurfaceDefaults),
    boosts: boostsField,
    pins: pinsField,
    experiment: Type.Optional(nullable(ExperimentPut)),
  },
  { title: 'SurfacePut' },
);
export type SurfacePut = Static<typeof SurfacePut>;

export const SurfaceOutput = Type.Object(
  {
    name: Type.String(),
    defaults: Type.Object(SurfaceDefaults.properties),
    boosts: Type.Array(Type.Unsafe<unknown>({ type: 'object' })),
    pins: Type.Array(Type.Unsafe<unknown>({ type: 'object' })),
    experiment: orNull(
      Type.Object(
        {
          ...experiment,
          variants: variants(
            Type.Object({ ...variant, settings: Type.Object(VariantSettings.properties) }, { title: 'OutputVariant' }),
          ),
        },
        { title: 'OutputExperiment' },
      ),
    ),
    updated_at: dateTime(),
  },
  { title: 'Surface' },
);

/** Accepts any value; the schema refuses values of the wrong form. */
export function surfaceRules(body: unknown): FieldFault[] {
  if (!isRecord(body) || !isRecord(body['experiment'])) return [];
  const { from, until, variants: list } = body['experiment'];
  return [...periodFaults(from, until), ...(Array.isArray(list) ? variantFaults(list.filter(isRecord)) : [])];
}

function periodFaults(from: unknown, until: unknown): FieldFault[] {
  const [start, end] = [from, until].map((at) => (typeof at === 'string' ? parseDateTime(at) : null));
  const isEmpty = start && end && end <= start;
  return isEmpty ? [{ field: 'experiment.until', code: 'invalid_value' }] : [];
}

function variantFaults(list: readonly Record<string, unknown>[]): FieldFault[] {
  const names = list.map(({ name }) => name);
  const shares = list.map(({ share }) => share).filter((share) => typeof share === 'number');
  const isWhole = shares.length < list.length || doSharesAddUp(shares);
  return [
    ...(isWhole ? [] : [{ field: 'experiment.variants', code: 'invalid_value' as const }]),
    ...names.flatMap((name, at) =>
      names.indexOf(name) < at && name !== undefined
        ? [{ field: `experiment.variants[${at}].name`, code: 'invalid_value' as const }]
        : [],
    ),
  ];
}

/** Converts a request body to a surface; missing fields are empty. */
export function surfaceOf(
  name: string,
  { defaults = {}, boosts = [], pins = [], experiment: sent }: SurfacePut,
): Surface {
  return {
    name,
    defaults,
    boosts,
    pins,
    experiment: sent
      ? {
          id: sent.id,
          from: momentOf(sent.from),
          until: sent.until ? momentOf(sent.until) : null,
          variants: sent.variants.map(({ settings = {}, ...rest }) => ({ ...rest, settings })),
        }
      : null,
  };
}

function momentOf(text: string): Date {
  const at = parseDateTime(text);
  if (!at) throw new Error('the time has not been validated');
  return at;
}

export function toSurfaceOutput({ experiment: on, updatedAt, ...surface }: StoredSurface): unknown {
  return {
    ...surface,
    experiment: on && { ...on, from: on.from.toISOString(), until: on.until?.toISOString() ?? null },
    updated_at: updatedAt.toISOString(),
  };
}
