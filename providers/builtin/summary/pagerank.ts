/** PageRank (Brin & Page 1998) on a weighted undirected graph, as TextRank uses it. */

/** Neighbours and weights of each node, both directions listed. */
export type Graph = readonly { to: readonly number[]; weight: readonly number[] }[];

/** Damping and threshold of the TextRank paper; its graphs converge in 20–30 rounds. */
const DAMPING = 0.85;
const THRESHOLD = 1e-4;
const MAX_ROUNDS = 50;

/** Returns scores in node order, about 1 on average. Cost: rounds × edges. */
export function pageRank(graph: Graph): Float64Array {
  const totals = Float64Array.from(graph, (node) => node.weight.reduce((sum, weight) => sum + weight, 0));
  let scores = new Float64Array(graph.length).fill(1);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const next = nextRound(graph, totals, scores);
    const settled = next.every((score, node) => Math.abs(score - (scores[node] ?? 0)) < THRESHOLD);
    scores = next;
    if (settled) break;
  }
  return scores;
}

function nextRound(graph: Graph, totals: Float64Array, scores: Float64Array): Float64Array<ArrayBuffer> {
  const next = new Float64Array(graph.length);
  graph.forEach(({ to, weight }, node) => {
    let sum = 0;
    for (let edge = 0; edge < to.length; edge += 1) {
      const neighbour = to[edge] ?? 0;
      sum += ((weight[edge] ?? 0) / (totals[neighbour] || 1)) * (scores[neighbour] ?? 0);
    }
    next[node] = 1 - DAMPING + DAMPING * sum;
  });
  return next;
}
