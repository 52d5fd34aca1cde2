/** One engine: a process of its own with its own DuckDB, as its parent sees it. */
import { fork, type ChildProcess } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { MINIMAL_ENVIRONMENT } from '../../process/launcher.ts';
import type { LakeSettings } from '../lake/settings.ts';
import type { Report } from '../request.ts';
import { EngineFault } from './errors.ts';
import type { FromEngine, Job, ToEngine } from './protocol.ts';

/** After an interrupt; whoever does not obey by then is killed. */
export const OBEY_MS = 3_000;
/** Of the process, the extensions and the catalogue. */
export const OPEN_MS = 60_000;
/** JavaScript of an engine only carries rows; DuckDB's memory is not in the heap. */
const FLAGS = ['--disable-warning=ExperimentalWarning', '--max-old-space-size=512'];

/** How V8 ends a process whose heap is full. */
const HEAP_SIGNAL = 'SIGABRT';

type EndKind = 'died' | 'memory';

interface Pending {
  id: number;
  resolve(report: Report): void;
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
      env: environment(),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#ended = new Promise<void>((resolve) => {
      const end = (kind: EndKind, how: string): void => {
        this.#end(kind, how);
        resolve();
      };
      // A second one that nobody listens to would end this process.
      this.#child.on('error', (error) => end('died', error.message));
      this.#child.once('exit', (code, signal) =>
        end(signal === HEAP_SIGNAL ? 'memory' : 'died', signal ?? `exit code ${code}`),
      );
    });
    this.#child.on('message', (message: FromEngine) => this.#hear(message));
    this.#opened = this.#open(lake);
    // Whoever wants it opened asks for it; until then its failure is nobody's.
    this.#opened.catch(() => {});
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Its end was asked for: it says nothing of the report that it was at. */
  get wasClosed(): boolean {
    return this.#wasClosed;
  }

  /** Resolves once it can make reports. @throws {EngineFault} unavailable, with what is missing; it has ended then */
  opened(): Promise<void> {
    return this.#opened;
  }

  /**
   * One at a time.
   * @param signal ends it, as the time does
   * @throws {EngineFault} also `interrupted` when it took longer; the engine may have ended then
   */
  async run(job: Job, seconds: number, signal?: AbortSignal): Promise<Report> {
    signal?.throwIfAborted();
    if (!this.#isAlive) throw new EngineFault('died', 'the process of a report engine ended before its report began');
    const id = (this.#ids += 1);
    const answer = new Promise<Report>((resolve, reject) => (this.#pending = { id, resolve, reject }));
    let killing: NodeJS.Timeout | undefined;
    const interrupt = (): void => {
      if (killing !== undefined) return;
      this.#tell({ type: 'interrupt', id });
      killing = setTimeout(() => this.#kill(), OBEY_MS);
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

  /** Ends the process; a report in hand fails. */
  async close(): Promise<void> {
    if (!this.#isAlive) return;
    this.#wasClosed = true;
    this.#kill();
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
    // A process that is gone says so itself, by `exit`.
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  #hear(message: FromEngine): void {
    if (message.type === 'open' || message.type === 'refused' || message.id !== this.#pending?.id) return;
    if (message.type === 'done') this.#pending.resolve(message.report);
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

/** Nothing of the parent's, which holds keys to more than an engine needs; DuckDB's own folder of extensions is below the home. */
function environment(): NodeJS.ProcessEnv {
  // Of this process's version of Node, which is a folder below the one that is set.
  const compiled = getCompileCacheDir();
  return {
    ...MINIMAL_ENVIRONMENT,
    HOME: homedir(),
    ...(compiled !== undefined && { NODE_COMPILE_CACHE: dirname(compiled) }),
  };
}
