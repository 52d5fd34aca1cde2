/** Workflow ids. They are idempotency keys, so they are built only here. */
import type { JobRef } from './jobs.ts';

/** Returns the id of the analysis of one item. */
export function itemWorkflowId(projectId: string, itemId: string): string {
  return `item/${projectId}/${itemId}`;
}

/** Returns the id of the retry workflow of one webhook delivery. */
export function deliveryWorkflowId(deliveryId: string): string {
  return `delivery/${deliveryId}`;
}

/** Returns the id of a job's workflow, such as `orders/<project>/<request>`. */
export function jobWorkflowId({ kind, projectId, entityId }: JobRef): string {
  return `${kind}/${projectId}/${entityId}`;
}

/** Returns the folder of all blobs of one medium, whichever attempt wrote them. */
export function mediumBlobsFolder(projectId: string, mediumId: string): string {
  return `media/${projectId}/${mediumId}`;
}

/**
 * Returns the folder of the blobs of one attempt to prepare a medium. Each attempt has its own, so that it never
 * overwrites files that readers still see or that another attempt wrote.
 */
export function attemptBlobFolder(projectId: string, mediumId: string, attemptId: string): string {
  return `${mediumBlobsFolder(projectId, mediumId)}/${attemptId}`;
}

/**
 * Returns the key of the chapters that a medium's container has, in the folder of the attempt that prepared it. No row
 * names this file. If it is missing from the folder, the container has no chapters.
 */
export function authoredChaptersKey(folder: string): string {
  return `${folder}/chapters.json`;
}

/** Returns the folder that holds the file of an import while it is needed. */
export function importBlobFolder(projectId: string, importId: string): string {
  return `imports/${projectId}/${importId}`;
}

/** Returns the id of the workflow that makes a site's exports, one after the other. */
export function exportsWorkflowId(siteId: string): string {
  return `exports/${siteId}`;
}

/** Returns the folder of all files of an export, whichever attempt wrote them. */
export function exportBlobFolder(siteId: string, exportId: string): string {
  return `exports/${siteId}/${exportId}`;
}

/** Returns the folder of the chunks of a session recording. */
export function recordingBlobFolder(siteId: string, recordingId: string): string {
  return `recordings/${siteId}/${recordingId}`;
}

/**
 * Returns the key of a chunk's blob. If a chunk is sent twice with different bytes, two blobs are stored; only one of
 * them is named by the chunk's row.
 */
export function recordingChunkKey(siteId: string, recordingId: string, seq: number, digest: string): string {
  return `${recordingBlobFolder(siteId, recordingId)}/${seq}-${digest}`;
}
