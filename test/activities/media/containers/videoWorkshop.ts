import { openWorkshop, type Workshop } from '../samples.ts';

/** Opens a workshop that has `a.mp4`: a video of six seconds and 320 × 180 pixels, with sound. */
export async function openVideoWorkshop(): Promise<Workshop> {
  const workshop = await openWorkshop();
  await workshop.make(
    '-f lavfi -i testsrc2=s=320x180:r=10:d=6 -f lavfi -i sine=d=6 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac a.mp4',
  );
  return workshop;
}

export const times = (frames: readonly { ts: number }[]): number[] => frames.map(({ ts }) => ts);
