/** Combines many small requests into few large ones: inputs that arrive during one run are sent with the next. */

interface Entry<I, O> {
  input: I;
  resolve(output: O): void;
  reject(error: unknown): void;
}

/**
 * Runs one batch at a time. A lone input starts at once, so batching costs no waiting; under load the batches grow.
 * Inputs of different lanes take turns, one of each, so that a lane with thousands of inputs delays the others by at
 * most one batch.
 */
export class Batcher<I, O> {
  readonly #run: (inputs: readonly I[]) => Promise<readonly O[]>;
  readonly #maxSize: number;
  readonly #laneOf: (input: I) => string;
  /** In the order of their turns. None is empty. */
  readonly #lanes = new Map<string, Entry<I, O>[]>();
  #running = false;

  /**
   * Creates a batcher.
   * @param run answers every input, in order; a throw fails all inputs of the batch
   * @param laneOf by default all inputs are in one lane, and go in the order of their arrival
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
    // A lane that moves to the end of the map gets its next turn in this same loop.
    for (const [name, lane] of this.#lanes) {
      // A lone lane may take all the remaining places at once.
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
