/** Answers questions for maps of a page. */
import { SAMPLE_ONE_IN } from '../../domain/reports/visitorSample.ts';
import { compileClicks, compileScrolls, requestOf, type CompileContext, type Compiled } from '../compile/index.ts';
import type { RunOptions } from '../job.ts';
import type { Lake } from '../lake/index.ts';
import type { ClickMap, ClickedElement, PageQuestion, ScrollMap } from '../mapAndVisitQuestions.ts';
import type { ReportSite } from '../reportRequest.ts';
import { askLake, contextOf, readPostgres, withInterrupt } from './askLake.ts';

type Options = RunOptions & { signal?: AbortSignal };

/** Maximum number of characters of the selectors of one map; more than can occur. */
const MAX_CHARACTERS = 1_000_000;

/** @throws as runReport does */
export async function mapClicks(
  lake: Lake,
  question: PageQuestion,
  site: ReportSite,
  options: Options,
): Promise<ClickMap> {
  const compile = (context: CompileContext): Compiled => compileClicks(question, context);
  const row = await askOnce<{ views: number; clicks: number; elements: ClickedElement[] }>(
    lake,
    question,
    site,
    options,
    compile,
  );
  const times = options.sampled ? SAMPLE_ONE_IN : 1;
  return {
    views: row.views * times,
    clicks: row.clicks * times,
    elements: row.elements.map(({ selector, clicks, cells }) => ({
      selector,
      clicks: clicks * times,
      cells: cells.map((cell) => ({ ...cell, clicks: cell.clicks * times })),
    })),
    sampled: options.sampled,
  };
}

/** @throws as runReport does */
export async function mapScrolls(
  lake: Lake,
  question: PageQuestion,
  site: ReportSite,
  options: Options,
): Promise<ScrollMap> {
  const compile = (context: CompileContext): Compiled => compileScrolls(question, context);
  const row = await askOnce<{ views: number; reached: number[]; depth: number }>(
    lake,
    question,
    site,
    options,
    compile,
  );
  const times = options.sampled ? SAMPLE_ONE_IN : 1;
  return {
    views: row.views * times,
    reached: row.reached.map((views) => views * times),
    averageDepth: row.views === 0 ? 0 : row.depth / row.views,
    sampled: options.sampled,
  };
}

/** Runs a statement and returns its single row. */
async function askOnce<Row>(
  lake: Lake,
  question: PageQuestion,
  site: ReportSite,
  { signal, ...options }: Options,
  compile: (context: CompileContext) => Compiled,
): Promise<Row> {
  return withInterrupt(lake, signal, async (connection) => {
    const { fresh } = await readPostgres(lake, connection, requestOf(question), site, options, async () => {});
    const compiled = compile(contextOf(fresh, site, options));
    const [row] = await askLake<Row>(connection, fresh, compiled, { maxCharacters: MAX_CHARACTERS });
    if (row === undefined) throw new Error('a map has no row');
    return row;
  });
}
