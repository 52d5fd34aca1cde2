/** Tests each analysis capability with the smallest possible task, so that a wrong setting is noticed immediately. */
import { join } from 'node:path';
import sharp from 'sharp';
import {
  ASKED_CAPABILITIES,
  type AskedCapability,
  type CheckState,
  type ProviderCapability,
} from '../../domain/analysis/capabilities.ts';
import { runFfmpeg } from '../../platform/process/decoders/ffmpeg.ts';
import { withWorkFolder } from '../../platform/disk/workDir.ts';
import { ProviderError } from '../errors.ts';
import { missingFilesOf, type BuiltinFolders } from './missingFiles.ts';
import type { CapabilityConfig } from './providerSettings.ts';
import type { CallContext, Providers } from '../types.ts';

export interface CheckedProviders extends BuiltinFolders {
  providers: Providers;
  capabilities: Record<ProviderCapability, CapabilityConfig>;
  ffmpegPath: string;
  workDir: string;
}

export interface CheckResult {
  capability: AskedCapability;
  model: string | null;
  state: CheckState;
  /**
   * The code of the fault, as in `ProviderError`, if the state is `fails`; otherwise the code of missing files, null if
   * none are missing.
   */
  code: string | null;
  millis: number | null;
}

/**
 * Tests all capabilities, which costs a fraction of a cent at hosted providers. A capability that is built in or off is
 * not tested, but missing files are reported. Those of one server are tested one after the other, because it may have
 * to load a model for each; a server that does not answer delays only its own.
 * @param tell called with each result as soon as it is known
 * @throws the signal's reason; a provider's fault is part of the result
 */
export async function checkProviders(
  checked: CheckedProviders,
  signal: AbortSignal,
  tell: (result: CheckResult) => Promise<void>,
): Promise<void> {
  const servers = Map.groupBy(ASKED_CAPABILITIES, (capability) => serverOf(checked, capability));
  await Promise.all(
    [...servers.values()].map(async (capabilities) => {
      for (const capability of capabilities) await tell(await checkOne(checked, capability, signal));
    }),
  );
}

/** Returns the address of a capability's server, or its name if it has none. */
function serverOf({ capabilities }: CheckedProviders, capability: AskedCapability): string {
  if (capability === 'pictures') return capability;
  const chosen = capabilities[capability];
  return 'baseUrl' in chosen ? chosen.baseUrl : capability;
}

async function checkOne(
  checked: CheckedProviders,
  capability: AskedCapability,
  signal: AbortSignal,
): Promise<CheckResult> {
  // There is no built-in picture embedding, so its provider is tested whenever it is configured.
  const kind = capability === 'pictures' ? 'openai' : checked.capabilities[capability].kind;
  const provider = checked.providers[capability];
  if (kind === 'off' || !provider) return { capability, model: null, state: 'off', code: null, millis: null };
  const { model } = provider;
  const missing = await missingFilesOf(capability, kind === 'builtin', checked);
  if (kind === 'builtin') return { capability, model, state: 'builtin', code: missing, millis: null };
  const began = performance.now();
  const code = await faultOf(checked, capability, { signal, progress: () => undefined });
  const millis = Math.round(performance.now() - began);
  return { capability, model, state: code === null ? 'works' : 'fails', code: code ?? missing, millis };
}

/** Returns null if the capability completed its task. */
async function faultOf(checked: CheckedProviders, capability: AskedCapability, context: CallContext) {
  try {
    return await TASKS[capability](checked, context);
  } catch (error) {
    context.signal.throwIfAborted();
    return error instanceof ProviderError ? error.code : 'internal';
  }
}

/** Returns null, or the code of a fault that the provider does not notice or works around. */
type Task = (checked: CheckedProviders, context: CallContext) => Promise<string | null>;

/** The question asks for English, which not every model writes. */
const SAYS_RED = /\b(?:red|crimson|scarlet)\b|красн|红/i;
const RED = '#d40000';
const SENTENCE = 'The tram goes back to the depot.';

const TASKS: Record<AskedCapability, Task> = {
  async summary({ providers }, context) {
    const input = { language: null, topicsAllowed: [], type: 'text', title: null, description: null };
    await providers.summary?.run({ ...input, body: SENTENCE, transcripts: [], frames: [] }, context);
    return null;
  },
  async moderation({ providers }, context) {
    const result = await providers.moderation?.run({ text: SENTENCE, frames: [] }, context);
    // The built-in lexicon was used, since the server has no such function.
    const stoodIn = result?.warnings.find((warning) => warning.startsWith('moderated_by_builtin:'));
    return stoodIn?.split(':')[1] ?? null;
  },
  async embedding({ providers }, context) {
    await providers.embedding?.run([SENTENCE], context);
    return null;
  },
  vision: ({ providers, workDir }, context) =>
    withWorkFolder(workDir, async (dir) => {
      const path = await makePicture(dir);
      const result = await providers.vision?.run({ frames: [{ id: '0', path }], language: 'en' }, context);
      const words = result?.value.flatMap(({ description, tags }) => [description, ...(tags ?? [])]).join(' ') ?? '';
      // A model that reads only texts answers in the format and has not seen the picture.
      return SAYS_RED.test(words) ? null : 'provider_bad_answer';
    }),
  pictures: ({ providers, workDir }, context) =>
    withWorkFolder(workDir, async (dir) => {
      const path = await makePicture(dir);
      await providers.pictures?.run([{ id: '0', path }], context);
      await providers.pictures?.embedQuery(SENTENCE, context);
      return null;
    }),
  speech: ({ providers, ffmpegPath, workDir }, context) =>
    withWorkFolder(workDir, async (dir) => {
      const path = join(dir, 'check.flac');
      await makeTone(ffmpegPath, dir, path, context.signal);
      const sound = { audioPath: path, subtitlesPath: null, durationSec: 1, language: null };
      // Nobody speaks in a tone, so a voice detector would keep all of it from the server.
      await providers.speech?.run({ ...sound, sendsAll: true }, context);
      return null;
    }),
};

async function makePicture(dir: string): Promise<string> {
  const path = join(dir, 'check.jpg');
  await sharp({ create: { width: 64, height: 64, channels: 3, background: RED } })
    .jpeg()
    .toFile(path);
  return path;
}

async function makeTone(ffmpegPath: string, dir: string, path: string, signal: AbortSignal): Promise<void> {
  const tone = ['-f', 'lavfi', '-i', 'sine=frequency=300:sample_rate=16000:duration=1'];
  await runFfmpeg({
    ffmpegPath,
    args: [...tone, '-ac', '1', '-sample_fmt', 's16', '-f', 'flac', path],
    cwd: dir,
    timeoutMs: 20_000,
    threads: 1,
    signal,
    access: { reads: [], writes: [dir] },
  });
}
