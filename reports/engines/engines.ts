/** Reports, each in a process of its own: what one does, takes or breaks is no other's. */
import { fileURLToPath } from 'node:url';
import { Registry } from 'prom-client';
import type { Logger } from '../../process/logger.ts';
import { sweepWorkDir } from '../../process/workDir.ts';
import type { Language, Report, ReportRequest, ReportSite } from '../request.ts';
import { OBEY_MS, OPEN_MS } from './engine.ts';
import { ReportsUnavailableError } from './errors.ts';
import { isTooMuch, meant, outcomeOf } from './meaning.ts';
import { createEngineMetrics, type EngineMetrics, type Outcome } from './metrics.ts';
import { Place } from './place.ts';
import type { Job } from './protocol.ts';
import type { ReportSettings } from './settings.ts';
import { Turns } from './turns.ts';

export interface RunReportOptions {
  language: Language;
  /** Of whoever waits for it: the report is given up when it aborts. */
  signal?: AbortSignal;
}

export interface ReportEngines {
  /**
   * Waits for an engine, runs the report, and when it takes too long once more on a tenth of the visitors.
   * @throws {ReportTimeoutError} the sample took too long as well
   * @throws {ReportsBusyError} no engine was free in time, or too many wait
   * @throws {ReportsUnavailableError} PostgreSQL or the lake is out of reach
   * @throws {ReportPatternError} a regular expression is too much for the engine
   * @throws {ReportTooLargeError} its rows have more text than may be told at once
   * @throws {ReportEngineDiedError} the engine's process was killed
   * @throws {ReportFailedError} a fault of ours
   */
  run(request: ReportRequest, site: ReportSite, options: RunReportOptions): Promise<Report>;
  /** Of `run`, whatever happens: to wait, to start an engine, to be made and killed, and all of that but the wait once more. */
  readonly longestSeconds: number;
  /** Ends the engines; reports in hand and those that wait fail. */
  close(): Promise<void>;
}

export interface EnginesExtra {
  registry?: Registry;
  /** File of an engine's process. */
  entry?: string;
  /** How long a report waits for an engine. */
  waitMs?: number;
  /** After which an engine without a report is ended; the first of those that people wait for stays. */
  idleMs?: number;
  /** Nobody waits for a report: no engine is started before one is needed, nor stays for the next. */
  isPatient?: boolean;
}

const ENTRY = fileURLToPath(new URL('child.ts', import.meta.url));
const WAIT_MS = 30_000;
const IDLE_MS = 5 * 60_000;

/** Starts one engine in the background, so that the first report finds it warm (unless nobody waits for it); others come when they are needed. */
export function createReportEngines(settings: ReportSettings, logger: Logger, extra: EnginesExtra = {}): ReportEngines {
  return new Engines(settings, logger, extra);
}

class Engines implements ReportEngines {
  readonly longestSeconds: number;
  readonly #settings: ReportSettings;
  readonly #logger: Logger;
  readonly #waitMs: number;
  readonly #turns: Turns;
  readonly #metrics: EngineMetrics;
  readonly #places: readonly Place[];
  readonly #closing = new AbortController();
  #isAway = false;

  constructor(
    settings: ReportSettings,
    logger: Logger,
    { registry = new Registry(), entry = ENTRY, waitMs = WAIT_MS, idleMs = IDLE_MS, isPatient = false }: EnginesExtra,
  ) {
    this.#settings = settings;
    this.#logger = logger;
    this.#waitMs = waitMs;
    this.#turns = new Turns(settings.engines);
    this.#metrics = createEngineMetrics(registry, this.#turns);
    this.#places = Array.from(
      { length: settings.engines },
      (_none, number) =>
        new Place(entry, settings.lake, () => this.#noteDeath(), number === 0 && !isPatient ? null : idleMs),
    );
    this.longestSeconds = settings.seconds + settings.sampleSeconds + (waitMs + 2 * (OPEN_MS + OBEY_MS)) / 1000;
    // What engines of killed processes left goes first.
    void sweepWorkDir(settings.lake.tempDir)
      .then(() => (isPatient ? undefined : this.#places[0]?.warm()))
      .catch((error: unknown) => this.#noteState(meant(error)));
  }

  async run(request: ReportRequest, site: ReportSite, { language, signal }: RunReportOptions): Promise<Report> {
    const started = performance.now();
    const { lateEventHours, audienceMinPeople } = this.#settings;
    let outcome: Outcome = 'failed';
    try {
      const report = await this.#make(
        { request, site, options: { language, sampled: false, lateEventHours, audienceMinPeople } },
        AbortSignal.any([this.#closing.signal, ...(signal === undefined ? [] : [signal])]),
      );
      outcome = report.sampled ? 'sampled' : 'whole';
      this.#noteState(null);
      return report;
    } catch (error) {
      outcome = signal?.aborted === true ? 'gone' : outcomeOf(error);
      if (outcome === 'unavailable') this.#noteState(error);
      throw error;
    } finally {
      this.#metrics.seconds.observe({ outcome }, (performance.now() - started) / 1000);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new ReportsUnavailableError('the process stops'));
    await Promise.all(this.#places.map((place) => place.close()));
  }

  /** In its turn. */
  async #make(job: Job, signal: AbortSignal): Promise<Report> {
    const { siteId, owner = siteId } = job.site;
    await this.#turns.enter({ siteId, owner }, this.#waitMs, signal);
    const place =
      this.#places.find(({ isFree, isWarm }) => isFree && isWarm) ?? this.#places.find(({ isFree }) => isFree);
    try {
      if (place === undefined) throw new Error('more reports run than there are engines');
      place.isFree = false;
      return await this.#makeAt(place, job, signal);
    } catch (error) {
      throw signal.aborted ? (signal.reason as Error) : meant(error);
    } finally {
      if (place !== undefined) place.isFree = true;
      this.#turns.leave({ siteId, owner });
    }
  }

  async #makeAt(place: Place, job: Job, signal: AbortSignal): Promise<Report> {
    const { seconds, sampleSeconds } = this.#settings;
    try {
      return await place.run(job, seconds, signal);
    } catch (error) {
      if (signal.aborted || !isTooMuch(error)) throw error;
    }
    return place.run({ ...job, options: { ...job.options, sampled: true } }, sampleSeconds, signal);
  }

  #noteDeath(): void {
    this.#metrics.deaths.inc();
    this.#logger.warn('the process of a report engine ended during a report; another takes its place');
  }

  /** Once a pause: whoever asks is told 503 each time. */
  #noteState(error: unknown): void {
    const wasAway = this.#isAway;
    this.#isAway = error instanceof ReportsUnavailableError && !this.#closing.signal.aborted;
    if (this.#isAway && !wasAway)
      this.#logger.warn({ err: error }, 'no reports can be made: what they are made of is out of reach');
  }
}
