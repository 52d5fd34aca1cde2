import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../config.ts';
import { modelsOf } from '../../providers/models.ts';

const models = (env: Record<string, string>) =>
  modelsOf(
    loadConfig({
      DATABASE_URL: 'postgres://x@localhost/x',
      SECRET_KEY: 'x'.repeat(32),
      PUBLIC_URL: 'https://attune.example',
      ...env,
    }).capabilities,
  );

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
