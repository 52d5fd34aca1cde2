/** Settings of sharp for a process that opens untrusted pictures. */
import sharp from 'sharp';

/** The loaders of the formats that activities/media/medium/allowedFileTypes.ts accepts. */
const LOADERS = [
  'VipsForeignLoadJpeg',
  'VipsForeignLoadPng',
  'VipsForeignLoadWebp',
  'VipsForeignLoadNsgif',
  'VipsForeignLoadHeif',
  'VipsForeignLoadTiff',
];

/**
 * Restricts sharp in the whole process: one thread per picture (the queue's concurrency is the limit), no cache shared
 * between untrusted files, and no other loaders, because libvips would also read SVG, PDF and more.
 */
export function restrictSharp(): void {
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
}
