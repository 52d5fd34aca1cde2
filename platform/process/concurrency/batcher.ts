/** Combines many small requests into few large ones: inputs that arrive during one run are sent with the next. */

interface Entry<I, O> {
  input: I;
  resolve(output: O): void;
  reject(error: unknown): void;
}

/**
 * Runs one batch at a time. A lone input starts at once, so batching costs no waiting; under load the batches grow.
 * Inputs of different queues take turns, one of each, so that a queue with thousands of inputs delays the others by at
 * most one batch.
 */
export class Batcher<I, O> {
  readonly #run: (inputs: readonly I[]) => Promise<readonly O[]>;
  readonly #maxSize: number;
  readonly #queueOf: (input: I) => string;
  /** In the order of their turns. None is empty. */
  readonly #queues = new Map<string, Entry<I, O>[]>();
  #running = false;

  /**
   * Creates a batcher.
   * @param run answers every input, in order; a throw fails all inputs of the batch
   * @param queueOf by default all inputs are in one queue, and go in the order of their arrival
   */
  constructor(
    maxSize: number,
    run: (inputs: readonly I[]) => Promise<readonly O[]>,
    queueOf: (input: I) => string = () => '',
  ) {
    this.#maxSize = maxSize;
    this.#run = run;
    this.#queueOf = queueOf;
  }

  add(input: I): Promise<O> {
    return new Promise((resolve, reject) => {
      const name = this.#queueOf(input);
      const queue = this.#queues.get(name) ?? [];
      queue.push({ input, resolve, reject });
      this.#queues.set(name, queue);
      if (!this.#running) void this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    this.#running = true;
    await Promise.resolve(); // inputs of the same moment go together
    while (this.#queues.size > 0) await this.#runBatch(this.#nextBatch());
    this.#running = false;
  }

  #nextBatch(): Entry<I, O>[] {
    const batch: Entry<I, O>[] = [];
    // A queue that moves to the end of the map gets its next turn in this same loop.
    for (const [name, queue] of this.#queues) {
      // A lone queue may take all the remaining places at once.
      batch.push(...queue.splice(0, this.#queues.size === 1 ? this.#maxSize - batch.length : 1));
      this.#queues.delete(name);
      if (queue.length > 0) this.#queues.set(name, queue);
      if (batch.length >= this.#maxSize) break;
    }
    return batch;
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
