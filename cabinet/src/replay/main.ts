/**
 * The document of the player. It shows strangers' pages under a separate policy (api/pages/policy.ts), in a frame
 * without scripts, and sends no requests. The enclosing page of the cabinet passes it the recording.
 */
import { isFrom, type FromPlayer, type ToPlayer } from './playerMessages.ts';
import { Playback } from './playback.ts';
import { keepFit } from './replayScreen.ts';

const postToParent = (message: FromPlayer): void => parent.postMessage(message, location.origin);
const playback = new Playback(document.body, postToParent);
keepFit(document.body);

/** Parts are unpacked sequentially, even if others arrive meanwhile. */
let work = Promise.resolve();

function onMessage(message: ToPlayer): void {
  switch (message.type) {
    case 'parts':
      work = work.then(() => playback.add(message.bytes));
      break;
    case 'complete':
      work = work.then(() => playback.complete());
      break;
    case 'play':
      return playback.play();
    case 'pause':
      return playback.pause();
    case 'seek':
      return playback.seek(message.at);
    case 'speed':
      return playback.setSpeed(message.value);
    case 'skip':
      return playback.skipGaps(message.isOn);
  }
  work = work.catch(() => postToParent({ type: 'failed' }));
  return undefined;
}

addEventListener('message', (event) => {
  if (isFrom(event, parent)) onMessage(event.data as ToPlayer);
});
// An error caused by a recording is not an error of the cabinet.
for (const kind of ['error', 'unhandledrejection'] as const)
  addEventListener(kind, (event) => {
    event.preventDefault();
    playback.fail();
  });
if (parent !== window) postToParent({ type: 'ready' });
