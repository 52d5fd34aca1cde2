/** The API's limits on requests, by operation and field. */
export * as limits from '../../../clients/typescript/src/cabinet/limits.gen.ts';
export * as contentLimits from '../../../clients/typescript/src/content/limits.gen.ts';
