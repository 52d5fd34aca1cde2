/** Finds files that the installation lacks and can do without: `npm start` goes on if they cannot be fetched. */
import type { AskedCapability, MissingFiles } from '../../domain/analysis/capabilities.ts';
import { readLanguages } from '../builtin/reading/folders.ts';
import { hasRussianData } from '../builtin/vision/tessdata.ts';
import type { AnalysisSettings } from './providerSettings.ts';

/** The folders of the built-in providers; the settings are refused if one that is named lacks a file. */
export type BuiltinFolders = Pick<
  AnalysisSettings,
  'tessdataDirs' | 'sentenceEncoderDir' | 'nudityModelDir' | 'voiceModelDir' | 'textReaders'
>;

/** Returns what a capability lacks, null if it has everything. @param isBuiltin no server is asked */
export async function missingFilesOf(
  capability: AskedCapability,
  isBuiltin: boolean,
  folders: BuiltinFolders,
): Promise<MissingFiles | null> {
  // The voice detector also chooses what is sent to a server.
  if (capability === 'speech') return folders.voiceModelDir === null ? 'voice_files_missing' : null;
  if (!isBuiltin) return null;
  const lacksEncoder = folders.sentenceEncoderDir === null;
  switch (capability) {
    case 'vision':
      return missingForPictures(folders);
    case 'summary':
      return missingForTexts(readLanguages(folders.textReaders).length < READ_LANGUAGES, lacksEncoder);
    case 'embedding':
      return lacksEncoder ? 'encoder_files_missing' : null;
    default:
      return null;
  }
}

/** Russian and English. */
const READ_LANGUAGES = 2;

async function missingForPictures({ nudityModelDir, tessdataDirs }: BuiltinFolders): Promise<MissingFiles | null> {
  const readsRussian = await hasRussianData(tessdataDirs);
  if (nudityModelDir === null) return readsRussian ? 'nudity_files_missing' : 'picture_files_missing';
  return readsRussian ? null : 'russian_ocr_missing';
}

function missingForTexts(lacksReaders: boolean, lacksEncoder: boolean): MissingFiles | null {
  if (lacksReaders) return lacksEncoder ? 'text_files_missing' : 'reader_files_missing';
  return lacksEncoder ? 'encoder_files_missing' : null;
}
