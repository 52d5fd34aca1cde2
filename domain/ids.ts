/** Workflow ids. They are idempotency keys, so they are built here and nowhere else. */

/** The analysis of one item. */
export function itemWorkflowId(projectId: string, itemId: string): string {
  return `item/${projectId}/${itemId}`;
}

/** The retry lane of one webhook delivery. */
export function deliveryWorkflowId(deliveryId: string): string {
  return `delivery/${deliveryId}`;
}

/**
 * Where the blobs of one medium lie. Each attempt to prepare it has a folder of its own, so that it
 * writes beside what readers still see and never over another attempt's files.
 */
export function mediumBlobFolder(projectId: string, mediumId: string, attemptId: string): string {
  return `media/${projectId}/${mediumId}/${attemptId}`;
}
