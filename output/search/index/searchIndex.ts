/** The search index of one project's documents: rows of terms, in memory. */
import type { SearchDocument } from '../../../db/search/documents.ts';
import { hash32 } from '../../../domain/hash32.ts';
import {
  inverseDocumentFrequency,
  occurrenceWeight,
  saturated,
  SEARCH_FIELDS,
  type SearchField,
} from '../../../domain/search/bm25.ts';
import { fold, MAX_INDEXED_WORDS, piecesOf, scanWords } from '../text/indexedWords.ts';
import { withRoom } from '../../growableColumns.ts';
import { Labels } from './labels.ts';
import { Postings } from './postings.ts';
import { BREAK, Sequences, type Phrase } from './sequences.ts';
import { Titles } from './titles.ts';
import { Vocabulary } from './vocabulary.ts';

/**
 * Length of the pieces in which texts are read, in code units: half a millisecond each, or some 10 ms if no word of the
 * piece was met before.
 */
const PIECE = 5_000;
const NO_ROW = 0;
/** Dead rows are removed when they exceed this share of all rows, and there are at least this many. */
const DEAD_SHARE = 0.25;
const MIN_DEAD = 1_000;

/** The fields of a document that are kept as written. */
type StoredFields = Pick<SearchDocument, 'title' | 'tags' | 'topics' | 'author'>;

/** The words of a document. */
export interface DocumentTerms {
  /** Terms in the order of the text; {@link BREAK} ends each text. */
  sequence: readonly number[];
  /** The end of each field in the sequence, in the order of {@link SEARCH_FIELDS}. */
  ends: readonly number[];
}

const NO_STORED_FIELDS: StoredFields = { title: null, tags: [], topics: [], author: null };

export class SearchIndex {
  readonly vocabulary = new Vocabulary();
  readonly #postings = new Postings();
  readonly #sequences = new Sequences();
  readonly titles = new Titles();
  readonly labels = { tags: new Labels(), topics: new Labels(), authors: new Labels() };
  #rows = 0;
  #dead = 0;
  /** The slot of each row; −1 for a dead row. */
  #slotOfRow = new Int32Array(0);
  /** The row of each slot, plus one. */
  #rowOfSlot = new Uint32Array(0);
  /** Hash of the document that a slot's row was made from: an unchanged document is not indexed again. */
  #hashOfSlot = new Uint32Array(0);
  /** Increases with every change of a row. */
  version = 0;
  #weights = new Float32Array(0);

  get bytes(): number {
    return (
      this.vocabulary.bytes +
      this.#postings.bytes +
      this.#sequences.bytes +
      this.titles.bytes +
      this.labels.tags.bytes +
      this.labels.topics.bytes +
      this.labels.authors.bytes +
      12 * this.#slotOfRow.length
    );
  }

  /** Number of rows, dead ones included. */
  get rows(): number {
    return this.#rows;
  }

  get documents(): number {
    return this.#rows - this.#dead;
  }

  /** Returns the slot of a row; −1 when the row is no longer current. */
  slotOf(row: number): number {
    return this.#slotOfRow[row] as number;
  }

  rowOf(slot: number): number | undefined {
    const row = this.#rowOfSlot[slot] ?? NO_ROW;
    return row === NO_ROW ? undefined : row - 1;
  }

  postingsOf(term: number): { rows: Uint32Array; weights: Uint8Array } {
    return this.#postings.of(term);
  }

  hasPhrase(row: number, phrase: Phrase): boolean {
    return this.#sequences.hasPhrase(row, phrase);
  }

  /**
   * Returns the inverse document frequency of terms that stand for one word. Dead rows in the lists are discounted by
   * their share of all rows.
   */
  idf(terms: readonly number[]): number {
    const share = this.#rows === 0 ? 1 : this.documents / this.#rows;
    const documentFrequency = terms.reduce((sum, term) => sum + this.#postings.sizeOf(term), 0);
    return inverseDocumentFrequency(Math.min(documentFrequency * share, this.documents), this.documents);
  }

  /** Returns true when a current document has the term. */
  isLive(term: number): boolean {
    const { rows } = this.#postings.of(term);
    for (let at = rows.length - 1; at >= 0; at -= 1) if (this.slotOf(rows[at] as number) >= 0) return true;
    return false;
  }

  /** Returns true when the slot has the document with this hash ({@link documentHash}). */
  hasSame(slot: number, hash: number): boolean {
    return this.rowOf(slot) !== undefined && this.#hashOfSlot[slot] === hash;
  }

  /** Removes the document of a slot, which may not be shown to anybody. */
  remove(slot: number): void {
    const row = this.rowOf(slot);
    if (row === undefined) return;
    this.version += 1;
    this.#markDead(row, slot);
  }

  /**
   * Replaces the document of a slot. A document that may not be shown to anybody gets no row.
   * @param known its hash and its words, if they were already computed: both take long for a long text
   */
  put(slot: number, document: SearchDocument, known: { hash?: number; words?: DocumentTerms } = {}): void {
    if (!document.isEligible) {
      this.remove(slot);
      return;
    }
    const hash = known.hash ?? documentHash(document);
    if (this.hasSame(slot, hash)) return;
    this.#rowOfSlot = withRoom(this.#rowOfSlot, slot + 1);
    this.#hashOfSlot = withRoom(this.#hashOfSlot, slot + 1);
    const row = this.rowOf(slot);
    this.version += 1;
    this.#hashOfSlot[slot] = hash;
    if (row !== undefined) this.#markDead(row, slot);
    this.#add(slot, known.words ?? allOf(this.read(document)));
    this.#storeFields(slot, document);
  }

  #storeFields(slot: number, { title, tags, topics, author }: StoredFields): void {
    this.titles.set(slot, title ?? '');
    this.labels.tags.set(slot, tags);
    this.labels.topics.set(slot, topics);
    this.labels.authors.set(slot, author === null ? [] : [author]);
  }

