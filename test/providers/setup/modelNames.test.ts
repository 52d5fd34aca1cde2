import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../../config.ts';
import { modelsOf, remarksOn } from '../../../providers/setup/modelNames.ts';

const BARE = {
  DATABASE_URL: 'postgres://x@localhost/x',
  SECRET_KEY: 'x'.repeat(32),
  PUBLIC_URL: 'https://attune.example',
};
const READERS = { russianNetworks: '/a', russianWords: '/b', english: '/c' };
const models = (env: Record<string, string>) => modelsOf(loadConfig({ ...BARE, ...env }));

describe('the models of a configuration', () => {
  it('are the built-in ones by default, with moderation in the summary', () => {
    expect(models({})).toEqual({
      prepare: 'builtin-prepare-1',
      speech: 'builtin-subtitles-3',
      vision: 'builtin-vision-6',
      summary: 'builtin-text-11 + builtin-lexicon-1',
      embedding: 'builtin-embed-2',
    });
  });

  it('differ for vectors and topics if the sentence encoder is present', () => {
    const config = loadConfig(BARE);
    const withEncoder = { ...config, sentenceEncoderDir: '/somewhere' };
    expect(modelsOf(withEncoder)).toEqual({
      ...modelsOf(config),
      embedding: 'builtin-use-multilingual-v3',
      summary: 'builtin-text-11-use + builtin-lexicon-1',
    });
    const whole = { ...withEncoder, nudityModelDir: '/somewhere', textReaders: READERS };
    expect(remarksOn(whole)).toEqual([]);
    expect(remarksOn({ ...whole, sentenceEncoderDir: null })).toEqual([
      expect.stringContaining('SENTENCE_ENCODER_DIR is not set'),
    ]);
    const off = { embedding: { kind: 'off' }, vision: { kind: 'off' }, summary: { kind: 'off' } } as const;
    expect(remarksOn({ ...config, capabilities: { ...config.capabilities, ...off } })).toEqual([]);
  });

  it('name the provider of picture vectors next to that of text vectors', () => {
    const { embedding } = models({ PICTURES_BASE_URL: 'http://clip:7997/v1', PICTURES_MODEL: 'clip' });
    expect(embedding).toBe('builtin-embed-2 + openai/clip');
  });

  it('differ for pictures if nudity is judged', () => {
    const config = loadConfig(BARE);
    const withJudge = { ...config, nudityModelDir: '/somewhere' };
    expect(modelsOf(withJudge)).toEqual({ ...modelsOf(config), vision: 'builtin-vision-6 + nsfwjs-mid-4.4' });
    expect(remarksOn({ ...config, sentenceEncoderDir: '/somewhere', textReaders: READERS })).toEqual([
      'pictures are not judged for nudity: NUDITY_MODEL_DIR is not set',
    ]);
  });

  it('name the languages that are read', () => {
    const config = { ...loadConfig(BARE), nudityModelDir: '/somewhere' };
    const summaryWith = (textReaders: Partial<typeof READERS>): string | null =>
      modelsOf({ ...config, textReaders: { ...config.textReaders, ...textReaders } }).summary;
    expect(summaryWith({ russianNetworks: '/a', russianWords: '/b' })).toBe('builtin-text-11-ru + builtin-lexicon-1');
    expect(summaryWith({ russianNetworks: '/a' })).toBe('builtin-text-11 + builtin-lexicon-1');
    expect(summaryWith(READERS)).toBe('builtin-text-11-ru-en + builtin-lexicon-1');
    const withEncoder = { ...config, sentenceEncoderDir: '/somewhere' };
    expect(remarksOn(withEncoder)).toEqual([
      expect.stringContaining('RUSSIAN_NETWORKS_DIR and RUSSIAN_WORDS_DIR are not set'),
      expect.stringContaining('ENGLISH_NETWORK_DIR is not set'),
    ]);
  });

  it('differ for a prefix of passages, but not for one of queries only', () => {
    const env = { OPENAI_API_KEY: 'k', EMBEDDING_MODEL: 'e5', EMBEDDING_QUERY_PREFIX: 'query:' };
    expect(models(env).embedding).toBe('openai/e5');
    expect(models({ ...env, EMBEDDING_PASSAGE_PREFIX: 'passage:' }).embedding).toBe('openai/e5 (passage:)');
  });

  it('name the provider, so that equal names of two providers differ', () => {
    expect(models({ OPENAI_API_KEY: 'k', EMBEDDING_MODEL: 'builtin-embed-2' })).toMatchObject({
      speech: 'openai/whisper-1',
      embedding: 'openai/builtin-embed-2',
    });
  });

  it('leave out a moderation that is off, and are absent for a capability that is off', () => {
    expect(models({ MODERATION_PROVIDER: 'off', VISION_PROVIDER: 'off' })).toMatchObject({
      summary: 'builtin-text-11',
      vision: null,
    });
    expect(models({ SUMMARY_PROVIDER: 'off' }).summary).toBeNull();
  });
});
