import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sniff } from '../../../../activities/media/medium/allowedFileTypes.ts';
import { openWorkshop, type Workshop } from '../samples.ts';

let workshop: Workshop;

beforeAll(async () => {
  workshop = await openWorkshop();
  const video = '-f lavfi -i testsrc2=s=64x64:d=1 -f lavfi -i sine=d=1';
  for (const name of ['a.mp4', 'a.mov', 'a.mkv', 'a.avi', 'a.ts', 'a.3gp'])
    await workshop.make(`${video} -c:v mpeg4 -c:a aac ${name}`);
  await workshop.make(`${video} -c:v libvpx -c:a libvorbis a.webm`);
  await workshop.make(`${video} -c:v mpeg1video -c:a mp2 -f mpeg a.mpg`);
  for (const name of ['a.mp3', 'a.flac', 'a.wav', 'a.aac', 'a.m4a', 'a.ogg'])
    await workshop.make(`-f lavfi -i sine=d=1 ${name}`);
  await workshop.make('-f lavfi -i sine=d=1 -id3v2_version 0 -write_xing 0 bare.mp3');
  await workshop.make('-f lavfi -i testsrc2=s=64x64:d=0.2:r=5 a.gif');
  await workshop.make('-f lavfi -i testsrc2=s=64x64:d=1:r=1 a.png');
});
afterAll(() => workshop.close());

describe('sniff', () => {
  // proves: decisions-media/types
  it.each([
    ['a.mp4', 'mov'],
    ['a.mov', 'mov'],
    ['a.3gp', 'mov'],
    ['a.m4a', 'mov'],
    ['a.mkv', 'matroska'],
    ['a.webm', 'matroska'],
    ['a.avi', 'avi'],
    ['a.ts', 'mpegts'],
    ['a.mpg', 'mpeg'],
    ['a.mp3', 'mp3'],
    ['bare.mp3', 'mp3'],
    ['a.flac', 'flac'],
    ['a.wav', 'wav'],
    ['a.aac', 'aac'],
    ['a.ogg', 'ogg'],
  ])('finds that %s needs the demuxer %s', async (name, demuxer) => {
    expect((await sniff(workshop.path(name), 'audio')).demuxer).toBe(demuxer);
  });

  it('refuses an empty file', async () => {
    await workshop.write('empty.mp4', '');
    await expect(sniff(workshop.path('empty.mp4'), 'video')).rejects.toMatchObject({
      code: 'empty_media',
      permanent: true,
    });
  });

  // proves: decisions-media/types
  it.each([
    ['page.mp4', '<!DOCTYPE html><html><body>404</body></html>'],
    ['list.mp4', '#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n'],
    ['concat.mp4', 'ffconcat version 1.0\nfile /etc/passwd\n'],
    ['dash.mp4', '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"></MPD>'],
    [
      'drawing.png',
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>',
    ],
    ['drawing2.png', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['paper.png', '%PDF-1.7\n1 0 obj\n<<>>\nendobj\n'],
    ['archive.mp4', Buffer.from('504b0506000000000000000000000000000000000000', 'hex')],
    ['one-byte.mp4', 'x'],
    ['script.mp4', '#!/bin/sh\necho\n'],
  ])('refuses %s as a medium of any kind', async (name, data) => {
    const path = await workshop.write(name, data);
    for (const kind of ['video', 'audio', 'image'] as const) {
      await expect(sniff(path, kind)).rejects.toMatchObject({ code: 'unsupported_media', permanent: true });
    }
  });

  it.each([
    ['a.mp3', 'video'],
    ['a.flac', 'video'],
    ['a.gif', 'video'],
    ['a.png', 'audio'],
    ['a.mp4', 'image'],
    ['a.mp3', 'image'],
  ] as const)('refuses %s sent as %s', async (name, kind) => {
    await expect(sniff(workshop.path(name), kind)).rejects.toMatchObject({
      code: 'media_kind_mismatch',
      permanent: true,
    });
  });
});
