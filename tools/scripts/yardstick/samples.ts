/** The samples of the yardstick, read from files: see tools/samples/yardstick/README.md. */
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { parse } from 'yaml';

const texts = Type.Optional(Type.Array(Type.String({ minLength: 1 })));
const text = Type.Optional(Type.String({ minLength: 1 }));
const closed = { additionalProperties: false };

const SampleFile = Type.Object(
  {
    kind: Type.Union([Type.Literal('text'), Type.Literal('picture'), Type.Literal('video')]),
    language: Type.Union([Type.Literal('ru'), Type.Literal('en')]),
    held_out: Type.Optional(Type.Boolean()),
    item: Type.Object({ title: text, description: text, body: text, transcripts: texts, media: texts }, closed),
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
    expect: Type.Object(
      {
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
        ocr: Type.Optional(Type.String()),
        safety: Type.Optional(Type.Record(Type.String(), Type.String())),
      },
      closed,
    ),
  },
  closed,
);

/** A sample and its location. */
export type Sample = Static<typeof SampleFile> & {
  /** The file's name without its extension. */
  name: string;
  /** Folder of its media. */
  folder: string;
};

const ROOT = join(import.meta.dirname, '../../samples/yardstick');

/** Returns all samples, ordered by name. @throws Error when a file is invalid */
export async function readSamples(root: string = ROOT): Promise<Sample[]> {
  const files = (await readdir(root, { recursive: true })).filter((file) => file.endsWith('.yaml')).toSorted();
  return Promise.all(files.map((file) => readSample(join(root, file))));
}

async function readSample(path: string): Promise<Sample> {
  const content: unknown = parse(await readFile(path, 'utf8'));
  if (Value.Check(SampleFile, content)) return { ...content, name: basename(path, '.yaml'), folder: dirname(path) };
  const [first] = Value.Errors(SampleFile, content);
  throw new Error(`${path}: ${first?.instancePath} ${first?.message}`);
}
