/** Reports each kind of fault once, with the shortest request that shows it. */
import type { Body, OutputAnswer } from './requests/asked.ts';
import type { FaultReport } from './client.ts';
import type { History } from './world/history.ts';
import { judgePage } from './rules/judge.ts';
import { shorten } from './requests/shorten.ts';
import { meantBy, type Surfaces } from './requests/surfaces.ts';
import type { Rulebook } from './world/world.ts';

interface Met {
  history: History;
  rulebook: Rulebook;
  surfaces: Surfaces;
}

/** Maximum number of kinds that are reported; one fault of the product causes many. */
const MOST = 20;
/** Maximum number of kinds whose request is shortened, which takes dozens of requests. */
const MAX_SHORTENED = 5;
/** Number of writes before the fault that are reported. */
const SHOWN_WRITES = 5;
const SHOWN_CHARACTERS = 300;

export class Faults {
  count = 0;
  readonly reports: string[] = [];
  readonly #kinds = new Set<string>();

  async take(seed: number, report: FaultReport, met: Met): Promise<void> {
    const { asked, mode, faults, door, page } = report;
    this.count += faults.length;
    const writes = met.history.log.slice(-SHOWN_WRITES).map((write) => write.slice(0, SHOWN_CHARACTERS));
    for (const { rule, detail } of faults) {
      const kind = `${asked.path.name} ${rule}`;
      if (this.#kinds.size >= MOST || this.#kinds.has(kind)) continue;
      this.#kinds.add(kind);
      const body =
        this.#kinds.size > MAX_SHORTENED
          ? asked.body
          : await shorten(asked.body, (shorter) => isStillBroken(report, rule, shorter, met));
      this.#tell(
        [
          `world ${seed}, ${asked.path.name} by ${door.name}, mode ${mode}, page ${page}: ${rule}: ${detail}`,
          `  request ${JSON.stringify(asked.body)}`,
          `  shortest ${JSON.stringify(body)}`,
          ...writes.map((write) => `  after ${write}`),
        ].join('\n'),
      );
    }
  }

  /** Also reports at once, because the following steps may take a long time, or never end. */
  #tell(report: string): void {
    this.reports.push(report);
    process.stderr.write(`${report}\n`);
  }
}

/**
 * Repeats the request for a first page. A fault that a write or a moment caused does not recur, and its request is
 * not shortened.
 */
async function isStillBroken(
  { asked, door }: FaultReport,
  rule: string,
  body: Body,
  { history, rulebook, surfaces }: Met,
): Promise<boolean> {
  const [from, askedAt] = [performance.now(), Date.now()];
  const got = await door.call('POST', asked.path.url, body);
  if (got.status !== 200 || !Array.isArray(got.body.items)) return false;
  const answer = got.body as OutputAnswer;
  const possible = history.possible(from, performance.now());
  const meant = meantBy(surfaces, { ...asked, body }, answer.recommendation_id);
  const page = { asked: meant, answer, possible, askedAt, earlier: [] };
  return judgePage(page, rulebook).some((fault) => fault.rule === rule);
}
