/** Workflow ids. They are idempotency keys, so they are built here and nowhere else. */
import type { JobRef } from './jobs.ts';

/** The analysis of one item. */
export function itemWorkflowId(projectId: string, itemId: string): string {
  return `item/${projectId}/${itemId}`;
}

/** The retry lane of one webhook delivery. */
export function deliveryWorkflowId(deliveryId: string): string {
  return `delivery/${deliveryId}`;
}

/** A job's workflow, such as `orders/<project>/<request>`. */
export function jobWorkflowId({ kind, projectId, entityId }: JobRef): string {
  return `${kind}/${projectId}/${entityId}`;
}

/** Where every blob of one medium lies, whichever attempt wrote it. */
export function mediumBlobs(projectId: string, mediumId: string): string {
  return `media/${projectId}/${mediumId}`;
}

/**
 * Where one attempt to prepare a medium puts its blobs. Each has a folder of its own, so that it
 * writes beside what readers still see and never over another attempt's files.
 */
export function mediumBlobFolder(projectId: string, mediumId: string, attemptId: string): string {
  return `${mediumBlobs(projectId, mediumId)}/${attemptId}`;
}

/** Where the file of an import lies until it is no longer of use. */
export function importBlobFolder(projectId: string, importId: string): string {
  return `imports/${projectId}/${importId}`;
}

/** The making of a site's exports, one after the other. */
export function exportsWorkflowId(siteId: string): string {
  return `exports/${siteId}`;
}

/** Where every file of an export lies, whichever attempt wrote it. */
export function exportBlobFolder(siteId: string, exportId: string): string {
  return `exports/${siteId}/${exportId}`;
}

/** Where the chunks of a session recording lie. */
export function recordingBlobFolder(siteId: string, recordingId: string): string {
  return `recordings/${siteId}/${recordingId}`;
}

/** A chunk's blob: sent twice with other bytes, it is two blobs, of which one is the chunk. */
export function recordingChunkKey(siteId: string, recordingId: string, seq: number, digest: string): string {
  return `${recordingBlobFolder(siteId, recordingId)}/${seq}-${digest}`;
}
