/** The place where blobs are stored. */
export type BlobSettings = { kind: 'local'; dir: string } | ({ kind: 's3' } & S3Settings);

export interface S3Settings {
  bucket: string;
  region: string;
  /** Null means Amazon's own endpoint. */
  endpoint: string | null;
  /** Null means the machine's role, as Amazon's client finds it. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
  /** Puts the bucket in the path instead of the host name, as most servers other than Amazon's require. */
  forcePathStyle: boolean;
}
