/** The providers that a configuration names. */
import type { ProviderCapability } from '../domain/capabilities.ts';
import type { Step } from '../domain/steps.ts';
import { createBuiltinProviders } from './builtin/index.ts';
import type { OpenAiOptions } from './openai/index.ts';
import { moderationWithBuiltin } from './moderationWithBuiltin.ts';
import { speechWithSubtitles } from './speechWithSubtitles.ts';
import type { CapabilityConfig, EmbeddingTraits } from './settings.ts';
import type { Providers } from './types.ts';

export interface ProviderSettings {
  capabilities: Record<ProviderCapability, CapabilityConfig>;
  providerTimeoutMs: number;
  ffmpegPath: string;
  /** Where pieces of recordings live while they are sent. */
  workDir: string;
  tessdataDirs: string[];
  sentenceEncoderDir: string | null;
  embeddingTraits: EmbeddingTraits;
}

/** The steps that take milliseconds for a short text: those that nobody else is asked for. */
export function quickSteps({ capabilities }: Pick<ProviderSettings, 'capabilities'>): Step[] {
  const isLocal = (capability: ProviderCapability): boolean => capabilities[capability].kind !== 'openai';
  const steps: Step[] = isLocal('summary') && isLocal('moderation') ? ['summary'] : [];
  return isLocal('embedding') ? [...steps, 'embedding'] : steps;
}

/** @returns the providers, and what ends their threads */
export async function createProviders(
  settings: ProviderSettings,
): Promise<{ providers: Providers; close: () => Promise<void> }> {
  const { ffmpegPath, workDir, tessdataDirs, sentenceEncoderDir } = settings;
  const builtin = createBuiltinProviders({ tessdataDirs, sentenceEncoderDir });
  // OpenAI's client costs each process 0.2 s of CPU and some memory, and many installations do without it.
  const openAi = asksOpenAi(settings) ? await import('./openai/index.ts') : null;
  type OpenAi = NonNullable<typeof openAi>;
  const choose = <C extends ProviderCapability>(
    capability: C,
    create: (openAi: OpenAi, options: OpenAiOptions) => NonNullable<Providers[C]>,
  ): Providers[C] => {
    const chosen = settings.capabilities[capability];
    if (chosen.kind === 'off') return undefined;
    if (chosen.kind === 'builtin' || openAi === null) return builtin[capability];
    return create(openAi, {
      baseUrl: chosen.baseUrl,
      apiKey: chosen.apiKey,
      model: chosen.model,
      requestTimeoutMs: settings.providerTimeoutMs,
    });
  };
  return {
    providers: {
      speech: choose('speech', ({ createOpenAiSpeech }, options) =>
        speechWithSubtitles(createOpenAiSpeech({ ...options, ffmpegPath, workDir }), builtin.speech),
      ),
      vision: choose('vision', ({ createOpenAiVision }, options) => createOpenAiVision(options)),
      summary: choose('summary', ({ createOpenAiSummary }, options) => createOpenAiSummary(options)),
      moderation: choose('moderation', ({ createOpenAiModeration }, options) =>
        moderationWithBuiltin(createOpenAiModeration(options), builtin.moderation),
      ),
      embedding: choose('embedding', ({ createOpenAiEmbedding }, options) =>
        createOpenAiEmbedding(options, settings.embeddingTraits),
      ),
    },
    close: () => builtin.close(),
  };
}

function asksOpenAi({ capabilities }: Pick<ProviderSettings, 'capabilities'>): boolean {
  return Object.values(capabilities).some(({ kind }) => kind === 'openai');
}
