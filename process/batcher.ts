/** Many small questions as few large ones: what comes in during one run goes out with the next. */

interface Entry<I, O> {
  input: I;
  resolve(output: O): void;
  reject(error: unknown): void;
}

/**
 * Runs one batch at a time. A lone input starts at once, so batching costs no waiting; under load the
 * batches grow by themselves.
 */
export class Batcher<I, O> {
  readonly #run: (inputs: readonly I[]) => Promise<readonly O[]>;
  readonly #maxSize: number;
  #waiting: Entry<I, O>[] = [];
  #running = false;

  /** @param run answers every input, in order; a throw fails all inputs of the batch */
  constructor(maxSize: number, run: (inputs: readonly I[]) => Promise<readonly O[]>) {
    this.#maxSize = maxSize;
    this.#run = run;
  }

  add(input: I): Promise<O> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ input, resolve, reject });
      if (!this.#running) void this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    this.#running = true;
    await Promise.resolve(); // inputs of the same moment go together
    while (this.#waiting.length > 0) await this.#runBatch(this.#waiting.splice(0, this.#maxSize));
    this.#running = false;
  }

  async #runBatch(batch: readonly Entry<I, O>[]): Promise<void> {
    try {
      const outputs = await this.#run(batch.map((entry) => entry.input));
      if (outputs.length !== batch.length) throw new Error(`${outputs.length} answers to ${batch.length} inputs`);
      outputs.forEach((output, index) => batch[index]?.resolve(output));
    } catch (error) {
      for (const entry of batch) entry.reject(error);
    }
  }
}
