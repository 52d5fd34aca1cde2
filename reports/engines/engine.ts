/** One engine: a child process with its own DuckDB, as seen by its parent. */
import { fork, type ChildProcess } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { MINIMAL_ENVIRONMENT } from '../../platform/process/decoders/decoderPrefix.ts';
import type { LakeSettings } from '../lake/lakeSettings.ts';
import type { Answer } from '../mapAndVisitQuestions.ts';
import { EngineFault } from './errors.ts';
import type { Job } from '../job.ts';
import type { FromEngine, ToEngine } from './protocol.ts';

/** Time to stop after an interrupt; an engine that is still running then is killed. */
export const INTERRUPT_GRACE_MS = 3_000;
/** Time to open the process, the extensions and the catalogue. */
export const OPEN_MS = 60_000;
/** JavaScript in an engine only transfers rows; DuckDB's memory is outside the heap. */
const FLAGS = ['--disable-warning=ExperimentalWarning', '--max-old-space-size=512'];

/** The signal with which V8 ends a process whose heap is full. */
const HEAP_SIGNAL = 'SIGABRT';

type EndKind = 'died' | 'memory';

interface Pending {
  id: number;
  resolve(answer: Answer): void;
  reject(fault: EngineFault): void;
}

export class Engine {
  readonly #child: ChildProcess;
  readonly #opened: Promise<void>;
  readonly #ended: Promise<void>;
  #pending: Pending | null = null;
  #ids = 0;
  #isAlive = true;
  #wasClosed = false;

  /** @param entry file of the process */
  constructor(entry: string, lake: LakeSettings) {
    this.#child = fork(entry, [], {
      execArgv: FLAGS,
      env: environmentOf(lake),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#ended = new Promise<void>((resolve) => {
      const end = (kind: EndKind, how: string): void => {
        this.#end(kind, how);
        resolve();
      };
      // A second `error` event without a listener would end this process.
      this.#child.on('error', (error) => end('died', error.message));
      this.#child.once('exit', (code, signal) =>
        end(signal === HEAP_SIGNAL ? 'memory' : 'died', signal ?? `exit code ${code}`),
      );
    });
    this.#child.on('message', (message: FromEngine) => this.#onMessage(message));
    this.#opened = this.#open(lake);
    // A caller that needs the engine awaits `opened()`; until then a failure must not be an unhandled rejection.
    this.#opened.catch(() => {});
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Whether its end was requested; its end is then not the fault of the report in progress. */
  get wasClosed(): boolean {
    return this.#wasClosed;
  }

  /**
   * Resolves once it can run reports.
   * @throws {EngineFault} unavailable, with what is missing; the engine has ended then
   */
  opened(): Promise<void> {
    return this.#opened;
  }

  /**
   * Runs one job; only one may run at a time.
   * @param signal ends it, as the timeout does
   * @throws {EngineFault} also `interrupted` if it took longer; the engine may have ended then
   */
  async run(job: Job, seconds: number, signal?: AbortSignal): Promise<Answer> {
    signal?.throwIfAborted();
    if (!this.#isAlive) throw new EngineFault('died', 'the process of a report engine ended before its report began');
    const id = (this.#ids += 1);
    const answer = new Promise<Answer>((resolve, reject) => (this.#pending = { id, resolve, reject }));
    let killing: NodeJS.Timeout | undefined;
    const interrupt = (): void => {
      if (killing !== undefined) return;
      this.#tell({ type: 'interrupt', id });
      killing = setTimeout(() => this.#kill(), INTERRUPT_GRACE_MS);
    };
    const timer = setTimeout(interrupt, seconds * 1000);
    signal?.addEventListener('abort', interrupt, { once: true });
    this.#tell({ type: 'run', id, job });
    try {
      return await answer;
    } catch (error) {
      if (killing !== undefined && error instanceof EngineFault) throw new EngineFault('interrupted', error.message);
      throw error;
    } finally {
      clearTimeout(timer);
      clearTimeout(killing);
      signal?.removeEventListener('abort', interrupt);
      this.#pending = null;
    }
  }

  /** Ends the process, and waits until it writes no more files; a report in progress fails. */
  async close(): Promise<void> {
    if (this.#isAlive) {
      this.#wasClosed = true;
      this.#kill();
    }
    await this.#ended;
  }

  async #open(lake: LakeSettings): Promise<void> {
    const timer = setTimeout(() => this.#kill(), OPEN_MS);
    try {
      this.#tell({ type: 'open', lake });
      const message = await Promise.race([
        new Promise<FromEngine>((resolve) => this.#child.once('message', resolve)),
        this.#ended,
      ]);
      if (message?.type === 'open') return;
      this.#kill();
      await this.#ended;
      throw new EngineFault(
        'unavailable',
        message?.type === 'refused' ? message.message : 'the process of a report engine ended before it was ready',
      );
    } finally {
      clearTimeout(timer);
    }
  }

  #tell(message: ToEngine): void {
    // If the process has ended, its `exit` event reports that.
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  #onMessage(message: FromEngine): void {
    if (message.type === 'open' || message.type === 'refused' || message.id !== this.#pending?.id) return;
    if (message.type === 'done') this.#pending.resolve(message.answer);
    else this.#pending.reject(new EngineFault(message.kind, message.message));
  }

  #kill(): void {
    this.#isAlive = false;
    this.#child.kill('SIGKILL');
  }

  #end(kind: EndKind, how: string): void {
    this.#isAlive = false;
    this.#pending?.reject(new EngineFault(kind, `the process of a report engine ended: ${how}`));
  }
}

/**
 * Returns the environment of the engine. It omits the parent's, which holds keys that an engine does not need, except for
 * what the lake needs. DuckDB's folder of extensions is below the home directory.
 */
function environmentOf({ environment }: LakeSettings): NodeJS.ProcessEnv {
  // getCompileCacheDir returns the subfolder of this version of Node; the variable names its parent.
  const compiled = getCompileCacheDir();
  return {
    ...MINIMAL_ENVIRONMENT,
    HOME: homedir(),
    ...environment,
    ...(compiled !== undefined && { NODE_COMPILE_CACHE: dirname(compiled) }),
  };
}
