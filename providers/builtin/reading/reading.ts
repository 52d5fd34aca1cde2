/** Reads the texts of an item in a thread and finds their noun phrases and names. */
import { ProviderError } from '../../errors.ts';
import type { CallContext } from '../../types.ts';
import { detectLanguage } from '../text/detectLanguage.ts';
import { TEXT_LIMITS, throwTextFault } from '../threads/textJobLimits.ts';
import { withHeartbeat } from '../threads/heartbeat.ts';
import { createThread } from '../threads/thread.ts';
import { jobsOf, partsOf, type Part } from './threadJobs.ts';
import { readerLanguages, type ReaderFolders, type ReaderLanguage } from './folders.ts';
import type { ReadReply, ReadRequest } from './readingThread.ts';
import type { Findings } from './common/types.ts';
import { stretchesOf } from './stretches.ts';
import { splitSentences } from '../text/sentences.ts';

/**
 * Maximum number of characters of all texts of an item, which take half a second to read. Later text repeats the
 * subject.
 */
const MAX_CHARACTERS = 60_000;
/** Heap of JavaScript objects; networks and tables are outside it. */
const HEAP_MB = 256;

/** The findings of a text; null if there is no reader for its language. */
export type TextFindings = Findings | null;

export interface TextReader {
  languages: readonly ReaderLanguage[];
  /**
   * Returns one result for each text. Fails with `provider_model_not_found` (permanent, postponed until an operator
   * fixes it) if a reader's files are missing or damaged.
   */
  read(texts: readonly string[], context: CallContext): Promise<TextFindings[]>;
  /** Ends the thread. Calls in progress reject. */
  close(): Promise<void>;
}

export function createReading(folders: ReaderFolders): TextReader {
  const languages = readerLanguages(folders);
  const thread = createThread<ReadRequest, ReadReply>({
    entry: new URL('./readingThread.ts', import.meta.url),
    data: folders,
    heapMb: HEAP_MB,
    finishesAborted: true,
  });

  async function readJob({ texts, language }: ReadRequest, signal: AbortSignal): Promise<Findings[]> {
    const reply = await thread.call({ texts, language }, { signal, ...TEXT_LIMITS }).catch(throwTextFault);
    if ('fault' in reply)
      throw new ProviderError('permanent', 'provider_model_not_found', `the text reader: ${reply.fault}`);
    if (reply.findings.length !== texts.length) throw new Error('the text reader did not answer for each text');
    return reply.findings;
  }

  /** Returns what is read of each text, with its language. */
  function partsToRead(texts: readonly string[]): Part[] {
    const mainLanguage = once(() => readable(detectLanguage(texts.join('\n')), languages));
    let left = MAX_CHARACTERS;
    return texts.flatMap((text, index) => {
      const language = readable(detectLanguage(text), languages) ?? mainLanguage();
      const seen = wholeSentencesOf(text, left);
      left -= seen.length;
      if (language === null || seen === '') return [];
      return stretchesOf(seen, language, languages).flatMap(({ start: from, text: stretch, language: own }) =>
        partsOf(stretch).flatMap(({ start, text: part }) =>
          own === null ? [] : [{ start: from + start, text: part, index, language: own, isMain: own === language }],
        ),
      );
    });
  }

  return {
    languages,
    read: (texts, { signal, progress }) =>
      withHeartbeat(progress, async () => {
        const found = texts.map((): PartFindings[] => []);
        for (const job of jobsOf(partsToRead(texts))) {
          const findings = (await readJob(job, signal)).values();
          for (const { index, start, isMain } of job.parts) {
            const { value } = findings.next();
            if (!value) continue;
            const { phrases, names } = shifted(value, start);
            // Phrases become tags, which should all be in the main language of the text.
            found[index]?.push({ start, phrases: isMain ? phrases : [], names });
          }
        }
        return found.map((own) => (own.length === 0 ? null : joined(own)));
      }),
    close: () => thread.close(),
  };
}

/**
 * Returns at most the first `most` characters of a text, without a sentence that is cut there: half a name is another
 * one.
 */
function wholeSentencesOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const beginning = text.slice(0, most);
  return beginning.slice(0, splitSentences(beginning).at(-1)?.start ?? 0);
}

/** Returns a function that computes its value when it is first needed. */
function once<T>(compute: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: compute() }).value;
}

function readable(language: string | null, languages: readonly ReaderLanguage[]): ReaderLanguage | null {
  return languages.find((each) => each === language) ?? null;
}

function shifted({ phrases, names }: Findings, by: number): Findings {
  return {
    phrases: phrases.map((phrase) => ({ ...phrase, start: phrase.start + by })),
    names: names.map((name) => ({ ...name, start: name.start + by })),
  };
}

/** The findings of a part that starts at `start`. */
interface PartFindings extends Findings {
  start: number;
}

/** Returns the findings of all parts in the order of the text. */
function joined(found: readonly PartFindings[]): Findings {
  const parts = found.toSorted((a, b) => a.start - b.start);
  return {
    phrases: parts.flatMap(({ phrases }) => phrases),
    names: parts.flatMap(({ names }) => names),
  };
}
