/** The search index of one project's documents: rows of terms, in memory. */
import type { SearchDocument } from '../../../db/search/documents.ts';
import { hash32 } from '../../../domain/hash32.ts';
import {
  inverseFrequency,
  occurrenceWeight,
  saturated,
  SEARCH_FIELDS,
  type SearchField,
} from '../../../domain/search/bm25.ts';
import { fold, scanWords } from '../text/indexedWords.ts';
import { withRoom } from '../../growableColumns.ts';
import { Labels } from './labels.ts';
import { Postings } from './postings.ts';
import { BREAK, Sequences, type Phrase } from './sequences.ts';
import { Titles } from './titles.ts';
import { Vocabulary } from './vocabulary.ts';

/** Maximum number of indexed words per document, about three hours of speech; further words are not found. */
const MAX_WORDS = 30_000;
const NO_ROW = 0;
/** Dead rows are removed when they exceed this share of all rows, and there are at least this many. */
const DEAD_SHARE = 0.25;
const MIN_DEAD = 1_000;

/** The fields of a document that are kept as written. */
type Told = Pick<SearchDocument, 'title' | 'tags' | 'topics' | 'author'>;

const NOTHING_TOLD: Told = { title: null, tags: [], topics: [], author: null };

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
  telling(terms: readonly number[]): number {
    const share = this.#rows === 0 ? 1 : this.documents / this.#rows;
    const having = terms.reduce((sum, term) => sum + this.#postings.sizeOf(term), 0);
    return inverseFrequency(Math.min(having * share, this.documents), this.documents);
  }

  /** Returns true when a current document has the term. */
  isLive(term: number): boolean {
    const { rows } = this.#postings.of(term);
    for (let at = rows.length - 1; at >= 0; at -= 1) if (this.slotOf(rows[at] as number) >= 0) return true;
    return false;
  }

  /** Replaces the document of a slot. A document that may not be shown to anybody gets no row. */
  put(slot: number, document: SearchDocument): void {
    const hash = document.isEligible ? hashOf(document) : 0;
    this.#rowOfSlot = withRoom(this.#rowOfSlot, slot + 1);
    this.#hashOfSlot = withRoom(this.#hashOfSlot, slot + 1);
    const known = this.#rowOfSlot[slot] as number;
    if (known !== NO_ROW && this.#hashOfSlot[slot] === hash) return;
    this.version += 1;
    this.#hashOfSlot[slot] = hash;
    if (known !== NO_ROW) this.#bury(known - 1, slot);
    if (!document.isEligible) return;
    this.#add(slot, document);
    this.#tell(slot, document);
  }

  #tell(slot: number, { title, tags, topics, author }: Told): void {
    this.titles.set(slot, title ?? '');
    this.labels.tags.set(slot, tags);
    this.labels.topics.set(slot, topics);
    this.labels.authors.set(slot, author === null ? [] : [author]);
  }

  #bury(row: number, slot: number): void {
    this.#slotOfRow[row] = -1;
    this.#rowOfSlot[slot] = NO_ROW;
    this.#dead += 1;
    this.#tell(slot, NOTHING_TOLD);
    if (this.#dead > MIN_DEAD && this.#dead > this.#rows * DEAD_SHARE) this.#compact();
  }

  #add(slot: number, document: SearchDocument): void {
    const row = this.#rows;
    this.#rows += 1;
    this.#slotOfRow = withRoom(this.#slotOfRow, this.#rows);
    this.#slotOfRow[row] = slot;
    this.#rowOfSlot[slot] = row + 1;
    const sequence: number[] = [];
    const met: number[] = [];
    const fields = fieldsOf(document);
    for (const field of SEARCH_FIELDS) this.#addField(field, fields[field], sequence, met);
    this.#sequences.push(sequence);
    for (const term of met) {
      this.#postings.add(term, row, Math.max(1, Math.round(255 * saturated(this.#weights[term] as number))));
      this.#weights[term] = 0;
    }
  }

  #addField(field: SearchField, texts: readonly string[], sequence: number[], met: number[]): void {
    const from = sequence.length;
    for (const text of texts) {
      const folded = fold(text);
      scanWords(folded, (start, end, hash) => {
        if (sequence.length < MAX_WORDS) sequence.push(this.vocabulary.add(folded, start, end, hash));
      });
      sequence.push(BREAK);
    }
    this.#weights = withRoom(this.#weights, this.vocabulary.termCount);
    const each = occurrenceWeight(field, sequence.length - from - texts.length);
    for (let at = from; at < sequence.length; at += 1) {
      const term = sequence[at] as number;
      if (term === BREAK) continue;
      if (this.#weights[term] === 0) met.push(term);
      this.#weights[term] = (this.#weights[term] as number) + each;
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

function fieldsOf({
  title,
  author,
  tags,
  topics,
  entities,
  summary,
  texts,
}: SearchDocument): Record<SearchField, readonly string[]> {
  const known = (text: string | null): string[] => (text === null ? [] : [text]);
  return {
    title: known(title),
    labels: [...tags, ...topics, ...entities, ...known(author)],
    summary: known(summary),
    text: texts,
  };
}

function hashOf({ title, author, tags, topics, entities, summary, texts }: SearchDocument): number {
  const lists = [tags, topics, entities, texts].flatMap((list) => [...list, '\n']);
  return [title ?? '', author ?? '', summary ?? '', ...lists].reduce((hash, text) => hash32(text, hash), 0);
}
