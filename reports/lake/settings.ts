/** Where the lake is and what DuckDB may use for it. */
import type { S3Settings } from '../../blobs/settings.ts';

export type LakeData = { kind: 'local'; dir: string } | ({ kind: 's3'; prefix: string } & S3Settings);

export interface LakeSettings {
  /** PostgreSQL that holds the catalogue, in a schema of its own beside our tables. */
  databaseUrl: string;
  /** For an account that may only read (db/reportRole.ts): the lake has to be there, of the newest version. */
  readOnly?: boolean;
  /** For statements that are built from users' requests: files of the lake, PostgreSQL by `databaseUrl`, and nothing else. */
  isConfined?: boolean;
  data: LakeData;
  /** Holds `v<version>/<platform>/<name>.duckdb_extension`; null: where DuckDB itself installs them. */
  extensionsDir: string | null;
  /**
   * True leaves their signatures unread, which is three quarters of the CPU that opening a lake costs (0.3 s of 0.4 s).
   * For tests, which open hundreds; everybody else reads them.
   */
  areExtensionsTrusted?: boolean;
  /** For what does not fit into memory. */
  tempDir: string;
  /** What that may come to; as DuckDB has it (nine tenths of the disk) when it is not given. */
  tempMb?: number;
  memoryMb: number;
  threads: number;
}
