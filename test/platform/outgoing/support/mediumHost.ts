/** A media host as players expect it: with range requests. */
import type { RequestListener } from 'node:http';

/** Answers every path with the content, or with the requested range of it. */
export function hostOf(content: Buffer, type = 'video/mp4'): RequestListener {
  return (request, response) => {
    const always = { 'content-type': type, 'accept-ranges': 'bytes', etag: '"v1"' };
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
    if (range === null) return response.writeHead(200, { ...always, 'content-length': content.length }).end(content);
    const from = Number(range[1]);
    const piece = content.subarray(from, range[2] === '' ? undefined : Number(range[2]) + 1);
    const place = piece.length === 0 ? '*' : `${from}-${from + piece.length - 1}`;
    return response
      .writeHead(piece.length === 0 ? 416 : 206, {
        ...always,
        'content-range': `bytes ${place}/${content.length}`,
        'content-length': piece.length,
      })
      .end(piece);
  };
}
