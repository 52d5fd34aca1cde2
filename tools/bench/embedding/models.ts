/** The models to compare, created as the product creates them. */
import { loadKeylessConfig } from '../../../config.ts';
import { createProviders } from '../../../providers/setup/createProviders.ts';
import type { EmbeddingCapability } from '../../../providers/types.ts';

/** Models of the product, by the settings that select them. */
export type ProductModelName = 'lexical' | 'sentence encoder' | 'configured';

const ENVIRONMENTS: Record<ProductModelName, Record<string, string>> = {
  lexical: { EMBEDDING_PROVIDER: 'builtin', SENTENCE_ENCODER_DIR: '' },
  'sentence encoder': { EMBEDDING_PROVIDER: 'builtin' },
  configured: {},
};

export interface Model {
  embedding: EmbeddingCapability;
  /** Returns the resources that the model's process has used since its start, over all threads. */
  usage(): Usage;
  close(): Promise<void>;
}

export interface Usage {
  processorMs: number;
  residentBytes: number;
}

/** @param env settings besides those of the environment */
export async function createModel(name: ProductModelName, env: Readonly<Record<string, string>> = {}): Promise<Model> {
  const config = loadKeylessConfig({
    ...process.env,
    ...env,
    PUBLIC_URL: 'https://attune.example',
    DATABASE_URL: 'postgres://nobody@127.0.0.1/none',
    ...ENVIRONMENTS[name],
  });
  const { providers, close } = await createProviders(config);
  if (providers.embedding === undefined) throw new Error('the environment switches embedding off');
  return { embedding: providers.embedding, usage: ownUsage, close };
}

function ownUsage(): Usage {
  const { user, system } = process.cpuUsage();
  return { processorMs: (user + system) / 1000, residentBytes: process.memoryUsage.rss() };
}
