/** Properties that every built-in result reports about itself. */
import type { ProviderResult } from '../types.ts';

/** Returns a result. Tokens do not apply here, so usage is unknown, except for images if they were counted. */
export function builtinResult<T>(
  model: string,
  value: T,
  warnings: string[] = [],
  images: number | null = null,
): ProviderResult<T> {
  return {
    value,
    provenance: { provider: 'builtin', model, requestId: null },
    usage: { inputTokens: null, outputTokens: null, audioSeconds: null, images },
    warnings,
  };
}
