/** The files that the text readers need, in their folders. */

/** Files of the package `natasha` 1.6.0, below `natasha/data`. */
export const RUSSIAN_NETWORK_FILES = {
  vectors: 'emb/navec_news_v1_1B_250K_300d_100q.tar',
  morphology: 'model/slovnet_morph_news_v1.tar',
  names: 'model/slovnet_ner_news_v1.tar',
} as const;

/** Files of the package `pymorphy3-dicts-ru` 2.4.417150.4580142, below `pymorphy3_dicts_ru/data`. */
export const RUSSIAN_WORD_FILES = {
  words: 'words.dawg',
  ends: 'prediction-suffixes-0.dawg',
  paradigms: 'paradigms.array',
  suffixes: 'suffixes.json',
  tags: 'gramtab-opencorpora-int.json',
  meta: 'meta.json',
} as const;

/** Files of spaCy's pipeline `en_core_web_sm` 3.8.0. */
export const ENGLISH_FILES = {
  words: 'tok2vec/model',
  tagger: 'tagger/model',
  tags: 'tagger/cfg',
  names: 'ner/model',
  moves: 'ner/moves',
  norms: 'vocab/lookups.bin',
  nouns: 'lemmatizer/lookups/lookups.bin',
} as const;
