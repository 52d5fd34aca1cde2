/** Recognises animations that browsers play, but of which libvips decodes only one picture. */
import { open } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';

/** The first box of an AVIF lists its brands; it has room for a hundred of them. */
const BRANDS_BYTES = 400;

/**
 * Returns true for a PNG with a chunk `acTL` before its pixels (PNG 3, section 11.3.6.1), and for an AVIF with the
 * brand `avis` (AVIF 1.1, section 6.3).
 */
export async function isUndecodedAnimation(path: string): Promise<boolean> {
  const mime = (await fileTypeFromFile(path))?.mime;
  return mime === 'image/avif' ? (await readBrands(path)).includes('avis') : mime === 'image/apng';
}

async function readBrands(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BRANDS_BYTES), 0, BRANDS_BYTES, 0);
    return buffer.subarray(0, Math.min(bytesRead, buffer.readUInt32BE(0)));
  } finally {
    await file.close();
  }
}
