/** Topics of items, from the product's dictionary; the tastes of people are the root topics. */
import { topics as dictionary } from '../../../../domain/dictionaries/index.ts';
import { createModel } from '../../embedding/models.ts';
import { randomOf, shuffled } from './chance.ts';
import type { Language } from './words.ts';

const EMBED_LIMIT_MS = 120_000;

export interface WorldTopic {
  /** Index in the list of all topics. */
  number: number;
  /** Index of its root among the roots: a taste. */
  taste: number;
  names: Readonly<Record<Language, string>>;
  /** The sentence encoder's vector of its names, so that queries by meaning find the items around it. */
  centre: Float32Array;
}

export interface WorldTopics {
  all: readonly WorldTopic[];
  /** The topics of each taste. */
  ofTaste: readonly (readonly WorldTopic[])[];
}

/** @param encoderDir the sentence encoder's folder */
export async function loadTopics(encoderDir: string): Promise<WorldTopics> {
  const listed = shuffled(randomOf('topics'), [...dictionary.values()]);
  const roots = [...new Set(listed.map(({ id, parent }) => parent ?? id))];
  const names = listed.map(({ ru, en, synonyms }) => [ru, en, ...(synonyms ?? [])].join(', '));
  const centres = await embed(encoderDir, names);
  const all = listed.map(({ id, parent, ru, en }, number) => {
    const centre = centres[number];
    if (!centre) throw new Error(`no vector for ${id}`);
    return { number, taste: roots.indexOf(parent ?? id), names: { ru, en }, centre };
  });
  return { all, ofTaste: roots.map((_, taste) => all.filter((topic) => topic.taste === taste)) };
}

async function embed(encoderDir: string, texts: readonly string[]): Promise<Float32Array[]> {
  const { embedding, close } = await createModel('sentence encoder', { SENTENCE_ENCODER_DIR: encoderDir });
  const vectors: Float32Array[] = [];
  try {
    for (let at = 0; at < texts.length; at += embedding.batchSize) {
      const { value } = await embedding.run(texts.slice(at, at + embedding.batchSize), {
        signal: AbortSignal.timeout(EMBED_LIMIT_MS),
        progress: () => {},
      });
      vectors.push(...value);
    }
  } finally {
    await close();
  }
  return vectors;
}
