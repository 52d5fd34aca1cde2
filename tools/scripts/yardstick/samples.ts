/** The samples of the yardstick, read from files: see tools/samples/yardstick/README.md. */
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Type, type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { parse } from 'yaml';

const texts = Type.Optional(Type.Array(Type.String({ minLength: 1 })));
const text = Type.Optional(Type.String({ minLength: 1 }));
const closed = { additionalProperties: false };

const Item = Type.Object({ title: text, description: text, body: text, transcripts: texts, media: texts }, closed);

const expectations = {
  tags: texts,
  also: texts,
  topics: texts,
  topics_also: texts,
  people: texts,
  organisations: texts,
  places: texts,
  also_people: texts,
  also_organisations: texts,
  also_places: texts,
  summary: texts,
  ocr: Type.Optional(Type.String()),
  safety: Type.Optional(Type.Record(Type.String(), Type.String())),
};

const SampleFile = Type.Object(
  {
    kind: Type.Union([Type.Literal('text'), Type.Literal('picture'), Type.Literal('video')]),
    language: Type.Union([Type.Literal('ru'), Type.Literal('en')]),
    held_out: Type.Optional(Type.Boolean()),
    item: Item,
    /** A video that is generated when it is needed (videos.ts). */
    video: Type.Optional(
      Type.Object(
        {
          scenes: Type.Array(Type.Object({ picture: Type.String(), seconds: Type.Number() }, closed), { minItems: 1 }),
          subtitles: Type.Optional(
            Type.Array(Type.Object({ start: Type.Number(), end: Type.Number(), text: Type.String() }, closed)),
          ),
        },
        closed,
      ),
    ),
    expect: Type.Object(expectations, closed),
  },
  closed,
);

/**
 * Many small samples in a file; the folder names their kind, the file's name their language and whether they are held
 * out.
 */
const SampleList = Type.Array(Type.Object({ item: Type.Optional(Item), text, ...expectations }, closed));
const KINDS_OF_LISTS: Readonly<Record<string, KindOfList>> = {
  short: 'short',
  sentences: 'sentence',
  passages: 'passage',
  control: 'control',
  fresh: 'fresh',
  narrow: 'narrow',
};

type KindOfList = 'short' | 'sentence' | 'passage' | 'control' | 'fresh' | 'narrow';

type SampleContent = Omit<Static<typeof SampleFile>, 'kind'> & {
  kind: Static<typeof SampleFile>['kind'] | KindOfList;
};

/** A sample and its location. */
export type Sample = SampleContent & {
  /** The file's name without its extension. */
  name: string;
  /** Folder of its media. */
  folder: string;
};

const ROOT = join(import.meta.dirname, '../../samples/yardstick');

/** Returns all samples, ordered by name. @throws Error when a file is invalid */
export async function readSamples(root: string = ROOT): Promise<Sample[]> {
  const files = (await readdir(root, { recursive: true })).filter((file) => file.endsWith('.yaml')).toSorted();
  return (await Promise.all(files.map((file) => readFileOf(join(root, file))))).flat();
}

async function readFileOf(path: string): Promise<Sample[]> {
  const content: unknown = parse(await readFile(path, 'utf8'));
  const [name, folder] = [basename(path, '.yaml'), dirname(path)];
  const kind = KINDS_OF_LISTS[basename(folder)];
  if (kind === undefined) return [{ ...checked(SampleFile, content, path), name, folder }];
  const language = name.endsWith('-ru') ? 'ru' : 'en';
  return checked(SampleList, content, path).map(({ item, text: body, ...expect }, index) => ({
    kind,
    language,
    held_out: !name.startsWith('looked-at'),
    item: item ?? (body === undefined ? {} : { body }),
    expect,
    name: `${name}-${index + 1}`,
    folder,
  }));
}

function checked<T extends TSchema>(schema: T, content: unknown, path: string): Static<T> {
  if (Value.Check(schema, content)) return content;
  const [first] = Value.Errors(schema, content);
  throw new Error(`${path}: ${first?.instancePath} ${first?.message}`);
}
