/** Measurable facts of one picture: dominant colours, brightness, sharpness. */
import { colourShares, type ColourShare } from './colours.ts';
import { DECODING_LIMITS, DECODING_SECONDS } from './pictureDecoding.ts';

export interface PictureFacts {
  width: number;
  height: number;
  /** Shares of the picture by named colour, largest first. */
  colours: ColourShare[];
  /** Mean luma, 0 (black) to 255. */
  brightness: number;
  /** Standard deviation of luma: near 0 for a plain surface. */
  contrast: number;
  /** Variance of the Laplacian of luma (Pech-Pacheco et al. 2000, "Diatom autofocusing in brightfield microscopy"). */
  sharpness: number;
}

const COLOUR_SIDE = 64;
/** Sharpness depends on scale, so it is always measured at this width. */
const SHARPNESS_WIDTH = 512;

/** @throws sharp's error if the file is not a picture, is damaged, too large or too slow to decode */
export async function measurePicture(path: string): Promise<PictureFacts> {
  // Loaded on demand: processes that only summarise and embed have these providers too, but no pictures.
  const { default: sharp } = await import('sharp');
  const { width, height } = await sharp(path, DECODING_LIMITS).metadata();
  const colour = await sharp(path, DECODING_LIMITS)
    .timeout({ seconds: DECODING_SECONDS })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .resize(COLOUR_SIDE, COLOUR_SIDE, { fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const grey = await sharp(path, DECODING_LIMITS)
    .timeout({ seconds: DECODING_SECONDS })
    .flatten({ background: '#ffffff' })
    .greyscale()
    .resize({ width: SHARPNESS_WIDTH, withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return {
    width,
    height,
    colours: colourShares(colour.data, colour.info.channels),
    ...measureLuma(grey.data, grey.info.width, grey.info.height, grey.info.channels),
  };
}

function measureLuma(
  data: Uint8Array,
  width: number,
  height: number,
  channels: number,
): Pick<PictureFacts, 'brightness' | 'contrast' | 'sharpness'> {
  const at = (x: number, y: number): number => data[(y * width + x) * channels] ?? 0;
  const luma = new Moments();
  const laplacian = new Moments();
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      luma.add(at(x, y));
      const inside = x > 0 && y > 0 && x < width - 1 && y < height - 1;
      if (inside) laplacian.add(at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1) - 4 * at(x, y));
    }
  }
  return { brightness: luma.mean, contrast: Math.sqrt(luma.variance), sharpness: laplacian.variance };
}

/** Sums of whole numbers, so they are exact. */
class Moments {
  #count = 0;
  #sum = 0;
  #squares = 0;

  add(value: number): void {
    this.#count += 1;
    this.#sum += value;
    this.#squares += value * value;
  }

  get mean(): number {
    return this.#count === 0 ? 0 : this.#sum / this.#count;
  }

  get variance(): number {
    return this.#count === 0 ? 0 : Math.max(0, this.#squares / this.#count - this.mean ** 2);
  }
}
