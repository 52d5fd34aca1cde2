/** Reports, each in a separate process, so that one report's work, memory and failures do not affect another. */
import { fileURLToPath } from 'node:url';
import { Registry } from 'prom-client';
import type { Logger } from '../../platform/process/logger.ts';
import { sweepWorkDir } from '../../platform/disk/workDir.ts';
import type { Job, JobOf } from '../job.ts';
import type { Answer, Answers, Kind, QuestionKind, Requests } from '../mapAndVisitQuestions.ts';
import type { Language } from '../../domain/language.ts';
import type { Report, ReportRequest, ReportSite } from '../reportRequest.ts';
import { INTERRUPT_GRACE_MS, OPEN_MS } from './engine.ts';
import { ReportsUnavailableError } from './errors.ts';
import { toReportError, outcomeOf } from './faultMeanings.ts';
import { createEngineMetrics, type EngineMetrics, type Outcome } from './engineMetrics.ts';
import { EngineSlot } from './engineSlot.ts';
import type { ReportSettings } from './engineSettings.ts';
import { ReportTurns, WAIT_MS } from './reportTurns.ts';
import { runOrSample } from './sampleIfTooMuch.ts';

export interface RunReportOptions {
  language: Language;
  /** Aborts when the caller no longer waits; the report is then cancelled. */
  signal?: AbortSignal;
}

export interface ReportEngines {
  /**
   * Waits for an engine and runs the report; if that takes too long, runs it once more on a tenth of the visitors.
   * @throws {ReportTimeoutError} the sample took too long as well
   * @throws {ReportsBusyError} no engine was free in time, or too many wait
   * @throws {ReportsUnavailableError} PostgreSQL or the lake is unreachable
   * @throws {ReportPatternError} a regular expression is too complex for the engine
   * @throws {ReportTooLargeError} its rows have more text than one response may hold
   * @throws {ReportEngineDiedError} the engine's process was killed
   * @throws {ReportFailedError} an internal error
   */
  run(request: ReportRequest, site: ReportSite, options: RunReportOptions): Promise<Report>;
  /** Answers another question, queued with the reports; it fails as `run` does. */
  ask<K extends QuestionKind>(
    kind: K,
    request: Requests[K],
    site: ReportSite,
    options?: Pick<RunReportOptions, 'signal'>,
  ): Promise<Answers[K]>;
  /**
   * Maximum duration of `run` in seconds: the wait, and then, for the report and again for its sample, the start of an
   * engine, the run and the kill.
   */
  readonly longestSeconds: number;
  /** Ends the engines; reports in progress and waiting ones fail. */
  close(): Promise<void>;
}

export interface EnginesExtra {
  registry?: Registry;
  /** File of an engine's process. */
  entry?: string;
  /** How long a report waits for an engine. */
  waitMs?: number;
  /** Idle time after which an engine is ended. The first engine stays if people wait for its reports. */
  idleMs?: number;
  /** True if nobody waits for a report: no engine is started in advance or kept for the next report. */
  isPatient?: boolean;
}

const ENTRY = fileURLToPath(new URL('child.ts', import.meta.url));
const IDLE_MS = 5 * 60_000;

/**
 * Creates the engines. One starts in the background, so that the first report finds it warm (unless `isPatient`); the
 * others start on demand.
 */
export function createReportEngines(settings: ReportSettings, logger: Logger, extra: EnginesExtra = {}): ReportEngines {
  return new Engines(settings, logger, extra);
}

class Engines implements ReportEngines {
  readonly longestSeconds: number;
  readonly #settings: ReportSettings;
  readonly #logger: Logger;
  readonly #waitMs: number;
  readonly #turns: ReportTurns;
  readonly #metrics: EngineMetrics;
  readonly #slots: readonly EngineSlot[];
  readonly #closing = new AbortController();
  #isUnavailable = false;

