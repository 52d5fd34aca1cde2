/** Runs the built-in provider on a text. */
import { plainTexts } from '../../../domain/items/plainText.ts';
import type { BuiltinProviders } from '../../../providers/builtin/index.ts';
import type { Summary, SummaryInput } from '../../../providers/types.ts';
import type { Answer } from './compare.ts';
import type { Sample } from './samples.ts';

const CONTEXT = { signal: new AbortController().signal, progress: () => undefined };

const TYPES: Readonly<Record<Sample['kind'], SummaryInput['type']>> = {
  text: 'text',
  short: 'text',
  sentence: 'text',
  passage: 'text',
  control: 'text',
  fresh: 'text',
  narrow: 'text',
  picture: 'image',
  video: 'video',
};

export async function answerText(sample: Sample, { summary }: BuiltinProviders): Promise<Answer> {
  const { value } = await summary.run(summaryInput(sample), CONTEXT);
  return answerOf(value, null);
}

/** @param frames what was seen in the sample's media */
export function summaryInput({ kind, item }: Sample, frames: SummaryInput['frames'] = []): SummaryInput {
  return {
    language: null,
    topicsAllowed: [],
    type: TYPES[kind],
    ...plainTexts({ title: item.title ?? null, description: item.description ?? null, body: item.body ?? null }),
    transcripts: item.transcripts ?? [],
    frames,
  };
}

/** @param ocr text that was read in the pictures, or null when there are none */
export function answerOf({ entities, ...summary }: Summary, ocr: string | null): Answer {
  const named = (...types: string[]): string[] =>
    entities.flatMap(({ type, name, text }) =>
      typeof type === 'string' && types.includes(type) ? [String(name ?? text)] : [],
    );
  return {
    ...summary,
    people: named('person', 'name'),
    organisations: named('organization', 'organisation'),
    places: named('place'),
    ocr,
  };
}
