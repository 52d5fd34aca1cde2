/** Texts with their topics, and short pieces of them that resemble titles, descriptions and transcripts. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { topics } from '../../../domain/dictionaries/interests.ts';
import type { SummaryInput } from '../../../providers/types.ts';
import { readSamples, type Sample } from '../yardstick/samples.ts';

export interface LabelledText {
  document: string;
  kind: string;
  item: SummaryInput;
  /** Ids of the topics that a person would accept. */
  right: ReadonlySet<string>;
}

interface Document {
  id: string;
  title: string;
  text: string;
  topics: readonly string[];
}

const ROOT = join(import.meta.dirname, '../../..');

/** Returns pieces of 60 texts of another author, and of the texts of the yardstick that are not held out. */
export async function readPieces(): Promise<LabelledText[]> {
  const [pairs, labels] = await Promise.all([
    readJson<{ documents: Omit<Document, 'topics'>[] }>('tools/bench/output/pairs.json'),
    readJson<{ topics: Record<string, string[]>; none: string[] }>('tools/samples/yardstick/topics.json'),
  ]);
  const ofOthers = pairs.documents.map((document) => ({ ...document, topics: labels.topics[document.id] ?? [] }));
  const own = (await readSamples()).filter(({ kind, held_out: heldOut }) => kind === 'text' && heldOut !== true);
  const silent = labels.none.map((text, index) => pieceOf(`none-${index}`, 'none', new Set(), { title: text }));
  return [...[...ofOthers, ...own.map(documentOf)].flatMap(piecesOf), ...silent];
}

async function readJson<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(join(ROOT, file), 'utf8')) as T;
}

function documentOf({ name, item, expect }: Sample): Document {
  const text = [item.description, item.body, ...(item.transcripts ?? [])].filter(Boolean).join('\n');
  const all = [...(expect.topics ?? []), ...(expect.topics_also ?? [])].flatMap((entry) => entry.split('|'));
  return { id: name, title: item.title ?? '', text, topics: all.map((entry) => entry.trim()) };
}

let idsByName: Map<string, string> | undefined;

function idOf(name: string): string | undefined {
  idsByName ??= new Map(
    [...topics.values()].flatMap(({ id, ru, en }) => [
      [ru.toLowerCase(), id] as const,
      [en.toLowerCase(), id] as const,
    ]),
  );
  return idsByName.get(name.toLowerCase());
}

function piecesOf({ id, title, text, topics: named }: Document): LabelledText[] {
  const right = new Set(named.flatMap((name) => idOf(name) ?? []));
  const words = text.split(/\s+/);
  const part = (from: number, count: number): string => words.slice(from, from + count).join(' ');
  const make = (kind: string, item: Partial<SummaryInput>): LabelledText => pieceOf(id, kind, right, item);
  return [
    ...(title === '' ? [] : [make('title', { title })]),
    make('title-8', { title: title || null, description: part(0, 8) }),
    make('title-15', { title: title || null, description: part(0, 15) }),
    ...[0, 30].map((from) => make('said-8', { type: 'video', transcripts: [part(from, 8)] })),
    ...[0, 30].map((from) => make('said-15', { type: 'video', transcripts: [part(from, 15)] })),
    ...[0, 30].map((from) => make('said-25', { type: 'video', transcripts: [part(from, 25)] })),
    make('said-50', { type: 'video', transcripts: [part(0, 50)] }),
    make('whole', { title: title || null, body: text }),
  ];
}

function pieceOf(
  document: string,
  kind: string,
  right: ReadonlySet<string>,
  item: Partial<SummaryInput>,
): LabelledText {
  const nothing = { title: null, description: null, body: null, transcripts: [], frames: [] };
  return { document, kind, right, item: { language: null, topicsAllowed: [], type: 'text', ...nothing, ...item } };
}
