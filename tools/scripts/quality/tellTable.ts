/** Prints results as a table. */
import { meanOf, type RankingQuality } from '../../../output/training/evaluate/rankingQuality.ts';

/** @param results what each ranking found, by case */
export function tellTable(results: readonly { name: string; found: readonly RankingQuality[] }[]): void {
  const rows = results.map(({ name, found }) => {
    const { ndcg, recall } = meanOf(found);
    return [name, { 'nDCG@10': ndcg.toFixed(4), 'recall@10': recall.toFixed(4) }] as const;
  });
  console.table(Object.fromEntries(rows));
}
