/** Lays pictures with transparent parts over a background on which their content can be seen. Pure. */

/** Number of grey levels, out of 255, by which an outline differs from a background on which it is visible. */
const VISIBLE_DIFFERENCE = 64;
/** Pixels with less opacity, out of 255, are soft shadows and edges, which count as transparent. */
const MIN_OPACITY = 64;
const WHITE = 255;
const GREY = 128;
const BLACK = 0;

/**
 * Replaces transparency by a background. This is white, or else black or grey if less of the content's outline is lost
 * on that, as with white letters.
 * @param rgba bytes of red, green, blue and opacity for each pixel, in rows; overwritten, because a strip of an
 * animation's pages takes up to 200 MB
 * @param channels bytes of a pixel; those after the opacity (as in TIFF files for printing) are dropped
 * @returns bytes of red, green and blue, in the same memory
 */
export function composeVisibly(rgba: Uint8Array, channels = 4): Uint8Array {
  const background = visibleBackground(rgba, channels);
  let to = 0;
  for (let from = 0; from < rgba.length; from += channels) {
    const opacity = rgba[from + 3] ?? 0;
    const behind = background * (255 - opacity);
    for (let channel = 0; channel < 3; channel += 1)
      rgba[to + channel] = Math.round(((rgba[from + channel] ?? 0) * opacity + behind) / 255);
    to += 3;
  }
  return rgba.subarray(0, to);
}

/**
 * Returns the grey level on which the least of the outline is lost. Only the outline borders on the background: white
 * letters on a red badge are visible on white, white letters alone are not.
 */
function visibleBackground(rgba: Uint8Array, channels: number): number {
  const lost = { light: 0, dark: 0, middling: 0 };
  for (let at = channels; at < rgba.length; at += channels) {
    const before = at - channels;
    const isContent = (rgba[at + 3] ?? 0) >= MIN_OPACITY;
    const wasContent = (rgba[before + 3] ?? 0) >= MIN_OPACITY;
    if (isContent === wasContent) continue;
    lost[shadeOf(greyAt(rgba, isContent ? at : before))] += 1;
  }
  if (lost.light <= Math.min(lost.dark, lost.middling)) return WHITE;
  return lost.dark <= lost.middling ? BLACK : GREY;
}

function shadeOf(grey: number): 'light' | 'dark' | 'middling' {
  if (grey > WHITE - VISIBLE_DIFFERENCE) return 'light';
  return grey < BLACK + VISIBLE_DIFFERENCE ? 'dark' : 'middling';
}

/** Returns the luma of a pixel (ITU-R BT.601), 0 to 255. */
function greyAt(rgba: Uint8Array, at: number): number {
  return 0.299 * (rgba[at] ?? 0) + 0.587 * (rgba[at + 1] ?? 0) + 0.114 * (rgba[at + 2] ?? 0);
}
