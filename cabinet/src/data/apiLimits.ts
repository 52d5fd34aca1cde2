/** The limits of what requests send, by operation and field. */
export * as limits from '../../../clients/typescript/src/cabinet/limits.gen.ts';
export * as contentLimits from '../../../clients/typescript/src/content/limits.gen.ts';
