/** The models that are compared, as the product makes them. */
import { loadKeylessConfig } from '../../config.ts';
import { createProviders } from '../../providers/index.ts';
import type { EmbeddingCapability } from '../../providers/types.ts';

export type ModelName = 'lexical' | 'sentence encoder' | 'configured';

const ENVIRONMENTS: Record<ModelName, Record<string, string>> = {
  lexical: { EMBEDDING_PROVIDER: 'builtin', SENTENCE_ENCODER_DIR: '' },
  'sentence encoder': { EMBEDDING_PROVIDER: 'builtin' },
  configured: {},
};

export interface Model {
  embedding: EmbeddingCapability;
  close(): Promise<void>;
}

/** @param env settings beside those of the environment */
export async function createModel(name: ModelName, env: Readonly<Record<string, string>> = {}): Promise<Model> {
  const config = loadKeylessConfig({
    ...process.env,
    ...env,
    PUBLIC_URL: 'https://attune.example',
    DATABASE_URL: 'postgres://nobody@127.0.0.1/none',
    ...ENVIRONMENTS[name],
  });
  const { providers, close } = await createProviders(config);
  if (providers.embedding === undefined) throw new Error('the environment switches embedding off');
  return { embedding: providers.embedding, close };
}
