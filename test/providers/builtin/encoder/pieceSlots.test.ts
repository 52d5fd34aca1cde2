import { describe, expect, it } from '@jest/globals';
import { createPieceSlots } from '../../../../providers/builtin/encoder/pieceSlots.ts';

describe('createPieceSlots', () => {
  it('gives each piece one slot, and says once that its row is missing', () => {
    const place = createPieceSlots(4);
    expect(place([7, 8, 7])).toEqual({
      slots: Int32Array.of(0, 1, 0),
      missing: [
        { id: 7, slot: 0 },
        { id: 8, slot: 1 },
      ],
    });
    expect(place([8, 9])).toEqual({ slots: Int32Array.of(1, 2), missing: [{ id: 9, slot: 2 }] });
  });

  it('reuses the slot of the least recently used piece', () => {
    const place = createPieceSlots(3);
    place([1, 2, 3]);
    place([1]);
    expect(place([4])).toEqual({ slots: Int32Array.of(1), missing: [{ id: 4, slot: 1 }] });
    expect(place([1, 3, 4]).missing).toEqual([]);
  });

  it('never reuses a slot of the current text, even if a later piece of it has to move', () => {
    const place = createPieceSlots(3);
    place([1, 2, 3]);
    expect(place([4, 5, 1])).toEqual({
      slots: Int32Array.of(0, 1, 2),
      missing: [
        { id: 4, slot: 0 },
        { id: 5, slot: 1 },
        { id: 1, slot: 2 },
      ],
    });
    expect(place([4, 5, 1]).missing).toEqual([]);
  });
});
