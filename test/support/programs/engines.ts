/** Paths of programs for tests, from the run's broker, so that each is searched for once a run. */
import type { TextReaderDirs } from '../../../tools/scripts/engines/models/textReaders.ts';
import { askBroker } from '../servers/brokerClient.ts';

/** Returns the absolute path of ffmpeg. */
export async function testFfmpeg(): Promise<string> {
  return (await askBroker<{ path: string }>('/ffmpeg')).path;
}

/** Returns the folders that hold `<language>.traineddata[.gz]`. */
export async function testTessdataDirs(): Promise<string[]> {
  return (await askBroker<{ dirs: string[] }>('/tessdata')).dirs;
}

/** Returns the folder of the sentence encoder's files. */
export async function testSentenceEncoder(): Promise<string> {
  return (await askBroker<{ dir: string }>('/sentence-encoder')).dir;
}

/** Returns the folder of the nudity model's files. */
export async function testNudityModel(): Promise<string> {
  return (await askBroker<{ dir: string }>('/nudity-model')).dir;
}

/** Returns the folder of the voice detection model's file. */
export async function testVoiceModel(): Promise<string> {
  return (await askBroker<{ dir: string }>('/voice-model')).dir;
}

/** Returns the folders of the text readers. */
export function testTextReaders(): Promise<TextReaderDirs> {
  return askBroker<TextReaderDirs>('/text-readers');
}

/** Returns the folder of DuckDB's extensions, for `extension_directory`. */
export async function testDuckdbExtensions(): Promise<string> {
  return (await askBroker<{ dir: string }>('/duckdb-extensions')).dir;
}

/** Returns the folder of pg_dump, pg_restore, psql and pg_basebackup. */
export async function testPostgresTools(): Promise<string> {
  return (await askBroker<{ dir: string }>('/postgres-tools')).dir;
}
