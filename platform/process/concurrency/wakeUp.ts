/** A bell for a polling loop, which sleeps until it is rung or its time has passed. */
export class WakeUp {
  #rung = false;
  #wake: (() => void) | undefined;

  /** Ends the current sleep, or the next one at once. */
  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Resolves when rung (including since the last sleep) or after `ms`. */
  async sleep(ms: number): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#rung = false;
    this.#wake = undefined;
  }
}
