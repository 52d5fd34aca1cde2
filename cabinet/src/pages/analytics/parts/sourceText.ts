import type { Recording } from '../../../data/sites/recordings.ts';
import { SOURCE_TYPES } from '../../../data/sites/recordingFilter.ts';
import { oneOf } from '../../../data/searchValues.ts';
import type { Words } from '../../../words/en/index.ts';

/** Returns the source of a visit in words; null if it is unknown. */
export function sourceText(
  { source_type: type, source_name: name }: Pick<Recording, 'source_type' | 'source_name'>,
  { codes }: Words,
): string | null {
  const known = oneOf(SOURCE_TYPES, type);
  if (!known) return name;
  return name === null ? codes.source_type[known] : `${codes.source_type[known]}: ${name}`;
}
