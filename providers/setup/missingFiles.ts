/** Finds files that the installation lacks and can do without: `npm start` goes on if they cannot be fetched. */
import { codeOfMissing, type AskedCapability, type MissingFiles } from '../../domain/analysis/capabilities.ts';
import { READER_LANGUAGES, readerLanguages } from '../builtin/reading/folders.ts';
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
  return codeOfMissing(await listMissing(capability, isBuiltin, folders));
}

async function listMissing(
  capability: AskedCapability,
  isBuiltin: boolean,
  { voiceModelDir, nudityModelDir, tessdataDirs, textReaders, sentenceEncoderDir }: BuiltinFolders,
): Promise<MissingFiles[]> {
  // The voice detector also chooses what is sent to a server.
  if (capability === 'speech') return voiceModelDir === null ? ['voice_files_missing'] : [];
  if (!isBuiltin) return [];
  const encoder: MissingFiles[] = sentenceEncoderDir === null ? ['encoder_files_missing'] : [];
  switch (capability) {
    case 'vision':
      return [
        ...(nudityModelDir === null ? ['nudity_files_missing' as const] : []),
        ...((await hasRussianData(tessdataDirs)) ? [] : ['russian_ocr_missing' as const]),
      ];
    case 'summary':
      return readerLanguages(textReaders).length < READER_LANGUAGES.length
        ? ['reader_files_missing', ...encoder]
        : encoder;
    case 'embedding':
      return encoder;
    default:
      return [];
  }
}
