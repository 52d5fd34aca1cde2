/**
 * The location of the lake (a local folder or S3, as LAKE_STORE says: config.ts) and the resources that DuckDB may use
 * for it.
 */
import type { S3Settings } from '../../platform/blobs/blobSettings.ts';

export type LakeData = { kind: 'local'; dir: string } | ({ kind: 's3'; prefix: string } & S3Settings);

export interface LakeSettings {
  /** The PostgreSQL database of the catalogue, which is in a separate schema beside our tables. */
  databaseUrl: string;
  /**
   * Set for an account that may only read (db/reports/enginePrivileges.ts): the lake must exist and have the newest
   * version.
   */
  readOnly?: boolean;
  /**
   * Confines statements built from users' requests: they reach only the lake's files and PostgreSQL by `databaseUrl`.
   */
  isConfined?: boolean;
  data: LakeData;
  /** Variables for an engine's process, which inherits no others (reports/engines/engineSettings.ts). */
  environment?: Readonly<Record<string, string>>;
  /** Folder with `v<version>/<platform>/<name>.duckdb_extension`; null: where DuckDB itself installs them. */
  extensionsDir: string | null;
  /**
   * True skips the check of the extensions' signatures, which is three quarters of the CPU time of opening a lake (0.3
   * s of 0.4 s). Only for tests, which open hundreds of lakes.
   */
  areExtensionsTrusted?: boolean;
  /** Folder for data that does not fit into memory. */
  tempDir: string;
  /** Maximum size of `tempDir`; by default DuckDB's own limit (90 % of the disk). */
  tempMb?: number;
  memoryMb: number;
  threads: number;
}
