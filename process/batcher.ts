/** Many small questions as few large ones: what comes in during one run goes out with the next. */

interface Entry<I, O> {
  input: I;
  resolve(output: O): void;
  reject(error: unknown): void;
}

/**
 * Runs one batch at a time. A lone input starts at once, so batching costs no waiting; under load the
 * batches grow by themselves. Inputs of different lanes go in turn, one of each, so that a lane with
 * thousands of inputs delays the others by a batch at most.
 */
export class Batcher<I, O> {
  readonly #run: (inputs: readonly I[]) => Promise<readonly O[]>;
  readonly #maxSize: number;
  readonly #laneOf: (input: I) => string;
  /** In the order in which it is their turn. None is empty. */
  readonly #lanes = new Map<string, Entry<I, O>[]>();
  #running = false;

  /**
   * @param run answers every input, in order; a throw fails all inputs of the batch
   * @param laneOf all inputs are of one lane when it is left out, and go in the order of their coming
   */
  constructor(
    maxSize: number,
    run: (inputs: readonly I[]) => Promise<readonly O[]>,
    laneOf: (input: I) => string = () => '',
  ) {
    this.#maxSize = maxSize;
    this.#run = run;
    this.#laneOf = laneOf;
  }

  add(input: I): Promise<O> {
    return new Promise((resolve, reject) => {
      const name = this.#laneOf(input);
      const lane = this.#lanes.get(name) ?? [];
      lane.push({ input, resolve, reject });
      this.#lanes.set(name, lane);
      if (!this.#running) void this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    this.#running = true;
    await Promise.resolve(); // inputs of the same moment go together
    while (this.#lanes.size > 0) await this.#runBatch(this.#nextBatch());
    this.#running = false;
  }

  #nextBatch(): Entry<I, O>[] {
    const batch: Entry<I, O>[] = [];
    // A lane that goes to the end of the map has its next turn in this very loop.
    for (const [name, lane] of this.#lanes) {
      // Alone it may take all that is left at once.
      batch.push(...lane.splice(0, this.#lanes.size === 1 ? this.#maxSize - batch.length : 1));
      this.#lanes.delete(name);
      if (lane.length > 0) this.#lanes.set(name, lane);
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
