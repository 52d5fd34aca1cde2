import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createOpenAiSpeech } from '../../../../providers/openai/index.ts';
import type { SpeechInput } from '../../../../providers/types.ts';
import type { Received, Reply } from '../../../support/openai/openaiServer.ts';
import { callContext, failureOf, rememberingContext } from '../support.ts';
import { measuredOf } from './once.ts';
import { stageSpeech } from './speechStage.ts';

const stage = stageSpeech('short', 'medium');
let medium: SpeechInput;
beforeAll(async () => {
  const input = stage.input('medium');
  medium = { ...input, measured: await measuredOf(stage.ffmpeg, input.audioPath ?? '') };
});

describe('speech that fails', () => {
  const failing = (bad: number, reply: Reply) => (_: Received, index: number) => (index === bad ? reply : undefined);

  // proves: decisions-media/one-bad-piece
  it.each<[string, Reply]>([
    ['refused', { status: 400, json: { error: { code: 'content_filter' } } }],
    ['rejected', { status: 422, raw: '' }],
  ])('is partial when one piece is %s', async (_, reply) => {
    stage.server.script('/audio/transcriptions', failing(1, reply));
    const { value, warnings } = await stage.speech('gpt-4o-transcribe').run(medium, callContext());
    expect(value.segments.map(({ start }) => start)).toEqual([0, 110.5]);
    expect(value.isPartial).toBe(true);
    expect(warnings).toEqual(['failed_pieces:1']);
  });

  describe('for a while between two good pieces', () => {
    const away: Reply = { status: 503, headers: { 'retry-after-ms': '1' }, raw: '' };
    beforeEach(() =>
      stage.server.script('/audio/transcriptions', (_, index) => ([1, 2].includes(index) ? away : undefined)),
    );

    it('is tried again for the missing piece alone', async () => {
      const context = rememberingContext();
      const begin = () => stage.speech('gpt-4o-transcribe').run(medium, context);
      expect(await failureOf(begin())).toMatchObject({ kind: 'retryable', code: 'provider_unavailable' });
      expect(stage.server.requests).toHaveLength(4);
      const { value, warnings } = await begin();
      expect(stage.server.requests).toHaveLength(5);
      expect(value.segments.map(({ start }) => start)).toEqual([0, 51, 110.5]);
      expect(value.isPartial).toBeUndefined();
      expect(warnings).toEqual([]);
    });

    it('has the missing piece transcribed after the others for a caller that accepts gaps', async () => {
      const context = { ...callContext(), acceptsGaps: true };
      const { value, warnings } = await stage.speech('gpt-4o-transcribe').run(medium, context);
      expect(value.segments.map(({ start }) => start)).toEqual([0, 51, 110.5]);
      expect(value.isPartial).toBeUndefined();
      expect(warnings).toEqual([]);
    });
  });

  describe('without any progress until the last try', () => {
    const stopping: [string, Reply][] = [
      ['a server that is down', { status: 500, headers: { 'retry-after-ms': '1' }, raw: '' }],
      ['an empty account', { status: 429, json: { error: { code: 'insufficient_quota' } } }],
    ];

    it.each(stopping)('returns what was read before, in spite of %s', async (_, reply) => {
      stage.server.script('/audio/transcriptions', (_request, index) => (index === 0 ? undefined : reply));
      const context = rememberingContext();
      const begin = (isLastTry: boolean) =>
        stage.speech('gpt-4o-transcribe').run(medium, {
          ...context,
          acceptsGaps: true,
          isLastTry,
          isLastAttempt: true,
        });
      // Something was read, so the try is not in vain.
      await failureOf(begin(true));
      await failureOf(begin(false));
      const { value, warnings } = await begin(true);
      expect(value.segments.map(({ start }) => start)).toEqual([0]);
      expect(value.isPartial).toBe(true);
      expect(warnings).toEqual(['failed_pieces:2']);
    });

    const busyFor = (seconds: string): Reply => ({ status: 429, headers: { 'retry-after': seconds }, raw: '' });
    it.each<[string, Reply, boolean]>([
      ['waits for a server that is busy for a moment', busyFor('30'), false],
      ['does not wait for one that is busy for minutes', busyFor('90'), true],
      ['does not wait for an account that is empty', { status: 402, raw: '' }, true],
    ])('%s, while quick attempts are left', async (_, reply, isStored) => {
      stage.server.script('/audio/transcriptions', (_request, index) => (index === 0 ? undefined : reply));
      const context = { ...rememberingContext(), acceptsGaps: true };
      const begin = (isLastTry: boolean) => stage.speech('gpt-4o-transcribe').run(medium, { ...context, isLastTry });
      await failureOf(begin(false));
      if (isStored) expect((await begin(true)).value.isPartial).toBe(true);
      else expect(await failureOf(begin(true))).toMatchObject({ code: 'provider_rate_limited' });
    });

    it('fails if nothing was read', async () => {
      stage.server.script('/audio/transcriptions', () => stopping[0]?.[1]);
      const context = { ...callContext(), acceptsGaps: true, isLastTry: true, isLastAttempt: true };
      expect(await failureOf(stage.speech('gpt-4o-transcribe').run(medium, context))).toMatchObject({
        code: 'provider_unavailable',
      });
    });
  });

  it('survives one hiccup without repeating finished pieces', async () => {
    stage.server.script(
      '/audio/transcriptions',
      failing(1, { status: 503, headers: { 'retry-after-ms': '1' }, raw: '' }),
    );
    const { value, warnings } = await stage.speech('gpt-4o-transcribe').run(medium, callContext());
    expect(value.segments).toHaveLength(3);
    expect(warnings).toEqual([]);
    expect(stage.server.requests).toHaveLength(4);
  });

  it('fails if every piece does', async () => {
    stage.server.script('/audio/transcriptions', () => ({ status: 400, json: { error: { code: 'content_filter' } } }));
    expect(await failureOf(stage.speech('gpt-4o-transcribe').run(medium, callContext()))).toMatchObject({
      kind: 'refused',
    });
  });

  it('fails retryably in an outage after a good piece', async () => {
    stage.server.script('/audio/transcriptions', (_, index) =>
      index === 0 ? undefined : { status: 500, headers: { 'retry-after-ms': '1' }, raw: '' },
    );
    expect(await failureOf(stage.speech('gpt-4o-transcribe').run(medium, callContext()))).toMatchObject({
      kind: 'retryable',
      code: 'provider_unavailable',
    });
  });

  it('sends and pays for no piece twice, however often it is started again', async () => {
    const outage: Reply = { status: 500, headers: { 'retry-after-ms': '1' }, raw: '' };
    stage.server.script('/audio/transcriptions', (_, index) => (index === 0 ? undefined : outage));
    const context = rememberingContext();
    const begin = () => stage.speech('gpt-4o-transcribe').run(medium, context); // a new process each time
    expect(await failureOf(begin())).toMatchObject({ kind: 'retryable' });
    expect(context.bills.map(({ audioSeconds }) => Math.round(audioSeconds ?? 0))).toEqual([51]);
    stage.server.script('/audio/transcriptions', () => undefined);
    const sent = stage.server.requests.length;
    const { value, usage, warnings } = await begin();
    expect(stage.server.requests.length - sent).toBe(2);
    expect(value.segments.map(({ start }) => start)).toEqual([0, 51, 110.5]);
    expect(warnings).toEqual([]);
    expect(context.bills.map(({ audioSeconds }) => Math.round((audioSeconds ?? 0) * 10) / 10)).toEqual([
      51, 59.5, 39.5,
    ]);
    expect(usage.audioSeconds).toBeCloseTo(99, 1);
    expect(await begin()).toMatchObject({ value, usage: { audioSeconds: 0 } });
    expect(context.bills).toHaveLength(3);
  });

  it('does not reuse the pieces of another model or language', async () => {
    const context = rememberingContext();
    await stage.speech().run(stage.input('short'), context);
    await stage.speech('whisper-2').run(stage.input('short'), context);
    await stage.speech().run(stage.input('short', 'en'), context);
    expect(stage.server.requests).toHaveLength(3);
    expect(context.kept.size).toBe(3);
  });

  it('counts the usage of an answer that cannot be used', async () => {
    stage.server.script('/audio/transcriptions', () => ({ json: { ok: true } }));
    const context = rememberingContext();
    await failureOf(stage.speech().run(stage.input('short'), context));
    expect(context.bills).toMatchObject([{ audioSeconds: 8 }, { audioSeconds: 8 }]);
    expect(context.kept.size).toBe(0);
  });

  it('leaves a long wait to the caller', async () => {
    stage.server.script('/audio/transcriptions', () => ({ status: 429, headers: { 'retry-after': '60' }, raw: '' }));
    expect(await failureOf(stage.speech().run(stage.input('short'), callContext()))).toMatchObject({
      kind: 'retryable',
      retryAfterMs: 60_000,
    });
    expect(stage.server.requests).toHaveLength(1);
  });

  it.each<[string, Reply, string]>([
    ['an exhausted quota', { status: 429, json: { error: { code: 'insufficient_quota' } } }, 'quota'],
    ['a wrong key', { status: 401, json: {} }, 'permanent'],
  ])('stops at once for %s', async (_, reply, kind) => {
    stage.server.script('/audio/transcriptions', () => reply);
    expect(await failureOf(stage.speech('gpt-4o-transcribe').run(medium, callContext()))).toMatchObject({
      kind,
    });
    expect(stage.server.requests).toHaveLength(1);
  });

  it('cannot be made from an answer that is not a transcription', async () => {
    stage.server.script('/audio/transcriptions', () => ({ json: { ok: true } }));
    expect(await failureOf(stage.speech().run(stage.input('short'), callContext()))).toMatchObject({
      kind: 'retryable',
      code: 'provider_bad_answer',
    });
  });

  it('cannot be made from a medium without sound', async () => {
    const capability = stage.speech();
    expect(capability.canTranscribe({ hasAudio: false, hasSubtitles: true })).toBe(false);
    expect(capability.canTranscribe({ hasAudio: true, hasSubtitles: false })).toBe(true);
    expect(await failureOf(capability.run({ ...stage.input('short'), audioPath: null }, callContext()))).toMatchObject({
      kind: 'permanent',
      code: 'no_audio',
    });
  });

  it('says if the file is not audio or the program is missing', async () => {
    const broken = { ...stage.input('short'), audioPath: join(import.meta.dirname, 'audio.ts') };
    expect(await failureOf(stage.speech().run(broken, callContext()))).toMatchObject({
      kind: 'permanent',
      code: 'audio_unreadable',
    });
    const missing = createOpenAiSpeech({
      baseUrl: stage.server.baseUrl,
      apiKey: 'k',
      model: 'm',
      ffmpegPath: join(stage.dir, 'nothing'),
      workDir: stage.workDir,
      requestTimeoutMs: 1_000,
    });
    expect(await failureOf(missing.run(stage.input('short'), callContext()))).toMatchObject({
      kind: 'permanent',
      code: 'ffmpeg_missing',
    });
  });

  it('can be tried again if the program was killed, as for want of memory', async () => {
    const killed = join(stage.dir, 'killed-ffmpeg');
    await writeFile(killed, '#!/bin/sh\nkill -KILL $$; exit 1\n', { mode: 0o755 });
    const capability = createOpenAiSpeech({
      baseUrl: stage.server.baseUrl,
      apiKey: 'k',
      model: 'm',
      ffmpegPath: killed,
      workDir: stage.workDir,
      requestTimeoutMs: 1_000,
    });
    expect(await failureOf(capability.run(stage.input('short'), callContext()))).toMatchObject({
      kind: 'retryable',
      code: 'audio_interrupted',
    });
  });

  it('closes the connection and removes its files when the caller cancels', async () => {
    stage.server.script('/audio/transcriptions', () => ({ stall: 'headers' }));
    const controller = new AbortController();
    const reason = new Error('cancelled');
    const call = stage.speech().run(stage.input('short'), callContext(controller.signal));
    void stage.server.nextRequest().then(() => controller.abort(reason));
    await expect(call).rejects.toBe(reason);
    await stage.server.nextHangUp();
  });
});
