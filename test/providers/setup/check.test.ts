/** A trial of each capability, against a server that validates its input. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../../config.ts';
import { ASKED_CAPABILITIES } from '../../../domain/analysis/capabilities.ts';
import { checkProviders, type CheckResult } from '../../../providers/setup/check.ts';
import { createProviders } from '../../../providers/setup/createProviders.ts';
import {
  testNudityModel,
  testSentenceEncoder,
  testTextReaders,
  testVoiceModel,
} from '../../support/programs/engines.ts';
import { ffmpegPath } from '../../support/programs/ffmpeg.ts';
import { completion } from '../../support/openai/openaiAnswers.ts';
import { startOpenAiServer, type OpenAiServer, type Received, type Reply } from '../../support/openai/openaiServer.ts';

let server: OpenAiServer;
let workDir: string;
beforeEach(async () => {
  [server, workDir] = await Promise.all([startOpenAiServer(), mkdtemp(join(tmpdir(), 'attune-check-'))]);
  server.script('/chat/completions', (request) => see(request, 'A red square.'));
});
afterEach(async () => {
  await server.close();
  await rm(workDir, { recursive: true });
});

/** Returns the results in the order of the capabilities. */
async function check(env: Record<string, string> = {}): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  await checkReporting(env, new AbortController().signal, async (result) => void results.push(result));
  return ASKED_CAPABILITIES.flatMap((capability) => results.filter((result) => result.capability === capability));
}

async function checkReporting(
  env: Record<string, string>,
  signal: AbortSignal,
  report: (result: CheckResult) => Promise<void>,
): Promise<void> {
  const config = loadConfig({
    DATABASE_URL: 'postgres://x@localhost/x',
    SECRET_KEY: 'x'.repeat(32),
    PUBLIC_URL: 'https://attune.example',
    WORK_DIR: workDir,
    FFMPEG_PATH: await ffmpegPath(),
    ...env,
  });
  const { providers, close } = await createProviders(config);
  try {
    await checkProviders({ ...config, providers }, signal, report);
  } finally {
    await close();
  }
}

/** Returns the answer of a model that describes the picture in these words; undefined for a question about a text. */
function see({ body }: Received, description: string): Reply | undefined {
  if (!JSON.stringify(body).includes('image_url')) return undefined;
  const safety = { sexual: 'none', violence: 'none', self_harm: 'none', hate: 'none', drugs: 'none', weapons: 'none' };
  return { json: completion(JSON.stringify({ frames: [{ id: '0', description, ocr_text: null, tags: [], safety }] })) };
}

const atServer = () => ({ OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'test-key' });

