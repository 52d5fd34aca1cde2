import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createOpenAiApi } from '../../../../providers/openai/calls/openAiApi.ts';
import { createTranscriber } from '../../../../providers/openai/speech/transcriber.ts';
import { callContext, failureOf } from '../support.ts';

const LIMIT = 25 * 2 ** 20;

let dir: string;
let server: Server;
let requests = 0;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'attune-piece-'));
  server = createServer((request, response) => {
    requests += 1;
    request.resume().on('end', () => response.end('{"text": "", "segments": [], "duration": 60}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(dir, { recursive: true });
});

it('a piece of 25 MiB is uploaded, and a larger one is not', async () => {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const options = { baseUrl, apiKey: 'test-key', model: 'whisper-1', requestTimeoutMs: 60_000 };
  const transcriber = createTranscriber(createOpenAiApi(options), 600);
  const path = join(dir, 'piece.flac');
  const send = async (bytes: number) => {
    await writeFile(path, '');
    await truncate(path, bytes);
    const piece = { start: 0, end: 60 };
    return transcriber.transcribe({ path, piece, language: null, known: [], hint: null }, callContext());
  };
  expect((await send(LIMIT)).segments).toEqual([]);
  expect(requests).toBe(1);
  expect((await failureOf(send(LIMIT + 1))).code).toBe('provider_input_too_large');
  expect(requests).toBe(1);
});
