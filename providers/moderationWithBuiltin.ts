/** Moderation that is done even if the server lacks the function. */
import { ProviderError } from './errors.ts';
import type { Providers } from './types.ts';

type Moderator = NonNullable<Providers['moderation']>;

/** The codes of servers that offer chat and no moderation: local ones above all. */
const MISSING_FUNCTION: ReadonlySet<string> = new Set(['provider_endpoint_not_found', 'provider_unsupported']);

/** `moderator` is asked first; `builtin` judges when its server has no such function. The provenance says who did. */
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
