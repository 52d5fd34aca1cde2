/** A bell for a polling loop: it sleeps until it is rung or its time is over. */
export class WakeUp {
  #rung = false;
  #wake: (() => void) | undefined;

  /** Ends the sleep in hand, or the next one at once. */
  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Resolves when rung (also when it was rung since the last sleep) or after `ms`. */
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
