/** Creates the providers of a configuration. */
import { capabilitiesOf, type AskedCapability, type ProviderCapability } from '../../domain/analysis/capabilities.ts';
import { ITEM_STEPS, type ItemStep } from '../../domain/analysis/steps.ts';
import { createBuiltinProviders } from '../builtin/index.ts';
import type { OpenAiOptions } from '../openai/index.ts';
import { moderationWithBuiltin } from '../moderationWithBuiltin.ts';
import { measureSound } from '../sound/measureSound.ts';
import { speechWithSubtitles, subtitlesOnly, type MeasureSound } from '../speechWithSubtitles.ts';
import type { EmbeddingTraits } from '../openai/embedding/embeddingTraits.ts';
import {
  IS_REMOTE,
  type CapabilityConfig,
  type OpenAiConfig,
  type PicturesConfig,
  type ServerLimits,
  type TextReaderFolders,
} from './providerSettings.ts';
import type { Providers } from '../types.ts';

export interface ProviderSettings {
  capabilities: Record<ProviderCapability, CapabilityConfig>;
  ffmpegPath: string;
  /** Folder for pieces of recordings while they are sent. */
  workDir: string;
  tessdataDirs: string[];
  sentenceEncoderDir: string | null;
  nudityModelDir: string | null;
  voiceModelDir: string | null;
  textReaders: TextReaderFolders;
  embeddingTraits: EmbeddingTraits;
  pictures?: PicturesConfig | null;
}

/**
 * Whether each step on the item takes only milliseconds for a short text, provided that none of the step's capabilities
 * has a remote provider.
 */
const IS_QUICK: Readonly<Record<ItemStep, boolean>> = { summary: true, embedding: true };

/** Returns the steps that take milliseconds for a short text with these providers. */
export function quickSteps({
  capabilities,
  pictures,
}: Pick<ProviderSettings, 'capabilities' | 'pictures'>): ItemStep[] {
  const isRemote = (capability: AskedCapability): boolean =>
    capability === 'pictures' ? !!pictures : IS_REMOTE[capabilities[capability].kind];
  return ITEM_STEPS.filter((step) => IS_QUICK[step] && !capabilitiesOf(step).some(isRemote));
}

/** @returns the providers, and a function that ends their threads */
export async function createProviders(
  settings: ProviderSettings,
): Promise<{ providers: Providers; close: () => Promise<void> }> {
  const { ffmpegPath, workDir } = settings;
  const own = createBuiltinProviders(settings);
  const measuring = { ffmpegPath, workDir, voiceDetector: own.voices };
  const measure: MeasureSound = (path, context) => measureSound(measuring, path, context);
  const builtin = { ...own, speech: subtitlesOnly(own.speech, measure) };
  // Loaded on demand: OpenAI's client costs each process 0.2 s of CPU time and some memory, and many installations do
  // not use it.
  const openAi = asksOpenAi(settings) ? await import('../openai/index.ts') : null;
  type OpenAi = NonNullable<typeof openAi>;
  const { pictures } = settings;
  const choose = <C extends ProviderCapability>(
    capability: C,
    create: (openAi: OpenAi, options: OpenAiOptions, limits: ServerLimits) => NonNullable<Providers[C]>,
  ): Providers[C] => {
    const chosen = settings.capabilities[capability];
    if (chosen.kind === 'off') return undefined;
    if (chosen.kind === 'builtin') return builtin[capability];
    // The declared type makes the compiler reject a new kind that is not handled above.
    const { baseUrl, apiKey, model, limits }: OpenAiConfig = chosen;
    const options = { baseUrl, apiKey, model, requestTimeoutMs: limits.timeoutMs, pace: limits };
    return openAi ? create(openAi, options, limits) : undefined;
  };
  return {
    providers: {
      speech: choose('speech', ({ createOpenAiSpeech }, options, { pieceSeconds }) =>
        speechWithSubtitles(
          createOpenAiSpeech({ ...options, ...measuring, pieceSec: pieceSeconds }),
          own.speech,
          measure,
        ),
      ),
      vision: choose('vision', ({ createOpenAiVision }, options, { batchSize, contextTokens }) =>
        createOpenAiVision({ ...options, batchSize, contextTokens }),
      ),
      summary: choose('summary', ({ createOpenAiSummary, partCharsFor }, options, { contextTokens }) =>
        createOpenAiSummary({ ...options, partChars: partCharsFor(contextTokens) }),
      ),
      moderation: choose('moderation', ({ createOpenAiModeration }, options, { batchSize, contextTokens }) =>
        moderationWithBuiltin(createOpenAiModeration({ ...options, batchSize, contextTokens }), builtin.moderation),
      ),
      embedding: choose('embedding', ({ createOpenAiEmbedding }, options, { batchSize, contextTokens }) =>
        createOpenAiEmbedding({ ...options, batchSize, contextTokens }, settings.embeddingTraits),
      ),
      pictures:
        pictures && openAi
          ? openAi.createPictureEmbedding({
              ...pictures,
              requestTimeoutMs: pictures.limits.timeoutMs,
              pace: pictures.limits,
              batchSize: pictures.limits.batchSize,
            })
          : undefined,
    },
    close: () => builtin.close(),
  };
}

function asksOpenAi({ capabilities, pictures }: Pick<ProviderSettings, 'capabilities' | 'pictures'>): boolean {
  return !!pictures || Object.values(capabilities).some(({ kind }) => kind === 'openai');
}
