/** Texts of any characters, for property-based tests. */
import fc from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 };
const LAST_CODE_POINT = 0x10ffff;

const character = fc
  .nat(LAST_CODE_POINT - SURROGATES.count)
  .map((n) => String.fromCodePoint(n < SURROGATES.from ? n : n + SURROGATES.count));

/**
 * Generates well-formed texts of any code points, and those that `fc.string` finds dangerous. That function's unit
 * `binary` does the same with a table of a million characters, which takes each process a second to make.
 */
export function anyText({ maxLength }: { maxLength?: number } = {}): fc.Arbitrary<string> {
  const limit = maxLength === undefined ? {} : { maxLength };
  return fc.oneof(
    { weight: 4, arbitrary: fc.array(character, limit).map((characters) => characters.join('')) },
    { weight: 1, arbitrary: fc.string(limit) },
  );
}