describe('a check of the providers', () => {
  it('gives each the smallest possible task, and leaves nothing behind', async () => {
    const results = await check(atServer());
    expect(results.map(({ capability, state, code }) => [capability, state, code])).toEqual([
      ['speech', 'works', 'voice_files_missing'],
      ['vision', 'works', null],
      ['summary', 'works', null],
      ['moderation', 'works', null],
      ['embedding', 'works', null],
      ['pictures', 'off', null],
    ]);
    expect(server.violations).toEqual([]);
    expect(await readdir(workDir)).toEqual([]);
  });

  it('sends sound to the speech server even if a detector finds no voice in it', async () => {
    server.script('/audio/transcriptions', () => ({ status: 401, json: { error: { message: 'bad key' } } }));
    const results = await check({ ...atServer(), VOICE_MODEL_DIR: await testVoiceModel() });
    expect(results[0]).toMatchObject({ capability: 'speech', state: 'fails', code: 'provider_unauthorized' });
  });

  it('sends no request for a provider that is built in or off', async () => {
    const results = await check({ SPEECH_PROVIDER: 'off' });
    expect(results.map(({ state }) => state)).toEqual(['off', 'builtin', 'builtin', 'builtin', 'builtin', 'off']);
    expect(server.requests).toEqual([]);
  });

  it('reports the files that built-in providers lack', async () => {
    const codes = async (env: Record<string, string>) => (await check(env)).map(({ code }) => code);
    const [speech, vision, summary, encoder] = [
      'voice_files_missing',
      'picture_files_missing',
      'text_files_missing',
      'encoder_files_missing',
    ];
    expect(await codes({})).toEqual([speech, vision, summary, null, encoder, null]);
    await writeFile(join(workDir, 'rus.traineddata'), Buffer.alloc(100_000));
    expect(await codes({ TESSDATA_DIRS: workDir, VOICE_MODEL_DIR: await testVoiceModel() })).toEqual([
      null,
      'nudity_files_missing',
      summary,
      null,
      encoder,
      null,
    ]);
    const SENTENCE_ENCODER_DIR = await testSentenceEncoder();
    const { russianNetworks, russianWords, english } = await testTextReaders();
    const readers = {
      RUSSIAN_NETWORKS_DIR: russianNetworks ?? '',
      RUSSIAN_WORDS_DIR: russianWords ?? '',
      ENGLISH_NETWORK_DIR: english ?? '',
    };
    expect(await codes({ SENTENCE_ENCODER_DIR, ...readers })).toEqual([speech, vision, null, null, null, null]);
    expect(await codes({ SENTENCE_ENCODER_DIR })).toContain('reader_files_missing');
    expect(await codes({ NUDITY_MODEL_DIR: await testNudityModel() })).toContain('russian_ocr_missing');
    expect(await codes({ VISION_PROVIDER: 'off', SUMMARY_PROVIDER: 'off', SPEECH_PROVIDER: 'off' })).toEqual([
      null,
      null,
      null,
      null,
      encoder,
      null,
    ]);
  });

  it('reports each fault by its code, whatever the others do', async () => {
    server.script('/chat/completions', () => ({ status: 404, json: { error: { message: 'model "x" not found' } } }));
    server.script('/embeddings', () => ({ status: 401, json: { error: { message: 'bad key' } } }));
    server.script('/moderations', () => ({ status: 404, json: {} }));
    const codes = Object.fromEntries((await check(atServer())).map(({ capability, code }) => [capability, code]));
    expect(codes).toEqual({
      speech: 'voice_files_missing',
      vision: 'provider_model_not_found',
      summary: 'provider_model_not_found',
      moderation: 'provider_endpoint_not_found',
      embedding: 'provider_unauthorized',
      pictures: null,
    });
  });

  it('notices a vision model that does not see the picture', async () => {
    server.script('/chat/completions', (request) => see(request, 'A tram that goes back to the depot.'));
    const results = await check(atServer());
    expect(results.find(({ capability }) => capability === 'vision')).toMatchObject({
      state: 'fails',
      code: 'provider_bad_answer',
    });
    expect(results.find(({ capability }) => capability === 'summary')).toMatchObject({ state: 'works' });
  });

  it('sends a picture and words to a server that compares them', async () => {
    server.script('/embeddings', () => ({ json: { data: [{ index: 0, embedding: [1, 0] }] } }));
    const results = await check({ PICTURES_BASE_URL: server.baseUrl, PICTURES_API_KEY: 'test-key' });
    expect(results.at(-1)).toMatchObject({ capability: 'pictures', model: 'jina-clip-v2', state: 'works' });
    expect(server.requests).toHaveLength(2);
    expect(server.violations).toEqual([]);
  });

  it('reports what works while another server does not answer', async () => {
    const silent = await startOpenAiServer();
    silent.script('/audio/transcriptions', () => ({ stall: 'headers' }));
    const stopping = new AbortController();
    const told: string[] = [];
    const checking = checkReporting(
      { ...atServer(), SPEECH_BASE_URL: silent.baseUrl, SPEECH_API_KEY: 'test-key' },
      stopping.signal,
      async ({ capability }) => {
        told.push(capability);
        if (told.length === ASKED_CAPABILITIES.length - 1) stopping.abort(new Error('seen'));
      },
    );
    await expect(checking).rejects.toThrow('seen');
    expect(told).not.toContain('speech');
    await silent.close();
  });

  it('reports a server that does not exist', async () => {
    const results = await check({ EMBEDDING_BASE_URL: 'http://127.0.0.1:9/v1' });
    expect(results.find(({ capability }) => capability === 'embedding')).toMatchObject({
      state: 'fails',
      code: 'provider_unreachable',
    });
  });
});
