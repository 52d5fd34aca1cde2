/** Programs for tests, by way of the run's broker, so that they are looked for once a run. */
import { askBroker } from './brokerClient.ts';

/** Absolute path of ffmpeg. */
export async function testFfmpeg(): Promise<string> {
  return (await askBroker<{ path: string }>('/ffmpeg')).path;
}

/** Folders that hold `<language>.traineddata[.gz]`. */
export async function testTessdataDirs(): Promise<string[]> {
  return (await askBroker<{ dirs: string[] }>('/tessdata')).dirs;
}

/** Folder of the sentence encoder's files. */
export async function testSentenceEncoder(): Promise<string> {
  return (await askBroker<{ dir: string }>('/sentence-encoder')).dir;
}

/** Folder of DuckDB's extensions, for `extension_directory`. */
export async function testDuckdbExtensions(): Promise<string> {
  return (await askBroker<{ dir: string }>('/duckdb-extensions')).dir;
}

/** Folder of pg_dump, pg_restore, psql and pg_basebackup. */
export async function testPostgresTools(): Promise<string> {
  return (await askBroker<{ dir: string }>('/postgres-tools')).dir;
}