  constructor(
    settings: ReportSettings,
    logger: Logger,
    { registry = new Registry(), entry = ENTRY, waitMs = WAIT_MS, idleMs = IDLE_MS, isPatient = false }: EnginesExtra,
  ) {
    this.#settings = settings;
    this.#logger = logger;
    this.#waitMs = waitMs;
    this.#turns = new ReportTurns(settings.engines);
    this.#metrics = createEngineMetrics(registry, this.#turns);
    this.#slots = Array.from(
      { length: settings.engines },
      (_none, number) =>
        new EngineSlot(entry, settings.lake, () => this.#recordDeath(), number === 0 && !isPatient ? null : idleMs),
    );
    this.longestSeconds =
      settings.seconds + settings.sampleSeconds + (waitMs + 2 * (OPEN_MS + INTERRUPT_GRACE_MS)) / 1000;
    // Files left by engines of killed processes are removed first.
    void sweepWorkDir(settings.lake.tempDir)
      .then(() => (isPatient ? undefined : this.#slots[0]?.warm()))
      .catch((error: unknown) => this.#recordState(toReportError(error)));
  }

  async run(request: ReportRequest, site: ReportSite, { language, signal }: RunReportOptions): Promise<Report> {
    return this.#answer({ kind: 'report', request, site, options: this.#optionsIn(language) }, signal);
  }

  async ask<K extends QuestionKind>(
    kind: K,
    request: Requests[K],
    site: ReportSite,
    { signal }: Pick<RunReportOptions, 'signal'> = {},
  ): Promise<Answers[K]> {
    // The answer has no texts, so any language will do.
    return this.#answer({ kind, request, site, options: this.#optionsIn('en') }, signal);
  }

  #optionsIn(language: Language): Job['options'] {
    const { lateEventHours, audienceMinPeople } = this.#settings;
    return { language, sampled: false, lateEventHours, audienceMinPeople };
  }

  async #answer<K extends Kind>(job: JobOf<K>, signal: AbortSignal | undefined): Promise<Answers[K]> {
    const started = performance.now();
    let outcome: Outcome = 'failed';
    try {
      const answer = await this.#make(
        // The compiler does not see that a kind and its request belong together.
        job as Job,
        AbortSignal.any([this.#closing.signal, ...(signal === undefined ? [] : [signal])]),
      );
      outcome = answer.sampled ? 'sampled' : 'whole';
      this.#recordState(null);
      // An engine answers the question that it was asked.
      return answer as Answers[K];
    } catch (error) {
      outcome = signal?.aborted === true ? 'gone' : outcomeOf(error);
      if (outcome === 'unavailable') this.#recordState(error);
      throw error;
    } finally {
      this.#metrics.seconds.observe({ outcome }, (performance.now() - started) / 1000);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new ReportsUnavailableError('the process is stopping'));
    await Promise.all(this.#slots.map((slot) => slot.close()));
  }

  /** Runs a job when its turn comes. */
  async #make(job: Job, signal: AbortSignal): Promise<Answer> {
    const { siteId, owner = siteId } = job.site;
    await this.#turns.enter({ siteId, owner }, this.#waitMs, signal);
    const slot = this.#slots.find(({ isFree, isWarm }) => isFree && isWarm) ?? this.#slots.find(({ isFree }) => isFree);
    try {
      if (slot === undefined) throw new Error('more reports are running than there are engines');
      slot.isFree = false;
      return await runOrSample(slot, job, this.#settings, signal);
    } catch (error) {
      throw signal.aborted ? (signal.reason as Error) : toReportError(error);
    } finally {
      if (slot !== undefined) slot.isFree = true;
      this.#turns.leave({ siteId, owner });
    }
  }

  #recordDeath(): void {
    this.#metrics.deaths.inc();
    this.#logger.warn('the process of a report engine ended during a report; another takes its place');
  }

  /** Logs the state only when it changes: every request gets a 503 while it lasts. */
  #recordState(error: unknown): void {
    const wasAway = this.#isUnavailable;
    this.#isUnavailable = error instanceof ReportsUnavailableError && !this.#closing.signal.aborted;
    if (this.#isUnavailable && !wasAway)
      this.#logger.warn({ err: error }, 'reports cannot be run: the lake or its catalogue is unreachable');
  }
}
