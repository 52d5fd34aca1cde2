/** Moderation with a built-in fallback for servers without the function. */
import { ProviderError } from './errors.ts';
import type { Providers } from './types.ts';

type Moderator = NonNullable<Providers['moderation']>;

/** Error codes of servers that have chat but no moderation; most of these are local servers. */
const MISSING_FUNCTION: ReadonlySet<string> = new Set(['provider_endpoint_not_found', 'provider_unsupported']);

/**
 * Returns a moderator that calls `moderator` first, and `builtin` if its server has no such function. The provenance
 * names the one that judged.
 */
export function moderationWithBuiltin(moderator: Moderator, builtin: Moderator): Moderator {
  return {
    model: moderator.model,
    async run(input, context) {
      try {
        return await moderator.run(input, context);
      } catch (error) {
        if (!(error instanceof ProviderError) || !MISSING_FUNCTION.has(error.code)) throw error;
        const result = await builtin.run(input, context);
        return { ...result, warnings: [...result.warnings, `moderated_by_builtin:${error.code}`] };
      }
    },
  };
}
