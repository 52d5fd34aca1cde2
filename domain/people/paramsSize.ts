/** Maximum size of a person's params as JSON in UTF-8, however they are sent; params.ts says which values they may have. */
export const PARAMS_MAX_BYTES = 4 * 1024;
