/** Raw pixels in memory, as an animation decoder returns them. */
export interface RawImage {
  data: Uint8Array;
  width: number;
  height: number;
  channels: 3;
}
