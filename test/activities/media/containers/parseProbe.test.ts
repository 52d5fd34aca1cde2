import { describe, expect, it } from '@jest/globals';
import { parseProbe } from '../../../../activities/media/containers/parseProbe.ts';
import { displaySize } from '../../../../activities/media/containers/probe.ts';

const PHONE = `Input #0, mov,mp4,m4a,3gp,3g2,mj2, from 'file:/x.mp4':
  Metadata:
    title           : one
                    :   Stream #0:9: Video: h264, yuv420p, 9x9, 1 fps
  Duration: 01:02:03.50, start: 0.000000, bitrate: 3200 kb/s
  Chapters:
    Chapter #0:0: start 0.000000, end 1.000000
  Stream #0:0[0x1](und): Video: h264 (High) (avc1 / 0x31637661), yuv420p(tv, bt709, progressive), 1920x1080 [SAR 1:1 DAR 16:9], 3122 kb/s, 29.97 fps, 30 tbr, 15360 tbn (default)
    Metadata:
      handler_name    : VideoHandler
    Side data:
      displaymatrix: rotation of -90.00 degrees
  Stream #0:1[0x2](eng): Audio: aac (LC) (mp4a / 0x6134706D), 44100 Hz, mono, fltp, 69 kb/s (default)
  Stream #0:2(rus): Subtitle: subrip (srt) (forced)
  Stream #0:3: Video: mjpeg (Baseline), yuvj420p(pc), 600x600, 90k tbr, 90k tbn (attached pic)
  Stream #0:4: Attachment: ttf
At least one output file must be specified
`;

describe('parseProbe', () => {
  it('reads duration, streams, rotation and dispositions', () => {
    const found = parseProbe(PHONE);
    expect(found?.durationSec).toBe(3723.5);
    expect(found?.streams.map(({ type, codec }) => `${type} ${codec}`)).toEqual([
      'video h264',
      'audio aac',
      'subtitle subrip',
      'video mjpeg',
      'attachment ttf',
    ]);
    expect(found?.streams[0]).toMatchObject({
      width: 1920,
      height: 1080,
      fps: 29.97,
      rotationDeg: -90,
      isDefault: true,
      attachedPicture: false,
    });
    expect(found?.streams[2]).toMatchObject({ forced: true, isDefault: false });
    expect(found?.streams.map(({ language }) => language)).toEqual([null, 'en', 'ru', null, null]);
    expect(found?.streams[3]).toMatchObject({ attachedPicture: true, width: 600, fps: null });
  });

  it.each(['und', 'mul', 'mis', 'zxx', 'qaa', 'qtz'])('treats %s as no language', (code) => {
    const [sound] = parseProbe(`Input #0, x\n  Stream #0:0(${code}): Audio: aac, 48000 Hz`)?.streams ?? [];
    expect(sound).toMatchObject({ type: 'audio', language: null });
  });

  it.each(['displaymatrix', 'Display Matrix'])('rotates the size of a phone video according to its %s', (words) => {
    const [video] = parseProbe(PHONE.replace('displaymatrix', words))?.streams ?? [];
    expect(video && displaySize(video)).toEqual({ width: 1080, height: 1920 });
  });

  it('reads the chapters that have a title, which may have several lines', () => {
    const chapters = [
      '    Chapter #0:0: start 0.000000, end 60.000000',
      '      Metadata:',
      '        title           : Intro',
      '                        : with a break',
      '    Chapter #0:1: start 60.500000, end 90.000000',
      '    Chapter #0:2: start 90.000000, end 120.000000',
      '      Metadata:',
      '        TRACK           : 3',
      '        title           : Цепь: уход',
      '    Chapter #0:3: start 120.000000, end 130.000000',
      '      Metadata:',
      '        title           :  ',
      '  Stream #0:0: Audio: aac, 48000 Hz',
      '    Metadata:',
      '        title           : no chapter',
    ];
    expect(parseProbe(`Input #0, x\n  Chapters:\n${chapters.join('\n')}\n`)?.chapters).toEqual([
      { start: 0, title: 'Intro with a break' },
      { start: 90, title: 'Цепь: уход' },
    ]);
    expect(parseProbe(PHONE)?.chapters).toEqual([]);
  });

  it('accepts that a duration can be missing', () => {
    expect(parseProbe(PHONE.replace('01:02:03.50', 'N/A'))?.durationSec).toBeNull();
  });

  it('refuses a table into which a tag forged lines', () => {
    expect(parseProbe(PHONE.replace('  Duration', '  Stream #0:0: Audio: aac\n  Duration'))).toBeNull();
    expect(parseProbe(PHONE.replace('  Duration', '  Duration: 00:00:01.00, start\n  Duration'))).toBeNull();
  });

  it('reads streams listed by program, in any order and more than once', () => {
    const found = parseProbe(`Input #0, mpegts, from 'x.ts':
  Duration: 00:00:08.00, start: 1.400000, bitrate: 852 kb/s
  Program 1 
  Stream #0:1[0x101]: Audio: aac (LC) ([15][0][0][0] / 0x000F), 48000 Hz, stereo, fltp, 128 kb/s
  Stream #0:0[0x100]: Video: h264 (Main) ([27][0][0][0] / 0x001B), yuv420p, 320x180, 10 fps, 10 tbr, 90k tbn
  Program 2 
  Stream #0:1[0x101]: Audio: aac (LC) ([15][0][0][0] / 0x000F), 48000 Hz, stereo, fltp, 128 kb/s
`);
    expect(found?.streams.map(({ index, type }) => `${index} ${type}`)).toEqual(['0 video', '1 audio']);
  });

  it('returns null for an error of ffmpeg without an input', () => {
    expect(parseProbe('[in#0] moov atom not found\n')).toBeNull();
  });
});
