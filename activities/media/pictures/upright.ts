/** Rotates the pages of an animation upright. */
import sharp from 'sharp';
import type { RawImage } from './rawImage.ts';

/** How each EXIF orientation is made upright: by a mirroring from left to right, then a clockwise rotation. */
const ROTATIONS: Readonly<Record<number, { mirrored: boolean; degrees: 0 | 90 | 180 | 270 }>> = {
  2: { mirrored: true, degrees: 0 },
  3: { mirrored: false, degrees: 180 },
  4: { mirrored: true, degrees: 180 },
  5: { mirrored: true, degrees: 270 },
  6: { mirrored: false, degrees: 90 },
  7: { mirrored: true, degrees: 90 },
  8: { mirrored: false, degrees: 270 },
};

/**
 * Returns the picture upright. sharp does this for a whole file, but rotates no file of several pages.
 * @param orientation EXIF orientation, 1 to 8
 */
export async function upright(image: RawImage, orientation: number): Promise<RawImage> {
  const rotation = ROTATIONS[orientation];
  if (rotation === undefined) return image;
  const { data, info } = await sharp(image.data, { raw: image })
    .flop(rotation.mirrored)
    .rotate(rotation.degrees)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: 3 };
}
