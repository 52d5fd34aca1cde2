/** Lifetime of signed links to frames and originals (api/media/mediaLinks.ts), which db/blobGarbage.ts waits for. */
export const LINK_LIFETIME_SECONDS = 3_600;
