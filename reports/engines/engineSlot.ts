/**
 * A slot for one report at a time: its engine is started on demand and replaced after it has ended. engine.ts kills one
 * that does not stop.
 */
import { sweepWorkDir } from '../../platform/disk/workDir.ts';
import type { LakeSettings } from '../lake/lakeSettings.ts';
import type { Answer } from '../mapAndVisitQuestions.ts';
import { Engine } from './engine.ts';
import { EngineFault } from './errors.ts';
import type { Job } from '../job.ts';

export class EngineSlot {
  readonly #entry: string;
  readonly #lake: LakeSettings;
  readonly #onDeath: () => void;
  readonly #idleMs: number | null;
  #engine: Engine | null = null;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;
  isFree = true;

  /**
   * @param onDeath called when an engine ended during a report, except after `close`
   * @param idleMs idle time after which the engine is ended to free its memory; null: never
   */
  constructor(entry: string, lake: LakeSettings, onDeath: () => void, idleMs: number | null) {
    this.#idleMs = idleMs;
    this.#entry = entry;
    this.#lake = lake;
    this.#onDeath = onDeath;
  }

  get isWarm(): boolean {
    return this.#engine?.isAlive === true;
  }

  get pid(): number | undefined {
    return this.#engine?.pid;
  }

  /**
   * Starts the engine if there is none.
   * @throws {EngineFault} also if the slot is closed
   */
  async warm(): Promise<Engine> {
    if (this.#isClosed) throw new EngineFault('unavailable', 'the process is stopping');
    const engine = this.isWarm && this.#engine ? this.#engine : new Engine(this.#entry, this.#lake);
    this.#engine = engine;
    try {
      await engine.opened();
    } catch (error) {
      // The engine may have created its folder by then.
      await sweepWorkDir(this.#lake.tempDir);
      throw error;
    }
    return engine;
  }

  /**
   * Runs a job.
   * @throws {EngineFault}
   */
  async run(job: Job, seconds: number, signal?: AbortSignal): Promise<Answer> {
    clearTimeout(this.#idle);
    try {
      return await this.#run(job, seconds, signal);
    } finally {
      if (this.#idleMs !== null && !this.#isClosed) this.#idle = setTimeout(() => this.#rest(), this.#idleMs).unref();
    }
  }

  /** Ends the idle engine. Nobody waits for it: what it could not remove, the next sweep will. */
  #rest(): void {
    this.#clear().catch(() => {});
  }

  /** Closes the slot permanently. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#clear();
  }

  async #clear(): Promise<void> {
    clearTimeout(this.#idle);
    const engine = this.#engine;
    this.#engine = null;
    if (engine === null) return;
    await engine.close();
    await sweepWorkDir(this.#lake.tempDir);
  }

  async #run(job: Job, seconds: number, signal?: AbortSignal): Promise<Answer> {
    signal?.throwIfAborted();
    const engine = await orGone(this.warm(), signal);
    try {
      return await engine.run(job, seconds, signal);
    } finally {
      if (!engine.isAlive) await this.#discard(engine);
    }
  }

  async #discard(engine: Engine): Promise<void> {
    if (!engine.wasClosed) this.#onDeath();
    await engine.close();
    await sweepWorkDir(this.#lake.tempDir);
  }
}

/** Stops waiting for an engine to start when the signal aborts; the engine starts all the same. */
async function orGone<T>(starting: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return starting;
  const gone = Promise.withResolvers<never>();
  const leave = (): void => gone.reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([starting, gone.promise]);
  } finally {
    signal.removeEventListener('abort', leave);
    starting.catch(() => {});
  }
}
