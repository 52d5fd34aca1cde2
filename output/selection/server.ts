/** The listener of the selection process: it answers the API alone. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Logger } from '../../process/logger.ts';
import type { Catalogues } from './catalogues.ts';
import type { RankOutcome } from './metrics.ts';
import { RANK_PATH, readQuestion, type RankQuestion } from './messages.ts';

/** Exclusions of one person and the ids of a long session fit; what is larger is none of ours. */
const MAX_QUESTION_BYTES = 2 * 1024 * 1024;

export interface SelectionServerDeps {
  catalogues: Catalogues;
  logger: Logger;
  /** Told how long each answer took, milliseconds, and whether there was one. */
  onAnswer(outcome: RankOutcome, ms: number): void;
}

export function createSelectionServer(deps: SelectionServerDeps): Server {
  return createServer((request, response) => {
    answer(request, response, deps).catch((error: unknown) => {
      deps.logger.warn({ err: error }, 'a question could not be answered');
      response.destroy();
    });
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { catalogues, onAnswer }: SelectionServerDeps,
): Promise<void> {
  if (request.method !== 'POST' || request.url !== RANK_PATH) return void response.writeHead(404).end();
  const question = await readBody(request);
  const started = performance.now();
  const reply = (status: number, outcome: RankOutcome, body = ''): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    onAnswer(outcome, performance.now() - started);
  };
  if (question === null) return reply(400, 'refused');
  const catalogue = catalogues.find(question.projectId);
  if (catalogue === null) return reply(503, 'loading');
  reply(200, 'ranked', JSON.stringify(catalogue.rank(question)));
}

/** Null for what is too large or no JSON. */
async function readBody(request: IncomingMessage): Promise<RankQuestion | null> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MAX_QUESTION_BYTES) return null;
    parts.push(part);
  }
  try {
    return readQuestion(Buffer.concat(parts).toString());
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}
