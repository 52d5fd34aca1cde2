/** Where blobs are kept. */
export type BlobSettings = { kind: 'local'; dir: string } | ({ kind: 's3' } & S3Settings);

export interface S3Settings {
  bucket: string;
  region: string;
  /** Null for Amazon's own. */
  endpoint: string | null;
  /** Null leaves it to the machine's role, as Amazon's client finds it. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
  /** The bucket in the path and not in the host name, as most servers other than Amazon's want it. */
  forcePathStyle: boolean;
}
