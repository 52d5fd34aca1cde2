/**
 * Models that learn which items are seen by the same people: their states, and the reasons why one is not published.
 */

/** `full`: trained on everything. `changes`: the published model, with its changed columns solved again. */
export const MODEL_KINDS = ['full', 'changes'] as const;
export type ModelKind = (typeof MODEL_KINDS)[number];

export const MODEL_STATES = ['training', 'published', 'rejected', 'failed'] as const;
export type ModelState = (typeof MODEL_STATES)[number];

/**
 * Why a model was not published. `too_little_data`: nothing to learn from, or nobody to test it on. `below_popularity`:
 * popularity alone predicts what people meet next at least as well as the model. `internal`: the training itself
 * failed.
 */
export const MODEL_REASONS = ['too_little_data', 'below_popularity', 'internal'] as const;
export type ModelReason = (typeof MODEL_REASONS)[number];

/**
 * Quality on the last window or, if fewer than 20 people came back in it, on each person's last new item
 * (output/training/evaluate/evaluationWindow.ts). Null while there was nobody to test it on.
 */
export interface ModelQuality {
  /** nDCG@10, from 0 to 1. */
  ndcg: number;
  /** recall@10, from 0 to 1. */
  recall: number;
  /**
   * nDCG@10 of the most popular items of the seven days before the window, or of the last seven days if there is no
   * window.
   */
  popular_7d: number;
}

/** Returns the folder of the files of one model. */
export function modelBlobFolder(projectId: string, modelId: string): string {
  return `models/${projectId}/${modelId}`;
}

/** Returns the key of a model's file. The file of a rejected training contains only what is ordered together. */
export function modelBlobKey(projectId: string, modelId: string): string {
  return `${modelBlobFolder(projectId, modelId)}/model`;
}

/** Returns the folder of a training's intermediate results; they are deleted when it ends. */
export function trainingBlobFolder(projectId: string, modelId: string): string {
  return `training/${projectId}/${modelId}`;
}
