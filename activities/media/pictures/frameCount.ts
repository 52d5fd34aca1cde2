/** Maximum number of frames that are kept of a medium; frameSelection.ts selects them. */
export const MAX_KEPT_FRAMES = 60;
