/**
 * Learns from a server's answers which of several answer formats it supports, and remembers it. The model's name gives
 * only the first guess; the server's behaviour decides.
 */
import { RejectedRequestError } from './serverErrors.ts';

export interface FormatLadder<Format> {
  current(): Format;
  /**
   * Tries formats from the remembered one down; the first that works is remembered. The best is tried again after many
   * uses of a lower one: the server may have changed, or one item may have misled it.
   */
  use<Result>(attempt: (format: Format) => Promise<Result>): Promise<Result>;
  /** Records that an answer had the format that was requested. */
  followed(format: Format): void;
  /**
   * Records that the server accepted the format but answered something else. After two items the next use starts one
   * lower, unless an answer ever had the format: then a text that talked the model out of it is to blame.
   * @param item key of the item; undefined: nothing is learned
   */
  ignored(format: Format, item: string | undefined): void;
}

/**
 * Number of items whose answers have to ignore a format before a lower one is used. A text can talk a model out of it,
 * so one item proves nothing.
 */
const MIN_IGNORED_ITEMS = 2;
/** Uses of a lower format until the best is tried again. */
const RETRIED_AFTER = 100;

/** @param formats best first */
export function createFormatLadder<Format>(formats: readonly [Format, ...Format[]]): FormatLadder<Format> {
  let chosen = 0;
  let proven = false;
  let isFollowed = false;
  let lowerUses = 0;
  const ignoredFor = new Set<string>();
  const at = (index: number): Format => formats[index] ?? formats[0];

  async function use<Result>(attempt: (format: Format) => Promise<Result>): Promise<Result> {
    if (lowerUses >= RETRIED_AFTER) startAt(0);
    // Another use may change the choice meanwhile; then this one says nothing about the new choice.
    const from = chosen;
    let rejection: RejectedRequestError | undefined;
    for (let index = from; index < formats.length; index += 1) {
      try {
        const result = await attempt(at(index));
        if (index > from && from === chosen) startAt(index);
        if (index === chosen) worked();
        return result;
      } catch (error) {
        // Servers word this fault in many ways, so until a format has worked once any rejection may be about it. If the
        // next format fails too, the input was at fault and nothing is learned.
        if (!(error instanceof RejectedRequestError) || (proven && !error.aboutFormat)) throw error;
        rejection ??= error;
      }
    }
    throw rejection;
  }

  function worked(): void {
    proven = true;
    if (chosen > 0) lowerUses += 1;
  }

  function startAt(index: number): void {
    [chosen, proven, isFollowed, lowerUses] = [index, false, false, 0];
    ignoredFor.clear();
  }

  return {
    current: () => at(chosen),
    use,
    followed(format): void {
      if (format === at(chosen)) isFollowed = true;
    },
    ignored(format, item): void {
      if (format !== at(chosen) || item === undefined || isFollowed) return;
      ignoredFor.add(item);
      if (ignoredFor.size >= MIN_IGNORED_ITEMS && chosen < formats.length - 1) startAt(chosen + 1);
    },
  };
}
