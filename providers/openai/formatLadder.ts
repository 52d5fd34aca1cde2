/**
 * Learns from a server's answers which of several answer formats it supports, and remembers it for the life of the
 * provider. The model's name gives only the first guess; the server's behaviour decides.
 */
import { RejectedRequestError } from './errors.ts';

export interface FormatLadder<Format> {
  current(): Format;
  /** Tries formats from the remembered one down; the first that works is remembered. */
  use<Result>(attempt: (format: Format) => Promise<Result>): Promise<Result>;
  /** Records that the server accepted the format but ignored it: the next use starts one lower. */
  demote(): void;
}

/** @param formats best first */
export function createFormatLadder<Format>(formats: readonly [Format, ...Format[]]): FormatLadder<Format> {
  let chosen = 0;
  let proven = false;
  const at = (index: number): Format => formats[index] ?? formats[0];

  async function use<Result>(attempt: (format: Format) => Promise<Result>): Promise<Result> {
    let rejection: RejectedRequestError | undefined;
    for (let index = chosen; index < formats.length; index += 1) {
      try {
        const result = await attempt(at(index));
        if (index >= chosen) [chosen, proven] = [index, true];
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

  return {
    current: () => at(chosen),
    use,
    demote(): void {
      if (chosen < formats.length - 1) [chosen, proven] = [chosen + 1, false];
    },
  };
}
