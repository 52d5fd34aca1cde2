import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../config.ts';
import { modelsOf, remarksOn } from '../../providers/models.ts';

const BARE = {
  DATABASE_URL: 'postgres://x@localhost/x',
  SECRET_KEY: 'x'.repeat(32),
  PUBLIC_URL: 'https://attune.example',
};
const models = (env: Record<string, string>) => modelsOf(loadConfig({ ...BARE, ...env }));

describe('the models of a configuration', () => {
  it('are the built-in ones by default, the moderation with the summary', () => {
    expect(models({})).toEqual({
      prepare: 'builtin-prepare-1',
      speech: 'builtin-subtitles-2',
      vision: 'builtin-vision-2',
      summary: 'builtin-text-2 + builtin-lexicon-1',
      embedding: 'builtin-embed-2',
    });
  });

  it('are another one for vectors where the sentence encoder is there', () => {
    const config = loadConfig(BARE);
    const withEncoder = { ...config, sentenceEncoderDir: '/somewhere' };
    expect(modelsOf(withEncoder)).toEqual({ ...modelsOf(config), embedding: 'builtin-use-multilingual-v3' });
    expect(remarksOn(withEncoder)).toEqual([]);
    expect(remarksOn(config)).toEqual([expect.stringContaining('SENTENCE_ENCODER_DIR is not set')]);
    expect(remarksOn({ ...config, capabilities: { ...config.capabilities, embedding: { kind: 'off' } } })).toEqual([]);
  });

  it('are another one for vectors of passages with a prefix, and not for one of queries alone', () => {
    const env = { OPENAI_API_KEY: 'k', EMBEDDING_MODEL: 'e5', EMBEDDING_QUERY_PREFIX: 'query:' };
    expect(models(env).embedding).toBe('openai/e5');
    expect(models({ ...env, EMBEDDING_PASSAGE_PREFIX: 'passage:' }).embedding).toBe('openai/e5 (passage:)');
  });

  it('name the provider, so that equal names of two are told apart', () => {
    expect(models({ OPENAI_API_KEY: 'k', EMBEDDING_MODEL: 'builtin-embed-2' })).toMatchObject({
      speech: 'openai/whisper-1',
      embedding: 'openai/builtin-embed-2',
    });
  });

  it('change with the moderation, and are none when switched off', () => {
    expect(models({ MODERATION_PROVIDER: 'off', VISION_PROVIDER: 'off' })).toMatchObject({
      summary: 'builtin-text-2',
      vision: null,
    });
    expect(models({ SUMMARY_PROVIDER: 'off' }).summary).toBeNull();
  });
});
