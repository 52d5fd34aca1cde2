/** Models of what people meet together: their states, and why one is not published. */

/** `full`: of everything. `changes`: the published one, with the columns that have changed solved again. */
export const MODEL_KINDS = ['full', 'changes'] as const;
export type ModelKind = (typeof MODEL_KINDS)[number];

export const MODEL_STATES = ['training', 'published', 'rejected', 'failed'] as const;
export type ModelState = (typeof MODEL_STATES)[number];

/**
 * Why a model was not published. `too_little_data`: nothing to learn from, or nobody to try it on. `below_popularity`:
 * popularity alone finds as much of what people met in the last window. `internal`: the training itself failed.
 */
export const MODEL_REASONS = ['too_little_data', 'below_popularity', 'internal'] as const;
export type ModelReason = (typeof MODEL_REASONS)[number];

/** On the last window; null while nobody could be tried. */
export interface ModelQuality {
  /** nDCG@10, from 0 to 1. */
  ndcg: number;
  /** recall@10, from 0 to 1. */
  recall: number;
  /** nDCG@10 of the items that most people met in the seven days before the window. */
  popular_7d: number;
}

/** Where everything lies that one model consists of. */
export function modelBlobFolder(projectId: string, modelId: string): string {
  return `models/${projectId}/${modelId}`;
}

export function modelBlobKey(projectId: string, modelId: string): string {
  return `${modelBlobFolder(projectId, modelId)}/model`;
}

/** Where a training keeps what it has done so far; everything in it goes with its end. */
export function trainingBlobFolder(projectId: string, modelId: string): string {
  return `training/${projectId}/${modelId}`;
}
