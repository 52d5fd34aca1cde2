/** Client of the selection process: every question has a deadline, and a missing answer is a valid result. */
import { Pool } from 'undici';
import { hash32 } from '../../../domain/hash32.ts';
import type { ShowRules } from '../../../domain/output/mayShow.ts';
import {
  SEARCH_PATH,
  SUGGEST_PATH,
  type SearchQuestion,
  type SearchReply,
  type SuggestQuestion,
  type SuggestReply,
} from '../../messages/searchMessages.ts';
import { RANK_PATH, writeQuestion, type RankAnswer, type RankQuestion } from '../../messages/selectionMessages.ts';

export interface SelectionClient {
  /**
   * Deadline of all questions of one request together; 0 means that nobody is asked, and every answer is a fallback.
   */
  deadlineMs: number;
  /**
   * @param msLeft remaining time of the deadline
   * @returns null when the process is unavailable, is loading the project, refuses, or takes longer; never throws
   */
  rank(question: RankQuestion, msLeft: number): Promise<RankAnswer | null>;
  /** Like {@link rank}. */
  search(question: SearchQuestion, msLeft: number): Promise<SearchReply | null>;
  /** Like {@link rank}. */
  suggest(question: SuggestQuestion, msLeft: number): Promise<SuggestReply | null>;
  close(): Promise<void>;
}

export interface SelectionClientSettings {
  /** Origins of the selection processes; each project is assigned to one of those that answer. */
  urls: readonly string[];
  deadlineMs: number;
}

const CONNECTIONS = 32;
/** More than any ranking takes; larger answers are not legitimate. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

export function createSelectionClient({ urls, deadlineMs }: SelectionClientSettings): SelectionClient {
  const pools = urls.map(
    (url) => new Pool(url, { connections: CONNECTIONS, pipelining: 1, maxResponseSize: MAX_ANSWER_BYTES }),
  );
  const asker =
    <Q extends { projectId: string; rules: ShowRules }, A>(path: string) =>
    async (question: Q, msLeft: number): Promise<A | null> => {
      const wait = Math.floor(msLeft);
      const pool = pools[urlIndexFor(question.projectId, urls)];
      if (wait <= 0 || !pool) return null;
      const body = writeQuestion({ ...question, msLeft: wait });
      return ask<A>(pool, { path, body, signal: AbortSignal.timeout(wait) }).catch(() => null);
    };
  return {
    deadlineMs,
    rank: asker(RANK_PATH),
    search: asker(SEARCH_PATH),
    suggest: asker(SUGGEST_PATH),
    async close() {
      await Promise.all(pools.map((pool) => pool.destroy()));
    },
  };
}

async function ask<A>(pool: Pool, request: { path: string; body: string; signal: AbortSignal }): Promise<A | null> {
  const answer = await pool.request({ method: 'POST', ...request });
  if (answer.statusCode !== 200) {
    await answer.body.dump();
    return null;
  }
  return (await answer.body.json()) as A;
}

/**
 * Rendezvous hashing (Thaler and Ravishankar, 1998): every API process chooses the same address, and adding or removing
 * one only moves the projects that it gains or loses.
 */
function urlIndexFor(projectId: string, urls: readonly string[]): number {
  const weights = urls.map((url) => hash32(`${url} ${projectId}`));
  return weights.indexOf(Math.max(...weights));
}
