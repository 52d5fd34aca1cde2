/** A trie of the pieces of a vocabulary, in flat tables: 128,000 pieces take 16 MB. */

export interface Vocabulary {
  /** Returns the child node for the character, or -1. The root is node 0. */
  next(node: number, codePoint: number): number;
  /** Returns the id of the piece that ends at the node, or -1. */
  pieceAt(node: number): number;
}

/** Spreads neighbouring keys over the table (Knuth, "The Art of Computer Programming" 3, 6.4). */
const FIBONACCI = 0x9e3779b1;

/** Among equal pieces the last one counts. */
export function createVocabulary(pieces: readonly string[]): Vocabulary {
  const letters = pieces.reduce((sum, piece) => sum + piece.length, 1);
  // Pieces share prefixes, so most of the table stays empty and searches are short.
  const sizeBits = Math.ceil(Math.log2(letters));
  const size = 2 ** sizeBits;
  const edges = {
    nodes: new Int32Array(size).fill(-1),
    characters: new Int32Array(size),
    targets: new Int32Array(size),
  };
  const ids = new Int32Array(letters).fill(-1);
  let nodes = 1;

  /** Returns the slot of an edge, or the empty slot for it. */
  function slotOf(node: number, codePoint: number): number {
    let slot = Math.imul(Math.imul(node, FIBONACCI) ^ codePoint, FIBONACCI) >>> (32 - sizeBits);
    while (edges.nodes[slot] !== -1 && (edges.nodes[slot] !== node || edges.characters[slot] !== codePoint))
      slot = (slot + 1) & (size - 1);
    return slot;
  }

  function grow(node: number, codePoint: number): number {
    const slot = slotOf(node, codePoint);
    if (edges.nodes[slot] === -1) {
      edges.nodes[slot] = node;
      edges.characters[slot] = codePoint;
      edges.targets[slot] = nodes;
      nodes += 1;
    }
    return edges.targets[slot] ?? 0;
  }

  for (const [id, piece] of pieces.entries()) {
    let node = 0;
    for (const character of piece) node = grow(node, character.codePointAt(0) ?? 0);
    ids[node] = id;
  }
  return {
    next(node, codePoint) {
      const slot = slotOf(node, codePoint);
      return edges.nodes[slot] === -1 ? -1 : (edges.targets[slot] ?? -1);
    },
    pieceAt: (node) => ids[node] ?? -1,
  };
}
