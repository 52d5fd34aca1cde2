/** How sharp behaves in a process that opens strangers' pictures. */
import sharp from 'sharp';

/** The loaders of the formats that activities/media/sniff.ts lets through. */
const LOADERS = [
  'VipsForeignLoadJpeg',
  'VipsForeignLoadPng',
  'VipsForeignLoadWebp',
  'VipsForeignLoadNsgif',
  'VipsForeignLoadHeif',
  'VipsForeignLoadTiff',
];

/**
 * For the whole process: one thread per picture (the queue's concurrency is the limit), no cache
 * between strangers' files, and no other loaders, for libvips would read SVG, PDF and more.
 */
export function restrictSharp(): void {
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
}
