/** From what might be shown to what may: candidates by rank, judged by the tables as they are now. */
import type pg from 'pg';
import { readCatalogueItems, type CatalogueItem } from '../../db/output/catalogue.ts';
import { readSeenItems } from '../../db/output/person.ts';
import { readItemVectors } from '../../db/output/itemVectors.ts';
import { mayShow, type ShowRules } from '../../domain/output/rules.ts';
import { isSuppressed } from '../../domain/output/vectors.ts';
import { judgedItem } from '../judged.ts';

export interface Candidate {
  id: string;
  score: number;
  /** The subject that brought it here; null for what is popular or new. */
  because: string | null;
}

/** A candidate that may be shown, with its item as it is. */
export interface Finalist extends Candidate {
  item: CatalogueItem;
}

export interface Judging {
  pool: pg.Pool;
  projectId: string;
  rules: ShowRules;
  /** Items whose like is not wanted for a while. */
  suppressed: readonly string[];
  /** Of these nothing comes: what earlier pages have shown. */
  passedOver: ReadonlySet<string>;
  /** The identities whose history counts as seen; empty when seen items may come. */
  seenBy: readonly string[];
}

/** Candidates that are read at a time: most pass, so that one round fills most pages. */
const ROUND_FACTOR = 3;
const ROUND_MIN = 30;

/**
 * The first candidates that the rules allow, in their order.
 * @throws when the database does not answer: without it no rule can be checked
 */
export async function takeFinalists(
  candidates: readonly Candidate[],
  limit: number,
  judging: Judging,
): Promise<Finalist[]> {
  const finalists: Finalist[] = [];
  const size = Math.max(ROUND_MIN, limit * ROUND_FACTOR);
  for (let at = 0; at < candidates.length && finalists.length < limit; at += size)
    finalists.push(...(await judge(candidates.slice(at, at + size), judging)));
  return finalists.slice(0, limit);
}

async function judge(candidates: readonly Candidate[], judging: Judging): Promise<Finalist[]> {
  const { pool, projectId, rules, passedOver, seenBy } = judging;
  const fresh = candidates.filter(({ id }) => !passedOver.has(id) && !rules.excludedItems.has(id));
  const ids = fresh.map(({ id }) => id);
  const [items, seen] = await Promise.all([
    readCatalogueItems(pool, projectId, ids),
    readSeenItems(pool, projectId, seenBy, ids),
  ]);
  const allowed = fresh.flatMap((candidate) => {
    const item = items.get(candidate.id);
    return item && !seen.has(item.id) && mayShow(judgedItem(item), rules) ? [{ ...candidate, item }] : [];
  });
  return judging.suppressed.length > 0 ? withoutSuppressed(allowed, judging) : allowed;
}

async function withoutSuppressed(
  finalists: readonly Finalist[],
  { pool, projectId, suppressed }: Judging,
): Promise<Finalist[]> {
  const places = await readItemVectors(pool, projectId, [...suppressed, ...finalists.map(({ id }) => id)]);
  const shunned = suppressed.flatMap((id) => places.get(id) ?? []);
  return finalists.filter(({ id }) => {
    const placed = places.get(id);
    return !placed || !isSuppressed(placed, shunned);
  });
}