  #markDead(row: number, slot: number): void {
    this.#slotOfRow[row] = -1;
    this.#rowOfSlot[slot] = NO_ROW;
    this.#dead += 1;
    this.#storeFields(slot, NO_STORED_FIELDS);
    if (this.#dead > MIN_DEAD && this.#dead > this.#rows * DEAD_SHARE) this.#compact();
  }

  /**
   * Reads the words of a document, for {@link put}. It pauses after each piece of a text or several short texts, so that
   * questions can be answered meanwhile; what is read has no effect on them.
   */
  *read(document: SearchDocument): Generator<undefined, DocumentTerms> {
    const sequence: number[] = [];
    const sincePause = { units: 0 };
    const ends: number[] = [];
    const fields = sourcesOf(document);
    for (const field of SEARCH_FIELDS) {
      for (const source of fields[field]) yield* this.#readSource(source, sequence, sincePause);
      ends.push(sequence.length);
    }
    return { sequence, ends };
  }

  *#readSource(
    texts: readonly string[],
    sequence: number[],
    sincePause: { units: number },
  ): Generator<undefined, void> {
    let wordsLeft = MAX_INDEXED_WORDS;
    for (const text of texts) {
      for (const piece of piecesOf(text, PIECE)) {
        if (sincePause.units > 0 && sincePause.units + piece.length > PIECE) {
          yield;
          sincePause.units = 0;
        }
        sincePause.units += piece.length;
        const folded = fold(piece);
        scanWords(folded, (start, end, hash) => {
          if (wordsLeft > 0) sequence.push(this.vocabulary.add(folded, start, end, hash));
          wordsLeft -= 1;
        });
      }
      sequence.push(BREAK);
    }
  }

  #add(slot: number, { sequence, ends }: DocumentTerms): void {
    const row = this.#rows;
    this.#rows += 1;
    this.#slotOfRow = withRoom(this.#slotOfRow, this.#rows);
    this.#slotOfRow[row] = slot;
    this.#rowOfSlot[slot] = row + 1;
    this.#sequences.push(sequence);
    this.#weights = withRoom(this.#weights, this.vocabulary.termCount);
    const terms: number[] = [];
    for (const [at, field] of SEARCH_FIELDS.entries())
      this.#addWeights(field, sequence, { from: ends[at - 1] ?? 0, to: ends[at] ?? 0, terms });
    for (const term of terms) {
      this.#postings.add(term, row, Math.max(1, Math.round(255 * saturated(this.#weights[term] as number))));
      this.#weights[term] = 0;
    }
  }

  /** Adds the weights of a field's words. Words that no earlier field of the document has are added to `terms`. */
  #addWeights(
    field: SearchField,
    sequence: readonly number[],
    { from, to, terms }: { from: number; to: number; terms: number[] },
  ): void {
    let words = 0;
    for (let at = from; at < to; at += 1) words += sequence[at] === BREAK ? 0 : 1;
    const weight = occurrenceWeight(field, words);
    for (let at = from; at < to; at += 1) {
      const term = sequence[at] as number;
      if (term === BREAK) continue;
      if (this.#weights[term] === 0) terms.push(term);
      this.#weights[term] = (this.#weights[term] as number) + weight;
    }
  }

  #compact(): void {
    const renumbered = new Int32Array(this.#rows);
    let rows = 0;
    for (let row = 0; row < this.#rows; row += 1) {
      const slot = this.#slotOfRow[row] as number;
      renumbered[row] = slot < 0 ? -1 : rows;
      if (slot < 0) continue;
      this.#slotOfRow[rows] = slot;
      this.#rowOfSlot[slot] = rows + 1;
      rows += 1;
    }
    this.#postings.compact(renumbered);
    this.#sequences.compact(renumbered);
    this.#rows = rows;
    this.#dead = 0;
  }
}

/** Returns the texts of each field by source; each source has its own limit of words. */
function sourcesOf({
  title,
  author,
  tags,
  topics,
  entities,
  summary,
  texts,
  speech,
  pictures,
}: SearchDocument): Record<SearchField, readonly (readonly string[])[]> {
  const known = (text: string | null): string[] => (text === null ? [] : [text]);
  return {
    title: [known(title)],
    labels: [[...tags, ...topics, ...entities, ...known(author)]],
    summary: [known(summary)],
    text: [texts, speech, pictures],
  };
}

function allOf(reading: Generator<undefined, DocumentTerms>): DocumentTerms {
  let step = reading.next();
  while (!step.done) step = reading.next();
  return step.value;
}

const END = '\0';

/** Returns a hash of everything that an index reads of a document. */
export function documentHash({ title, author, summary, ...fields }: SearchDocument): number {
  const { tags, topics, entities, texts, speech, pictures } = fields;
  const lists = [tags, topics, entities, texts, speech, pictures].flatMap((list) => [...list, END]);
  // No text contains `END`, because PostgreSQL stores no zero character.
  return [title ?? '', author ?? '', summary ?? '', ...lists].reduce(
    (hash, text) => hash32(END, hash32(text, hash)),
    0,
  );
}
