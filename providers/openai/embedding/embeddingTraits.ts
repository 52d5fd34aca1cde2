/** Properties of embedding models and their servers that the servers do not report. */

/** Properties of an embedding model that its server does not report. */
export interface EmbeddingTraits {
  /** Prefixes of queries and passages, with a space: some models (E5) must be told which of the two a text is. */
  queryPrefix: string;
  passagePrefix: string;
  /** See `EmbeddingCapability`. */
  similarityThreshold: number | null;
}

/** How a server accepts pictures at `/embeddings`: like Jina's, or like Infinity. */
export const PICTURE_PROTOCOLS = ['jina', 'infinity'] as const;
export type PictureProtocol = (typeof PICTURE_PROTOCOLS)[number];
