/** Providers whose answers a test decides; each call is recorded. */
import type { StepModels } from '../../../domain/analysis/stepModels.ts';
import type { Providers, ProviderResult } from '../../../providers/types.ts';

export interface FakeProviders extends Providers {
  calls: string[];
}

/** The models of the fakes, by step. */
export const FAKE_MODELS: StepModels = {
  prepare: 'builtin-prepare-1',
  speech: 'fake/1',
  vision: 'fake/1',
  summary: 'fake/1',
  embedding: 'fake/1',
};

/** Wraps a value as a provider's answer. */
export function fakeResult<T>(value: T): ProviderResult<T> {
  return {
    value,
    provenance: { provider: 'fake', model: 'fake-1', requestId: null },
    usage: { inputTokens: null, outputTokens: null, audioSeconds: null, images: null },
    warnings: [],
  };
}

/** Creates providers that answer at once with plain results; `overrides` replaces whole capabilities. */
export function createFakeProviders(overrides: Partial<Providers> = {}): FakeProviders {
  const calls: string[] = [];
  const noted = <T>(name: string, value: T): Promise<ProviderResult<T>> => {
    calls.push(name);
    return Promise.resolve(fakeResult(value));
  };
  return {
    calls,
    speech: {
      model: 'fake-1',
      skipReason: 'no_speech_provider',
      canTranscribe: () => true,
      run: () =>
        noted('speech', {
          language: 'ru',
          timestamps: 'model',
          text: 'речь',
          segments: [{ start: 0, end: 1, text: 'речь', speaker: null }],
        }),
    },
    vision: {
      model: 'fake-1',
      batchSize: 4,
      run: ({ frames }) =>
        noted(
          'vision',
          frames.map(({ id }) => ({ id, description: 'кадр', ocrText: null, tags: null, safety: null })),
        ),
    },
    summary: {
      model: 'fake-1',
      run: (input) =>
        noted('summary', {
          summary: `о чём: ${input.title ?? ''}`,
          description: null,
          topics: [],
          tags: ['тег'],
          entities: [],
          language: 'ru',
          ageRating: null,
        }),
    },
    moderation: {
      model: 'fake-1',
      run: () => noted('moderation', { level: 'none', categories: null, evidence: null }),
    },
    embedding: {
      model: 'fake-1',
      dimension: 4,
      batchSize: 16,
      similarityThreshold: 0.5,
      embedQuery: () => noted('embedQuery', new Float32Array([1, 0, 0, 0])),
      run: (texts) =>
        noted(
          'embedding',
          texts.map(() => new Float32Array([1, 0, 0, 0])),
        ),
    },
    ...overrides,
  };
}
