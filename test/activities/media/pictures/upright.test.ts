import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { upright } from '../../../../activities/media/pictures/upright.ts';
import type { RawImage } from '../../../../activities/media/pictures/rawImage.ts';

describe('upright', () => {
  /** Six pixels that all differ. */
  const image: RawImage = {
    data: Uint8Array.from({ length: 18 }, (_, at) => at * 10),
    width: 3,
    height: 2,
    channels: 3,
  };

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'turns a page with the orientation %i as sharp turns a whole picture',
    async (at) => {
      const file = await sharp(image.data, { raw: image })
        .withMetadata({ orientation: at })
        .tiff({ compression: 'none' });
      const expected = await sharp(await file.toBuffer())
        .autoOrient()
        .raw()
        .toBuffer({ resolveWithObject: true });
      const turned = await upright(image, at);
      expect([turned.width, turned.height]).toEqual([expected.info.width, expected.info.height]);
      expect([...turned.data]).toEqual([...expected.data]);
    },
  );
});
