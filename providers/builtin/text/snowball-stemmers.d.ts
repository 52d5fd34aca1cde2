/** The part of the package that is used; it ships without types. */
declare module 'snowball-stemmers' {
  interface Stemmer {
    stem(word: string): string;
  }
  const snowball: { newStemmer(algorithm: 'russian' | 'english'): Stemmer };
  export default snowball;
}
