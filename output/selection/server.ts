/** The HTTP listener of the selection process; its only client is the API. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Logger } from '../../platform/process/logger.ts';
import type { Catalogues } from './upkeep/catalogues.ts';
import type { CatchUp } from './upkeep/catchUp.ts';
import type { RankOutcome } from './metrics.ts';
import type { ShowRules } from '../../domain/output/mayShow.ts';
import { SEARCH_PATH, SUGGEST_PATH, type SearchQuestion, type SuggestQuestion } from '../messages/searchMessages.ts';
import type { Prepared, Searcher } from '../search/searcher.ts';
import {
  RANK_PATH,
  readQuestion,
  type RankAnswer,
  type RankQuestion,
  type Timed,
} from '../messages/selectionMessages.ts';
import { rank } from './rank/rank.ts';
import { QuestionMemory } from './questionMemory.ts';
import { RankingTurns } from './rankingTurns.ts';

/**
 * Has room for 50,000 items that a person has met, with ids of 191 characters of four bytes, for the person's
 * exclusions and for the ids of a long session; larger bodies are not legitimate.
 */
const MAX_QUESTION_BYTES = 64 * 1024 * 1024;
/** Maximum number of waiting questions: more cannot be ranked before their deadlines. */
const MAX_WAITING = 64;
/**
 * Maximum total length of the bodies of all questions that are being read or are waiting. A body usually has a few KB.
 */
const MAX_HELD_BYTES = 256 * 1024 * 1024;

export interface SelectionServerDeps {
  catalogues: Catalogues;
  catchUp: Pick<CatchUp, 'prepare'>;
  searcher: Searcher;
  logger: Logger;
  /** Receives the outcome of each question and its duration in milliseconds. */
  onAnswer(outcome: RankOutcome, ms: number): void;
  /** Maximum number of waiting questions; further ones are refused at once. */
  maxWaiting?: number;
  /**
   * Maximum total length of the bodies of all questions that are being read or are waiting; further ones are refused at
   * once.
   */
  maxHeldBytes?: number;
}

interface Answering extends SelectionServerDeps {
  turns: RankingTurns;
  memory: QuestionMemory;
}

export function createSelectionServer(deps: SelectionServerDeps): Server {
  const turns = new RankingTurns(deps.maxWaiting ?? MAX_WAITING);
  const memory = new QuestionMemory(deps.maxHeldBytes ?? MAX_HELD_BYTES);
  return createServer((request, response) => {
    answer(request, response, { ...deps, turns, memory }).catch((error: unknown) => {
      deps.logger.warn({ err: error }, 'could not answer a question');
      response.destroy();
    });
  });
}

const STATUS: Readonly<Record<RankOutcome, number>> = {
  ranked: 200,
  loading: 503,
  too_large: 503,
  behind: 503,
  busy: 503,
  late: 503,
  gone: 503,
  refused: 400,
};

/** A parsed question: how long its sender waits for an answer, and how to prepare it. */
interface ParsedQuestion {
  msLeft: number;
  prepare(): Promise<Prepared<object>>;
}

/** @throws {SyntaxError | TypeError} for an invalid question */
type QuestionParser = (text: string) => ParsedQuestion;

function reading<Q extends { rules: ShowRules }>(
  prepare: (question: Timed<Q>) => Promise<Prepared<object>>,
): QuestionParser {
  return (text) => {
    const question = readQuestion<Q>(text);
    return { msLeft: question.msLeft, prepare: () => prepare(question) };
  };
}

/** Returns the parser for the questions of a path; null for an unknown path. */
function parserFor(
  path: string | undefined,
  { catalogues, catchUp, searcher }: SelectionServerDeps,
): QuestionParser | null {
  switch (path) {
    case RANK_PATH:
      return reading<RankQuestion>(async (question) => {
        await Promise.all([catalogues.prepare(question), catchUp.prepare(question)]);
        return { answer: () => rankIn(catalogues, question) };
      });
    case SEARCH_PATH:
      return reading<SearchQuestion>((question) => searcher.search(question));
    case SUGGEST_PATH:
      return reading<SuggestQuestion>((question) => searcher.suggest(question));
    default:
      return null;
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, deps: Answering): Promise<void> {
  const { onAnswer, memory } = deps;
  const read = parserFor(request.url, deps);
  if (request.method !== 'POST' || read === null) return void response.writeHead(404).end();
  const started = performance.now();
  const reply = (result: Result): void => {
    const outcome = typeof result === 'string' ? result : 'ranked';
    const body = typeof result === 'string' ? '' : JSON.stringify(result);
    response.writeHead(STATUS[outcome], { 'content-type': 'application/json' }).end(body);
    onAnswer(outcome, performance.now() - started);
  };
  const bytes = lengthOf(request);
  if (bytes > MAX_QUESTION_BYTES) return reply('refused');
  if (!memory.take(bytes)) return reply('busy');
  try {
    reply(await resultOf(request, read, deps));
  } finally {
    memory.release(bytes);
  }
}

/** An answer, or the reason why there is none. */
type Result = object | Exclude<RankOutcome, 'ranked'>;

async function resultOf(request: IncomingMessage, read: QuestionParser, { turns }: Answering): Promise<Result> {
  const started = performance.now();
  if (turns.isFull) return 'busy';
  const asking = await readAsking(request, read);
  if (asking === null) return 'refused';
  // Other questions may have arrived while this one was read.
  if (turns.isFull) return 'busy';
  const prepared = await asking.prepare();
  if (typeof prepared === 'string') return prepared;
  await turns.take();
  // Nothing can be written to a connection that the client has closed.
  if (!request.socket.writable) return 'gone';
  if (performance.now() - started >= asking.msLeft) return 'late';
  return prepared.answer();
}

/** Returns the length of a body; if it is not stated, the maximum length. */
function lengthOf({ headers }: IncomingMessage): number {
  const length = headers['content-length'];
  return length === undefined ? MAX_QUESTION_BYTES : Number(length);
}

function rankIn(catalogues: Catalogues, question: RankQuestion): RankAnswer | 'loading' | 'too_large' {
  const catalogue = catalogues.find(question.projectId);
  if (typeof catalogue === 'string') return catalogue;
  const filters = [...question.rules.filters, ...question.ordering.boosts.map(({ filter }) => filter)];
  if (catalogue.canFilterBy(filters)) return rank(catalogue, question);
  catalogues.readNewProperties(question.projectId);
  return 'loading';
}

/** Returns null for a body that is too large or not a valid question. */
async function readAsking(request: IncomingMessage, read: QuestionParser): Promise<ParsedQuestion | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MAX_QUESTION_BYTES) return null;
    parts.push(part);
  }
  try {
    return read(Buffer.concat(parts).toString());
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}
