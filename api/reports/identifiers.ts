/**
 * The identifiers of dimensions and metrics for the description: each with its group and label, parameterised ones as
 * patterns.
 */
import Type, { type TUnsafe } from 'typebox';
import type { Dimension, Metric } from '../../reports/registry/index.ts';
import { GOAL_CODE } from '../../domain/sites/goalCode.ts';
import type { Language } from '../../domain/language.ts';
import { DESCRIBED } from '../../domain/schemas/schema.ts';
import { WORDS } from './reportTexts.ts';

type Identified = Pick<Dimension | Metric, 'id' | 'group' | 'label' | 'takes'>;

/** Patterns of the parameter after the colon. */
const PARAMS = { key: '.+', goal: GOAL_CODE, attribute: '[a-z_]+(:.+)?' };

/** Returns a schema that accepts any text; validation uses the registry. @param kind kind of all entries */
export function identifiers(
  kind: 'dimension' | 'metric',
  entries: readonly (Dimension | Metric)[],
  language: Language,
): TUnsafe<string> {
  const title = kind === 'dimension' ? 'ReportDimension' : 'ReportMetric';
  return Type.Unsafe<string>({
    type: 'string',
    [DESCRIBED]: { title, anyOf: entries.flatMap((entry) => formsOf(kind, entry, language)) },
  });
}

/** A dimension that takes a parameter always needs it; a metric may be used with or without it. */
function formsOf(
  kind: 'dimension' | 'metric',
  { id, group, label, takes }: Identified,
  language: Language,
): Record<string, unknown>[] {
  const description = `${group}: ${label[language]}`;
  const plain = { const: id, description };
  if (takes === null) return [plain];
  const words = kind === 'metric' ? WORDS[language].goalParam : WORDS[language].param[takes];
  const withParam = { type: 'string', pattern: `^${id}:${PARAMS[takes]}$`, description: `${description}, ${words}` };
  return kind === 'metric' ? [plain, withParam] : [withParam];
}
