/** Workflow ids. They are idempotency keys, so they are built here and nowhere else. */

/** The analysis of one item. */
export function itemWorkflowId(projectId: string, itemId: string): string {
  return `item/${projectId}/${itemId}`;
}

/** The retry lane of one webhook delivery. */
export function deliveryWorkflowId(deliveryId: string): string {
  return `delivery/${deliveryId}`;
}

/** Where the blobs of one medium lie; a re-analysis writes beside what readers still see. */
export function mediumBlobFolder(projectId: string, mediumId: string, revision: number): string {
  return `media/${projectId}/${mediumId}/${revision}`;
}
