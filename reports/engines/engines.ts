/** Reports, each in a process of its own: what one does, takes or breaks is no other's. */
import { fileURLToPath } from 'node:url';
import { Registry } from 'prom-client';
import type { Logger } from '../../process/logger.ts';
import { sweepWorkDir } from '../../process/workDir.ts';
import type { Language, Report, ReportRequest, ReportSite } from '../request.ts';
import { EngineFault, ReportFailedError, ReportPatternError, ReportsBusyError, ReportsUnavailableError, ReportTimeoutError, type FaultKind } from './errors.ts';
import { OBEY_MS, OPEN_MS } from './engine.ts';
import { createEngineMetrics, type Outcome } from './metrics.ts';
import { Place } from './place.ts';
import type { Job } from './protocol.ts';
import type { ReportSettings } from './settings.ts';
import { Turns } from './turns.ts';

export interface RunReportOptions {
  language: Language;
  /** Instead of the request's limit: for exports, which have more rows than an answer. */
  rows?: number;
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
   * @throws {ReportFailedError} a fault of ours, or the engine's process was killed
   */
  run(request: ReportRequest, site: ReportSite, options: RunReportOptions): Promise<Report>;
  /** Of `run`, whatever happens: to wait, to start an engine, to be made, interrupted and made again. */
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
  /** After which an engine without a report is ended; the first stays. */
  idleMs?: number;
}

const ENTRY = fileURLToPath(new URL('child.ts', import.meta.url));
const WAIT_MS = 30_000;
const IDLE_MS = 5 * 60_000;

/** Starts one engine in the background, so that the first report finds it warm; others come when they are needed. */
export function createReportEngines(settings: ReportSettings, logger: Logger, extra: EnginesExtra = {}): ReportEngines {
  const turns = new Turns(settings.engines);
  const metrics = createEngineMetrics(extra.registry ?? new Registry(), turns);
  const closing = new AbortController();
  const waitMs = extra.waitMs ?? WAIT_MS;
  let isAway = false;
  const onDeath = (): void => {
    metrics.deaths.inc();
    if (!closing.signal.aborted) logger.warn('the process of a report engine ended during a report; another takes its place');
  };
  const places = Array.from({ length: settings.engines }, (_none, number) => new Place(extra.entry ?? ENTRY, settings.lake, onDeath, number === 0 ? null : (extra.idleMs ?? IDLE_MS)));

  const makeAt = async (place: Place, job: Job, signal: AbortSignal): Promise<Report> => {
    try {
      return await place.run(job, settings.seconds, signal);
    } catch (error) {
      if (signal.aborted || !isTooMuch(error)) throw error;
    }
    return place.run({ ...job, options: { ...job.options, sampled: true } }, settings.sampleSeconds, signal);
  };

  const make = async (job: Job, signal: AbortSignal): Promise<Report> => {
    await turns.enter(job.site.siteId, waitMs, signal);
    const place = places.find(({ isFree, isWarm }) => isFree && isWarm) ?? places.find(({ isFree }) => isFree);
    try {
      if (place === undefined) throw new Error('more reports run than there are engines');
      place.isFree = false;
      return await makeAt(place, job, signal);
    } catch (error) {
      throw signal.aborted ? (signal.reason as Error) : meant(error);
    } finally {
      if (place !== undefined) place.isFree = true;
      turns.leave(job.site.siteId);
    }
  };

  /** Once a pause: whoever asks is told 503 each time. */
  const noteState = (error: unknown): void => {
    const wasAway = isAway;
    isAway = error instanceof ReportsUnavailableError && !closing.signal.aborted;
    if (isAway && !wasAway) logger.warn({ err: error }, 'no reports can be made: what they are made of is out of reach');
  };

  // What engines of killed processes left goes first.
  void sweepWorkDir(settings.lake.tempDir).then(() => places[0]?.warm()).catch((error: unknown) => noteState(meant(error)));

  return {
    longestSeconds: settings.seconds + settings.sampleSeconds + (waitMs + OPEN_MS + 2 * OBEY_MS) / 1000,
    async run(request, site, { language, rows, signal }) {
      const started = performance.now();
      const options = { language, sampled: false, lateEventHours: settings.lateEventHours, audienceMinPeople: settings.audienceMinPeople };
      const job: Job = { request: rows === undefined ? request : { ...request, limit: rows }, site, options };
      let outcome: Outcome = 'failed';
      try {
        const report = await make(job, AbortSignal.any([closing.signal, ...(signal === undefined ? [] : [signal])]));
        outcome = report.sampled ? 'sampled' : 'whole';
        noteState(null);
        return report;
      } catch (error) {
        outcome = signal?.aborted === true ? 'gone' : outcomeOf(error);
        if (outcome === 'unavailable') noteState(error);
        throw error;
      } finally {
        metrics.seconds.observe({ outcome }, (performance.now() - started) / 1000);
      }
    },
    async close() {
      closing.abort(new ReportsUnavailableError('the process stops'));
      await Promise.all(places.map((place) => place.close()));
    },
  };
}

function isTooMuch(error: unknown): boolean {
  return error instanceof EngineFault && (error.kind === 'interrupted' || error.kind === 'memory');
}

/** What the fault of an engine is to whoever asked for a report. */
const MEANINGS: Readonly<Record<FaultKind, new (message: string) => Error>> = {
  interrupted: ReportTimeoutError, memory: ReportTimeoutError, unavailable: ReportsUnavailableError, pattern: ReportPatternError,
  died: ReportFailedError, failed: ReportFailedError,
};

function meant(error: unknown): unknown {
  return error instanceof EngineFault ? new MEANINGS[error.kind](error.message) : error;
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof ReportTimeoutError) return 'timeout';
  if (error instanceof ReportsBusyError) return 'busy';
  if (error instanceof ReportsUnavailableError) return 'unavailable';
  return error instanceof ReportPatternError ? 'pattern' : 'failed';
}
