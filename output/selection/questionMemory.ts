/**
 * Limits the memory of the questions that are being read or are waiting for their answers, by the lengths of their
 * bodies.
 */
export class QuestionMemory {
  readonly #limit: number;
  #bytes = 0;

  /** @param limit maximum length of all bodies together, in bytes */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @returns false when the body does not fit, and nothing was taken */
  take(bytes: number): boolean {
    if (this.#bytes + bytes > this.#limit) return false;
    this.#bytes += bytes;
    return true;
  }

  /** Gives back what was taken. */
  release(bytes: number): void {
    this.#bytes -= bytes;
  }
}
