/**
 * sharp, set up once for hostile input: one thread per image (the worker's own concurrency is the
 * limit), no cache between strangers' files, and only the loaders of the allow-list in sniff.ts:
 * libvips would otherwise read SVG, PDF and whatever else it was built with.
 */
import sharp from 'sharp';

sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp',
    'VipsForeignLoadNsgif', 'VipsForeignLoadHeif', 'VipsForeignLoadTiff',
  ],
});

export { sharp };
