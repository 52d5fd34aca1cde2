/** Reads a dictionary's file. An invalid file ends the process when it starts, rather than failing a report later. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGES, type Language } from '../language.ts';

/** An entry with its name in each language. */
export interface Named extends Readonly<Record<Language, string>> {
  id: string;
}

/** Returns the names in every language. */
export function namesOf(entry: Named): string[] {
  return LANGUAGES.map((language) => entry[language]);
}

export interface Topic extends Named {
  parent?: string;
  /** Not shared in the network unless both sites have enabled it. */
  sensitive?: boolean;
  /** Other wordings, of any language. */
  synonyms?: string[];
}

export interface City extends Named {
  /** The region; the country if the dictionary has no regions of that country. */
  in: string;
  aliases?: string[];
}

/**
 * Returns the list of a dictionary's file; ids are unique.
 * @throws {Error} that names file and entry
 */
export function loadList<T extends Named>(file: string, list: string, idForm: RegExp): Map<string, T> {
  const document = JSON.parse(readFileSync(join(import.meta.dirname, 'lists', file), 'utf8')) as Record<
    string,
    unknown
  >;
  const version = Number(/\.v(\d+)\.json$/.exec(file)?.[1]);
  if (document['version'] !== version) throw new Error(`${file}: its version differs from that in its name`);
  const entries = document[list];
  if (!Array.isArray(entries) || entries.length === 0) throw new Error(`${file}: ${list} is not a list`);
  requireNames(`${file}: ${list}`, entries as T[]);
  const byId = new Map<string, T>();
  for (const entry of entries as T[]) {
    requireForm(`${file}: ${list}: ${JSON.stringify(entry)}`, entry, idForm);
    if (byId.has(entry.id)) throw new Error(`${file}: ${list}: two entries have the id ${entry.id}`);
    byId.set(entry.id, entry);
  }
  for (const { id, parent } of byId.values() as Iterable<T & { parent?: string }>) {
    if (parent !== undefined && (byId.get(parent) as Topic | undefined)?.parent !== undefined)
      throw new Error(`${file}: the parent of ${id} has a parent itself`);
    if (parent !== undefined && !byId.has(parent)) throw new Error(`${file}: the parent of ${id} is missing`);
  }
  return byId;
}

/** Refuses a list in which entries lack a name, and lists all of these: a new language has to name each of them. */
function requireNames(where: string, entries: readonly Named[]): void {
  for (const language of LANGUAGES) {
    const nameless = entries.filter((entry) => !isText(entry[language])).map(({ id }) => id);
    if (nameless.length > 0) throw new Error(`${where}: no name in the language ${language}: ${nameless.join(', ')}`);
  }
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '' && value === value.trim();

function requireForm(where: string, entry: Named & Partial<Topic & City>, idForm: RegExp): void {
  if (!isText(entry.id) || !idForm.test(entry.id)) throw new Error(`${where}: its id is malformed`);
  for (const words of [entry.synonyms ?? [], entry.aliases ?? []]) {
    if (!Array.isArray(words) || !words.every(isText)) throw new Error(`${where}: its other names are not texts`);
  }
}
