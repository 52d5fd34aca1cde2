/** Moderation with a built-in fallback for servers without the function. */
import { hasCause, ProviderError } from './errors.ts';
import type { Providers } from './types.ts';

type Moderator = NonNullable<Providers['moderation']>;

/**
 * Returns a moderator that calls `moderator` first, and `builtin` if its server has no such function, like most local
 * servers that have chat. The provenance names the one that judged.
 */
export function moderationWithBuiltin(moderator: Moderator, builtin: Moderator): Moderator {
  return {
    model: moderator.model,
    async run(input, context) {
      try {
        return await moderator.run(input, context);
      } catch (error) {
        if (!(error instanceof ProviderError) || !hasCause(error.code, 'function')) throw error;
        const result = await builtin.run(input, context);
        return { ...result, warnings: [...result.warnings, `moderated_by_builtin:${error.code}`] };
      }
    },
  };
}
